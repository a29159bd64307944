import { writeFile } from 'node:fs/promises';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem } from '../../errors/problem.ts';

/** Writes a new file, or over one that is there when `force` says so. */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem(exists ? `There is a ${file} already.` : `${file} can't be written: ${reason}.`, {
      code: exists ? 'FILE_EXISTS' : 'FILE',
      exitCode: exitCodes.failure,
      hint: exists ? 'Name another file, or overwrite it with --force.' : undefined,
      cause: error,
    });
  }
}
