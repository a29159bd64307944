import { exec, execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './blocks.ts';

/** A copy of the sources in which a test can do what a contributor does. */
export interface TreeCopy extends AsyncDisposable {
  folder: string;
  /** Writes a new file. */
  write(path: string, text: string): Promise<void>;
  /** Puts text before another of a file, which must be there. */
  insert(path: string, before: string, text: string): Promise<void>;
  /** Runs a command in the copy; gives what it printed, and whether it succeeded. */
  run(command: string): Promise<{ ok: boolean; printed: string }>;
}

/** Links the installed packages; those of the workspace are the copy's. */
async function linkModules(folder: string): Promise<void> {
  const modules = join(root, 'node_modules');
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(modules))
    if ((!name.startsWith('.') || name === '.pnpm') && name !== '@topup-kit')
      await symlink(join(modules, name), join(folder, 'node_modules', name));
  const own = [
    'node_modules/@topup-kit',
    'node_modules/.bin',
    ...globSync('{*,{packages,examples}/*}/node_modules', { cwd: root }),
  ];
  // Their links are relative, so they lead into the copy.
  for (const path of own.filter((name) => !name.startsWith('node_modules/node_modules')))
    await cp(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
}

/** Copies the files of the repository, or only those below the given paths, with changes that are not committed. */
export async function copyTree(...paths: string[]): Promise<TreeCopy> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'topup-tree-'));
  const listed = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '-co', '--exclude-standard', '--', ...paths],
    {
      cwd: root,
      maxBuffer: 10_000_000,
    },
  );
  const files = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  for (const path of files) await cp(join(root, path), join(folder, path), { verbatimSymlinks: true });
  await linkModules(folder);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_(ENV|OPTIONS)$|TEST$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  // An installation would change the folder that is linked.
  const workspace = join(folder, 'pnpm-workspace.yaml');
  const settings = await readFile(workspace, 'utf8');
  await writeFile(workspace, settings.replace(/^verifyDepsBeforeRun: .*$/m, 'verifyDepsBeforeRun: false'));
  return {
    folder,
    async write(path, text) {
      await writeFile(join(folder, path), text);
    },
    async insert(path, before, text) {
      const old = await readFile(join(folder, path), 'utf8');
      if (!old.includes(before)) throw new Error(`${path} has no ${before}`);
      await writeFile(
        join(folder, path),
        old.replace(before, () => text + before),
      );
    },
    async run(command) {
      try {
        const { stdout, stderr } = await promisify(exec)(command, {
          cwd: folder,
          env,
          maxBuffer: 10_000_000,
        });
        return { ok: true, printed: stdout + stderr };
      } catch (error) {
        // Safe: the error of `exec` contains the output.
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        return { ok: false, printed: stdout + stderr };
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
