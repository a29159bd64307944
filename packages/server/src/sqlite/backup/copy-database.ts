import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { attempt } from '../store-file.ts';
import { explainError } from '../store-file-error.ts';

/** How far a backup or a restore is; numbers are pages. */
export type CopyProgress = { step: 'copying'; done: number; total: number } | { step: 'verifying' };

export interface CopyOptions {
  onProgress?: (progress: CopyProgress) => void;
  /** Ends the work before anything was put in its place; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

/** Enough that the steps cost nothing, few enough that progress is seen and an end is soon: 4 MB. */
const pagesAStep = 1_000;

/** Each step happens in another thread, so that the signal is heard between them. */
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

/** A copy of a store would ask for a write-ahead log beside it, as the store does. */
function makeStandAlone(file: string): void {
  using db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE');
}

/** Waits until the disk has a file. */
async function syncFile(file: string): Promise<void> {
  await using opened = await open(file, 'r+');
  await opened.sync();
}

/**
 * Copies one moment of a database into a new file, which is its owner's alone and stands alone. A transaction that is
 * open on `db` is the moment; without one, each write of another process would start the copy anew.
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
