import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, type Stats } from 'node:fs';
import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { exitCodes, Problem, reasonOf, usageProblem } from '../../errors/cli-error.ts';

const fileProblem = (message: string, hint?: string, cause?: unknown): Problem =>
  new Problem(message, { code: 'FILE', exitCode: exitCodes.failure, hint, cause });

const fileExists = (file: string): Problem =>
  new Problem(`There is a ${file} already.`, {
    code: 'FILE_EXISTS',
    exitCode: exitCodes.rejected,
    hint: 'Name another file, or overwrite it with --force.',
  });

/** Refuses what must not be overwritten: another file without `force`, and a store or what is no file at all even so. */
async function refuse(file: string, force: boolean): Promise<Stats | undefined> {
  if (!existsSync(file)) return undefined;
  if (!force) throw fileExists(file);
  const hint = 'Nothing was written. Name another file.';
  const there = await stat(file);
  if (!there.isFile()) throw fileProblem(`${file} is no regular file.`, hint);
  const { isPartOfStore } = await import('@topup-kit/server');
  if (isPartOfStore(file)) throw fileProblem(`${file} is a store or a part of one.`, hint);
  return there;
}

/** Writes beside the file and renames, so that nobody ever sees half of it. */
async function replace(file: string, text: string, force: boolean): Promise<void> {
  const there = await refuse(file, force);
  const place = there ? realpathSync(file) : file;
  const part = `${place}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, text, { flag: 'wx', flush: true });
    if (there) await chmod(part, there.mode & 0o777);
    // Somebody else may have made it in the meantime.
    await refuse(file, force);
    await rename(part, place);
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes a new file, or over one that is there when `force` says so. */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  if (file === '' || file.endsWith('/')) throw usageProblem('It takes the name of a file to write.');
  try {
    await replace(file, text, force);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw fileProblem(`${file} can't be written: ${reasonOf(error)}.`, undefined, error);
  }
}
