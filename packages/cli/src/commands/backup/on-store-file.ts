import type { StoreFileProblem } from '@topup-kit/server';
import { type ExitCode, exitCodes, Problem } from '../../errors/cli-error.ts';
import { stopped } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';

/** What to do next, where the command can say. */
export type StoreFileHints = Partial<Record<StoreFileProblem, string>>;

/** The code for programs and the exit code, of what is not a mere failure. */
const kinds: Partial<Record<StoreFileProblem, { code: string; exitCode: ExitCode }>> = {
  missing: { code: 'NOT_FOUND', exitCode: exitCodes.notFound },
  no_folder: { code: 'NOT_FOUND', exitCode: exitCodes.notFound },
  exists: { code: 'FILE_EXISTS', exitCode: exitCodes.rejected },
  damaged: { code: 'DAMAGED', exitCode: exitCodes.failure },
  disk_full: { code: 'DISK_FULL', exitCode: exitCodes.failure },
  served_already: { code: 'STORE_SERVED', exitCode: exitCodes.rejected },
  in_use: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  unfinished: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  own_file: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  busy: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
};

/** What to do where this user may not read or write. */
export const accessHint =
  'Work as the user that runs the server, who may read and write the file, its folder and what is beside it.';

const commonHints: StoreFileHints = {
  disk_full: 'Nothing was left behind. Make room, or use another disk.',
  in_use: 'Nothing was changed. Wait until it has ended, and try again.',
  busy: 'Nothing was changed. Try again in a moment.',
  not_writable: accessHint,
  not_a_file: 'Nothing was changed. Name a file.',
  newer_version: 'Use a topup at least as new as the one that wrote it.',
};

/** Works on a store's file or a backup; what is wrong with a file is thrown as a problem. */
export async function onStoreFile<Value>(
  io: Io,
  hints: StoreFileHints,
  work: () => Promise<Value>,
): Promise<Value> {
  const { StoreFileError } = await import('@topup-kit/server');
  try {
    return await work();
  } catch (error) {
    if (io.signal?.aborted && error === io.signal.reason) throw stopped(io.signal);
    if (!(error instanceof StoreFileError)) throw error;
    const kind = kinds[error.problem] ?? { code: 'STORE_FILE', exitCode: exitCodes.failure };
    const hint = hints[error.problem] ?? commonHints[error.problem];
    throw new Problem(error.message, { ...kind, hint, cause: error });
  }
}
