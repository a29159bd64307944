import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedTexts } from './packed-texts.ts';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Published packages of the scope `@topup-kit`, by their folders. */
export const packageNames = ['sdk', 'mock', 'server', 'cli'] as const;
export type PackageName = (typeof packageNames)[number];

/** All published packages, by their folders. */
export const publishedNames = [...packageNames, 'create-topup-shop'] as const;
export type PublishedName = (typeof publishedNames)[number];

/** Returns the name of a package's tarball in `packed`, without a version, so that commands in the guides stay the same. */
export const tarballOf = (name: PublishedName): string =>
  name === 'create-topup-shop' ? `${name}.tgz` : `topup-kit-${name}.tgz`;

const sourceOf = (name: PublishedName): string => join(root, 'packages', name);

/** Command that runs pnpm. It is on the path when pnpm runs the tests; otherwise, npx fetches it. */
export const pnpm: readonly [program: string, ...args: string[]] =
  process.env.npm_config_user_agent?.startsWith('pnpm/') ? ['pnpm'] : ['npx', '-y', 'pnpm@12'];

/** Builds a package into a folder with the package's own script, as `pnpm build` does, without changing its source folder. */
export async function buildPackage(name: PublishedName, folder: string): Promise<void> {
  const [program, ...args] = pnpm;
  await run(program, [...args, 'run', 'build'], {
    cwd: sourceOf(name),
    env: { ...process.env, TOPUP_DIST: folder },
  });
}

/** Creates a package's manifest without the parts for this repository only: its scripts, and dependencies that are not published. */
async function packedManifest(source: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  return JSON.stringify({ ...manifest, scripts: undefined, devDependencies: undefined }, null, 2);
}

/** Builds and packs a package as for publishing, in a separate workspace. Returns the path of the tarball. */
export async function packPackage(name: PublishedName, folder: string): Promise<string> {
  const source = sourceOf(name);
  const workspace = join(folder, name);
  const home = join(workspace, 'packages', name);
  await mkdir(home, { recursive: true });
  const texts = await packedTexts(name);
  for (const file of texts.keys()) await mkdir(dirname(join(home, file)), { recursive: true });
  const template = join(source, 'template');
  await Promise.all([
    ...[...texts].map(([file, text]) => writeFile(join(home, file), text)),
    ...(existsSync(template) ? [cp(template, join(home, 'template'), { recursive: true })] : []),
    writeFile(join(home, 'package.json'), await packedManifest(source)),
    cp(join(root, 'LICENSE'), join(workspace, 'LICENSE')),
    cp(join(root, 'pnpm-workspace.yaml'), join(workspace, 'pnpm-workspace.yaml')),
    symlink(join(source, 'node_modules'), join(home, 'node_modules')),
    buildPackage(name, join(home, 'dist')),
  ]);
  const [program, ...args] = pnpm;
  // Skips `prepack`, which would build again.
  const pack = [
    'pack',
    '--config.ignore-scripts=true',
    '--pack-gzip-level',
    '9',
    '--pack-destination',
    workspace,
  ];
  await run(program, [...args, ...pack], { cwd: home, env: process.env });
  const tarball = (await readdir(workspace)).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`pnpm packed nothing of ${name}`);
  return join(workspace, tarball);
}

/** Packs all published packages into a folder. Returns the paths of the tarballs. */
export async function packAll(folder: string): Promise<string[]> {
  const work = await mkdtemp(join(tmpdir(), 'topup-kit-pack-'));
  await mkdir(folder, { recursive: true });
  const tarballs: string[] = [];
  for (const name of publishedNames) {
    const tarball = join(folder, tarballOf(name));
    await cp(await packPackage(name, work), tarball);
    tarballs.push(tarball);
  }
  await rm(work, { recursive: true });
  return tarballs;
}

/** Unpacks a tarball into `node_modules`; its dependencies come from the workspace. */
export async function unpackInto(modules: string, name: PackageName, tarball: string): Promise<void> {
  const home = join(modules, '@topup-kit', name);
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: home });
  const { dependencies = {} } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    const link = join(modules, dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(sourceOf(name), 'node_modules', dependency)), link);
  }
}

export interface InstalledPackage {
  /** Project with the packed client and its dependencies in `node_modules`. */
  project: string;
  tarball: string;
}

/** Installs the packed client as an integrator does. */
export async function installClient(folder: string): Promise<InstalledPackage> {
  const tarball = await packPackage('sdk', join(folder, 'pack'));
  const project = join(folder, 'project');
  await unpackInto(join(project, 'node_modules'), 'sdk', tarball);
  return { project, tarball };
}

if (import.meta.main)
  for (const tarball of await packAll(join(root, 'packed')))
    process.stdout.write(`${relative(root, tarball)}\n`);
