import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from './node-sqlite.ts';
import { readNumber } from './run-command.ts';
import type { CheckedWriteGate } from './write-gate.ts';

/** Write-ahead log of a store. */
export interface Log {
  /** Returns the size in bytes; 0 if there is no log. */
  size(): number;
  /** Minimum size of the log, in bytes, before it is written to the database. */
  limit: number;
}

/** Default limit in bytes, which is about SQLite's own default of 1,000 pages. */
export const logLimit = 4 << 20;

/**
 * Writes the log to the database when it exceeds its limit, whichever process wrote it. SQLite does this during a commit, but doesn't
 * report a failure: on a failing disk, the log would grow forever without notice.
 *
 * @returns a function to call after commits, and regularly because of writes by other processes.
 */
export function prepareCheckpoints(
  db: DatabaseSync,
  gate: Pick<CheckedWriteGate, 'obstacle' | 'failed'>,
  { size, limit }: Log,
): () => void {
  db.exec('PRAGMA wal_autocheckpoint = 0');
  // SQLite reuses the log after a checkpoint and truncates it to this size.
  db.exec(`PRAGMA journal_size_limit = ${limit}`);
  // Never waits: data that others are still reading stays in the log until the next checkpoint.
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

/** Number of attempts to empty the log, and the pause after each attempt, in milliseconds. */
const tries = 20;
const pauseMs = 250;

/**
 * Writes a store's log to the database and truncates it, because it contains pages from before an erasure. Returns false if others were
 * reading for too long. It pauses between attempts instead of waiting for readers, because a server could not write during the wait.
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
