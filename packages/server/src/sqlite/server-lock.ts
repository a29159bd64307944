import { existsSync } from 'node:fs';
import { integer, type Row, textOrNull } from '../rows/columns.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { busyTimeout } from './open-database.ts';
import { lockPathOf, noteServedFile, rejectReplacedFile, servedFile } from './served-file.ts';
import { prepareFile } from './store-file.ts';
import { explainError, isBusy, isSafelyUndone, StoreFileError } from './store-file-error.ts';
import { fileNumber } from './write-gate.ts';

/** The server that has locked a store file. */
export interface LockOwner {
  pid: number;
  /** Address of the server, for display. */
  address?: string;
}

export interface ServerLock {
  /** Releases the file for another server. Repeated calls have no effect. */
  release(): void;
  /** Releases the lock after the file was replaced by a file that owns the log from now on. */
  releaseReplaced(): void;
}

/** Maximum number of attempts to take the lock, because servers that start together may take it from each other. */
const maxAttempts = 20;

/** Keeps a reference to each lock: garbage collection would close the connection and release the lock. */
const held = new Set<DatabaseSync>();

const asText = ({ pid, address }: LockOwner): string =>
  address === undefined ? `pid ${pid}` : `pid ${pid}, ${address}`;

function holderOf(row: Row): LockOwner {
  const address = textOrNull(row, 'address');
  return { pid: integer(row, 'pid'), ...(address !== null && { address }) };
}

function readHolder(db: DatabaseSync): LockOwner | null {
  const exists = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'holder'`).get();
  const row = exists && db.prepare('SELECT pid, address FROM holder').get();
  return row ? holderOf(row) : null;
}

/** Waits for the holder's name, which the holder may still be writing on a busy machine. */
function waitForHolder(db: DatabaseSync): LockOwner | null {
  db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  return readHolder(db);
}

/** Server that wants a lock, and the number of the file to serve; null if there is no file. */
interface Wanted {
  holder: LockOwner;
  file: string | null;
}

function writeHolder(db: DatabaseSync, { holder: { pid, address }, file }: Wanted): void {
  db.exec(`CREATE TABLE IF NOT EXISTS holder (
    id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER NOT NULL, address TEXT
  ) STRICT`);
  db.prepare('INSERT OR REPLACE INTO holder (id, pid, address) VALUES (1, ?, ?)').run(pid, address ?? null);
  if (file !== null) noteServedFile(db, file);
}

function begin(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/**
 * Takes the lock. The holder's name must be committed before the lock is held, because other processes could not read it otherwise. If
 * another server takes the lock between the two steps, the file contains that server's name, and this attempt fails.
 */
function acquire(db: DatabaseSync, wanted: Wanted): boolean {
  const { holder, file } = wanted;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (!begin(db)) return false;
    const current = readHolder(db);
    const isNoted = file === null || servedFile(db) === file;
    if (isNoted && current && asText(current) === asText(holder)) return true;
    try {
      writeHolder(db, wanted);
      db.exec('COMMIT');
    } catch (error) {
      if (!isSafelyUndone(error)) throw error;
      // Keeps the previous name, so that a server on a full disk still serves reads. Other servers then see the previous server's name.
      if (db.isTransaction) db.exec('ROLLBACK');
      return begin(db);
    }
  }
  return false;
}

function servedAlready(path: string, holder: LockOwner | null): StoreFileError {
  const name = holder ? ` (${asText(holder)})` : '';
  return new StoreFileError('served_already', `Another server${name} already serves ${path}.`);
}

function openLock(lockPath: string, path: string, wanted: Wanted): DatabaseSync {
  const db = new DatabaseSync(lockPath, { timeout: 250 });
  try {
    if (!acquire(db, wanted)) throw servedAlready(path, waitForHolder(db));
    return db;
  } catch (error) {
    db.close();
    throw explainError(error, lockPath);
  }
}

/**
 * Locks a store file for this server until `release()` or the end of the process. The lock is an open transaction on a second database
 * file. The operating system releases it when the process ends for any reason, so no stale lock remains. Operators' commands open the
 * store without this lock.
 *
 * @example
 * const lock = lockForServer('./data/topup.db', { pid: process.pid, address: 'http://127.0.0.1:4000' });
 * @throws StoreFileError with the pid of the other server, if another server has the lock.
 */
export function lockForServer(path: string, holder: LockOwner): ServerLock {
  prepareFile(path);
  rejectReplacedFile(path);
  return lock(path, { holder, file: fileNumber(path) });
}

/** Takes the same lock for work during which no server may start. Unlike {@link lockForServer}, it creates no store. */
export const lockAgainstServers = (path: string, holder: LockOwner): ServerLock =>
  lock(path, { holder, file: null });

function lock(path: string, wanted: Wanted): ServerLock {
  const lockPath = lockPathOf(path);
  prepareFile(lockPath);
  const db = openLock(lockPath, path, wanted);
  held.add(db);
  return {
    release() {
      // Closing rolls back the open transaction.
      if (held.delete(db)) db.close();
    },
    releaseReplaced() {
      const file = fileNumber(path);
      if (file === null || !held.delete(db)) return;
      noteServedFile(db, file);
      db.exec('COMMIT');
      db.close();
    },
  };
}

/**
 * Finds the server that has locked a store file; null if there is none. The check takes the lock for a moment, and a server that starts at
 * that moment waits for it.
 */
export function findServer(path: string): LockOwner | null {
  const lockPath = lockPathOf(path);
  if (!existsSync(lockPath)) return null;
  try {
    // Another process may be checking at the same time.
    using db = new DatabaseSync(lockPath, { timeout: 50 });
    return begin(db) ? null : waitForHolder(db);
  } catch (error) {
    throw explainError(error, lockPath);
  }
}
