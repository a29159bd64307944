import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A copy of the project, in which files can be changed. */
export interface ProjectCopy extends Disposable {
  path: string;
}

/** The files of the working tree, without those that git ignores. */
const filesOf = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** Folders of `node_modules` that are large, or that tools fill. */
const isLeftOut = (path: string): boolean => /^\.(pnpm|cache|vite.*|vitest.*)$/.test(basename(path));

/**
 * Copies the working tree. The installed packages are linked: pnpm's links are relative, so that those between the packages
 * of the project lead to the copy.
 */
export function copyProject(root: string): ProjectCopy {
  const path = mkdtempSync(join(tmpdir(), 'topup-kit-teeth-'));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  const files = filesOf(root);
  for (const file of files) cpSync(join(root, file), join(path, file), { verbatimSymlinks: true });
  for (const file of files.filter((one) => basename(one) === 'package.json')) {
    const installed = join(dirname(file), 'node_modules');
    if (existsSync(join(root, installed)))
      cpSync(join(root, installed), join(path, installed), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (one) => !isLeftOut(one),
      });
  }
  symlinkSync(join(root, 'node_modules/.pnpm'), join(path, 'node_modules/.pnpm'));
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
