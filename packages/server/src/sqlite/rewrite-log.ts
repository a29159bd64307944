import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { attempt, logOf } from './store-file.ts';
import { isDiskFull } from './store-file-error.ts';

/** The log of a store, as the operating system has it. */
export interface LogFile extends Disposable {
  size: number;
  read(at: number, length: number): Uint8Array;
  /** Returns how many of the bytes were written, which may be fewer than all. */
  write(at: number, bytes: Uint8Array): number;
  sync(): void;
}

/** Opens the log of a database; null when there is none. SQLite has no locks on this file that closing it would drop. */
export function openLog(path: string): LogFile | null {
  const log = logOf(path);
  const size = statSync(log, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  const file = openSync(log, 'r+');
  return {
    size,
    read(at, length) {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    },
    write: (at, bytes) => writeSync(file, bytes, 0, bytes.length, at),
    sync: () => fsyncSync(file),
    [Symbol.dispose]: () => closeSync(file),
  };
}

const chunk = 1 << 20;

/** Returns how many bytes were written; null on a full disk. */
function writeSome(log: LogFile, at: number): number | null {
  try {
    return log.write(at, log.read(at, Math.min(chunk, log.size - at)));
  } catch (error) {
    if (isDiskFull(error)) return null;
    throw error;
  }
}

/**
 * Writes the log that another process left again, and syncs it. After a sync that failed, the system counts as written what is
 * not on the disk: SQLite would read it, and write behind it what a power cut then takes away with it.
 */
export function rewriteLog(db: DatabaseSync, path: string, open: () => LogFile | null): void {
  // So that no other process writes to it meanwhile.
  db.exec('BEGIN IMMEDIATE');
  try {
    attempt(`The log of ${path} can't be written`, () => {
      using log = open();
      if (!log || log.size === 0) return;
      for (let at = 0; at < log.size; ) {
        const written = writeSome(log, at);
        // There is no room even for what is there already: reads are served, and the store accepts no writes.
        if (written === null) break;
        if (written === 0) throw new Error(`nothing was written at byte ${at}`);
        at += written;
      }
      log.sync();
    });
  } finally {
    db.exec('ROLLBACK');
  }
}
