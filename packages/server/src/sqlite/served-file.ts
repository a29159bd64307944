import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from '../rows/columns.ts';
import { hasContent, logOf, realPath } from './store-file.ts';
import { explainError, StoreFileError } from './store-file-error.ts';
import { fileNumber } from './write-gate.ts';

/** Returns the path of a store's lock, which is a separate database. Uses the real path, so that links to the file share the lock. */
export const lockPathOf = (path: string): string => `${realPath(path)}.lock`;

/** Returns the file that was last served under this lock; null if unknown. */
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
 * Tells whether a store file has replaced the file that its log belongs to. SQLite would write the log's pages into the new file, which
 * destroys the file and the orders in the log.
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

/** Rejects a replaced file. @throws StoreFileError if a file {@link isReplaced}. */
export function rejectReplacedFile(path: string): void {
  if (!isReplaced(path)) return;
  throw new StoreFileError(
    'replaced',
    `${path} does not belong to the log ${logOf(path)} next to it. The log may hold orders that are nowhere else, and would damage this file. Put the log's file back, or move the log away to use this file. If you copied the file and the log here together, delete ${lockPathOf(path)}.`,
  );
}
