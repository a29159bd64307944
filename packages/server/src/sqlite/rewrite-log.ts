import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { attempt, logOf } from './store-file.ts';
import { isDiskFull } from './store-file-error.ts';

/** A store's log as a file of the operating system. */
export interface LogFile extends Disposable {
  size: number;
  read(at: number, length: number): Uint8Array;
  /** Writes bytes. Returns the number of written bytes, which may be less than the length. */
  write(at: number, bytes: Uint8Array): number;
  sync(): void;
}

/** Opens a database's log; null if there is none. SQLite has no locks on this file, so closing it drops no lock. */
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

/** Writes some bytes, and returns their number; null on a full disk. */
function writeSome(log: LogFile, at: number): number | null {
  try {
    return log.write(at, log.read(at, Math.min(chunk, log.size - at)));
  } catch (error) {
    if (isDiskFull(error)) return null;
    throw error;
  }
}

/**
 * Writes another process's log again, and syncs it. After a failed sync, the system treats lost data as written: SQLite would read it, and
 * append data that a power cut removes together with the lost data.
 */
export function rewriteLog(db: DatabaseSync, path: string, open: () => LogFile | null): void {
  // Prevents other processes from writing to the log in the meantime.
  db.exec('BEGIN IMMEDIATE');
  try {
    attempt(`The log of ${path} can't be written`, () => {
      using log = open();
      if (!log || log.size === 0) return;
      for (let at = 0; at < log.size; ) {
        const written = writeSome(log, at);
        // There is no space even for the existing data, so the store serves reads and accepts no writes.
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
