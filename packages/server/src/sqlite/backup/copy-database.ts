import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from '../node-sqlite.ts';
import { attempt } from '../store-file.ts';
import { explainError } from '../store-file-error.ts';

/** Progress of a backup or a restore. `done` and `total` are database pages. */
export type CopyProgress = { step: 'copying'; done: number; total: number } | { step: 'verifying' };

export interface CopyOptions {
  onProgress?: (progress: CopyProgress) => void;
  /** Stops the work before the target is written; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Number of pages per step. The resulting 4 MB are large enough to be fast, and small enough to report progress and to stop soon. */
const pagesAStep = 1_000;

/** Copies in steps that run in another thread; the signal is checked between the steps. */
async function copyPages(db: DatabaseSync, file: string, { onProgress, signal }: CopyOptions): Promise<void> {
  await backup(db, file, {
    rate: pagesAStep,
    progress({ totalPages, remainingPages }) {
      signal?.throwIfAborted();
      onProgress?.({ step: 'copying', done: totalPages - remainingPages, total: totalPages });
    },
  });
  signal?.throwIfAborted();
}

/** Turns off the write-ahead log, which the copy inherits, so that the copy is a single file. */
function makeStandAlone(file: string): void {
  using db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE');
}

export async function syncFile(file: string): Promise<void> {
  await using opened = await open(file, 'r+');
  await opened.sync();
}

/**
 * Copies a snapshot of a database into a new single file with mode 0600. `db` should have an open transaction, which defines the snapshot;
 * otherwise, each write by another process restarts the copy.
 */
export async function copyDatabase(db: DatabaseSync, file: string, options: CopyOptions): Promise<void> {
  attempt(`${file} can't be written`, () => closeSync(openSync(file, 'wx', 0o600)));
  try {
    await copyPages(db, file, options);
    makeStandAlone(file);
    await syncFile(file);
  } catch (error) {
    throw explainError(error, file);
  }
}
