import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packPackage, unpackInto } from '../../../scripts/pack.ts';

const recipes = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  name: string;
  bin?: string | Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  // safe: npm requires these fields of every package.json
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Links a dependency of one folder into another folder's `node_modules`. */
async function link(name: string, from: string, modules: string): Promise<void> {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed`);
  await mkdir(dirname(join(modules, name)), { recursive: true });
  await symlink(await realpath(found), join(modules, name));
}

let packed: Promise<Buffer> | undefined;

/** Packs the mock as it is published, without types. Done once for all projects. */
async function packMock(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'topup-kit-mock-'));
  try {
    return await readFile(await packPackage('mock', folder, { types: false }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The names and paths of the programs in a package. */
async function binsOf(folder: string): Promise<[name: string, path: string][]> {
  const { name, bin = {} } = await manifestOf(folder);
  const bins = typeof bin === 'string' ? { [name]: bin } : bin;
  return Object.entries(bins).map(([program, path]) => [program, join(folder, path)]);
}

export interface Project extends AsyncDisposable {
  folder: string;
  /** Runs a script of the recipe's `package.json` to its end and returns its standard output. */
  run(script: string, args?: readonly string[]): Promise<string>;
  /** Starts a script of the recipe's `package.json`. Disposing the result ends it. */
  start(script: string, args?: readonly string[]): AsyncDisposable;
}

/** Copies a recipe into a new project and installs everything that its `package.json` names. */
export async function createProject(recipe: string): Promise<Project> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), `topup-kit-${recipe}-`));
  const copied = (path: string): boolean => !/[/\\](node_modules|dist|test-results)$/.test(path);
  await cp(join(recipes, recipe), folder, { recursive: true, filter: copied });
  const { scripts = {}, dependencies = {}, devDependencies = {} } = await manifestOf(folder);
  const modules = join(folder, 'node_modules');
  packed ??= packMock();
  const tarball = join(folder, 'mock.tgz');
  await writeFile(tarball, await packed);
  await unpackInto(modules, 'mock', tarball);
  await mkdir(join(modules, '.bin'));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (name.startsWith('@topup-kit/')) continue;
    await link(name, recipes, modules);
    for (const [program, path] of await binsOf(join(modules, name)))
      await symlink(path, join(modules, '.bin', program));
  }
  const command = (script: string, args: readonly string[] = []): [string, string[], object] => [
    'sh',
    ['-c', `exec ${scripts[script]} "$@"`, script, ...args],
    {
      cwd: folder,
      env: {
        PATH: [join(modules, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: process.env.HOME,
      },
    },
  ];
  return {
    folder,
    async run(script, args) {
      const { stdout } = await promisify(execFile)(...command(script, args));
      return String(stdout);
    },
    start(script, args) {
      const child = spawn(...command(script, args));
      const ended = once(child, 'exit');
      return {
        async [Symbol.asyncDispose]() {
          child.kill();
          await ended;
        },
      };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
