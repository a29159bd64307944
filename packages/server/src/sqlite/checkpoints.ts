import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from './node-sqlite.ts';
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

/** How often the log is tried to be emptied, and the pause after each time, in milliseconds. */
const tries = 20;
const pauseMs = 250;

/**
 * Writes the log of a store to the database and cuts it to nothing, because it has pages as they were before an erasure. False when others
 * were reading for too long. It waits between tries and not for readers, because a server could write nothing meanwhile.
 */
export async function emptyLog(path: string): Promise<boolean> {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    for (let count = 1; count <= tries; count += 1) {
      if (readNumber(db, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0) return true;
      if (count < tries) await sleep(pauseMs);
    }
    return false;
  } finally {
    db.close();
  }
}
