import { DatabaseSync } from './node-sqlite.ts';
import { busyTimeout } from './open-database.ts';
import { readNumber } from './run-command.ts';
import type { CheckedWriteGate } from './write-gate.ts';

/** The write-ahead log of a store. */
export interface Log {
  /** Its size in bytes; 0 when there is none. */
  size(): number;
  /** The size in bytes from which on it is written to the database. */
  limit: number;
}

/** About the size at which SQLite would do it by itself, which is 1,000 pages. */
export const logLimit = 4 << 20;

/**
 * Writes the log to the database when it is longer than its limit, whoever wrote it. SQLite would do so as a part of a commit,
 * but say nothing of a failure: the log would grow without end on a disk that is failing, and nobody would know.
 *
 * @returns the function to call after commits, and now and then for what other processes write.
 */
export function prepareCheckpoints(
  db: DatabaseSync,
  gate: Pick<CheckedWriteGate, 'obstacle' | 'failed'>,
  { size, limit }: Log,
): () => void {
  db.exec('PRAGMA wal_autocheckpoint = 0');
  // What was written to the database is overwritten, and the log cut to this size: a longer one is due.
  db.exec(`PRAGMA journal_size_limit = ${limit}`);
  // Waits for nobody: what others still read stays in the log until the next time.
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

  return () => {
    if (!db.isOpen) return;
    try {
      if (size() > limit && !gate.obstacle()) checkpoint.get();
    } catch (error) {
      gate.failed(error);
    }
  };
}

/**
 * Writes the log of a store to the database and cuts it to nothing, because it has pages as they were before an erasure. False when others
 * were reading for too long.
 */
export function emptyLog(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: busyTimeout });
  try {
    return readNumber(db, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0;
  } finally {
    db.close();
  }
}
