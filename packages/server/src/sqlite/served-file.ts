import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from '../rows/columns.ts';
import { hasContent, logOf, realPath } from './store-file.ts';
import { explainError, StoreFileError } from './store-file-error.ts';
import { fileNumber } from './write-gate.ts';

/** The lock of a store, which is a database of its own. Uses the real path, so that a link to the file has the same lock. */
export const lockPathOf = (path: string): string => `${realPath(path)}.lock`;

/** Which file was served last under this lock; null when nobody has noted it. */
export function servedFile(lock: DatabaseSync): string | null {
  const exists = lock.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'served'`).get();
  const row = exists && lock.prepare('SELECT file FROM served').get();
  return row ? text(row, 'file') : null;
}

export function noteServedFile(lock: DatabaseSync, file: string): void {
  lock.exec(
    'CREATE TABLE IF NOT EXISTS served (id INTEGER PRIMARY KEY CHECK (id = 1), file TEXT NOT NULL) STRICT',
  );
  lock.prepare('INSERT OR REPLACE INTO served (id, file) VALUES (1, ?)').run(file);
}

/**
 * Whether a store file has replaced the one that its log belongs to. SQLite would write the pages of the log into it, which
 * destroys it, and the orders of the log with it.
 */
export function isReplaced(path: string): boolean {
  const lockPath = lockPathOf(path);
  if (!hasContent(logOf(path)) || !existsSync(lockPath)) return false;
  try {
    using lock = new DatabaseSync(lockPath, { readOnly: true, timeout: 250 });
    const served = servedFile(lock);
    return served !== null && served !== fileNumber(path);
  } catch (error) {
    throw explainError(error, lockPath);
  }
}

/** @throws StoreFileError when a file {@link isReplaced}. */
export function rejectReplacedFile(path: string): void {
  if (!isReplaced(path)) return;
  throw new StoreFileError(
    'replaced',
    `${path} has replaced the file that its log ${logOf(path)} belongs to. The log may hold orders that are nowhere else, and would damage this file. Put the other file back; or, to use this one, move the log away. If file and log were copied here together, delete ${lockPathOf(path)}.`,
  );
}
