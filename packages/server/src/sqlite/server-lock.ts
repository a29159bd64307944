import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Row } from './columns.ts';
import { integer, textOrNull } from './columns.ts';
import { busyTimeout } from './open-database.ts';
import { prepareFile, realPath } from './store-file.ts';
import { explainError, isBusy, StoreFileError } from './store-file-error.ts';

/** Which server serves a file. */
export interface ServerHolder {
  pid: number;
  /** Where it listens, for people. */
  address?: string;
}

export interface ServerLock {
  /** Lets another server have the file; releasing twice changes nothing. */
  release(): void;
}

/** Servers that start in the same moment may take the lock from each other this often before one gives up. */
const maxAttempts = 20;

/** A lock that nothing refers to any more would be collected as garbage, closed, and so released. */
const held = new Set<DatabaseSync>();

const asText = ({ pid, address }: ServerHolder): string =>
  address === undefined ? `pid ${pid}` : `pid ${pid}, ${address}`;

function holderOf(row: Row): ServerHolder {
  const address = textOrNull(row, 'address');
  return { pid: integer(row, 'pid'), ...(address !== null && { address }) };
}

function readHolder(db: DatabaseSync): ServerHolder | null {
  const exists = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'holder'`).get();
  const row = exists && db.prepare('SELECT pid, address FROM holder').get();
  return row ? holderOf(row) : null;
}

/** The holder may still be writing its name, which takes long on a busy machine. */
function awaitHolder(db: DatabaseSync): ServerHolder | null {
  db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  return readHolder(db);
}

function writeHolder(db: DatabaseSync, { pid, address }: ServerHolder): void {
  db.exec(`CREATE TABLE IF NOT EXISTS holder (
    id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER NOT NULL, address TEXT
  ) STRICT`);
  db.prepare('INSERT OR REPLACE INTO holder (id, pid, address) VALUES (1, ?, ?)').run(pid, address ?? null);
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
 * The holder's name must be committed before the lock is held, or nobody else could read it. Between the two
 * another server may come first: then its name stands there, and the attempt is made anew.
 */
function take(db: DatabaseSync, holder: ServerHolder): boolean {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (!begin(db)) return false;
    const named = readHolder(db);
    if (named && asText(named) === asText(holder)) return true;
    writeHolder(db, holder);
    db.exec('COMMIT');
  }
  return false;
}

/** By the real name, so that a link to the file leads to the same lock. */
const lockPathOf = (path: string): string => `${realPath(path)}.lock`;

function servedAlready(path: string, holder: ServerHolder | null): StoreFileError {
  const who = holder ? ` (${asText(holder)})` : '';
  return new StoreFileError('served_already', `Another server${who} already serves ${path}.`);
}

function openLock(lockPath: string, path: string, holder: ServerHolder): DatabaseSync {
  const db = new DatabaseSync(lockPath, { timeout: 250 });
  try {
    if (!take(db, holder)) throw servedAlready(path, awaitHolder(db));
    return db;
  } catch (error) {
    db.close();
    throw explainError(error, lockPath);
  }
}

/**
 * Claims a store's file for this server as long as the process lives, by an open transaction on a database beside
 * it. The operating system drops that however the process ends, so no stale lock can be left behind. Operators'
 * commands open the store without it.
 *
 * @example
 * const lock = lockForServer('./data/topup.db', { pid: process.pid, address: 'http://127.0.0.1:4000' });
 * @throws StoreFileError that names the other server's pid, when there is one.
 */
export function lockForServer(path: string, holder: ServerHolder): ServerLock {
  prepareFile(path);
  return lockAgainstServers(path, holder);
}

/** The same for work during which no server may start; unlike a server, it makes no store where there is none. */
export function lockAgainstServers(path: string, holder: ServerHolder): ServerLock {
  const lockPath = lockPathOf(path);
  prepareFile(lockPath);
  const db = openLock(lockPath, path, holder);
  held.add(db);
  return {
    release() {
      // Closing rolls the open transaction back.
      if (held.delete(db)) db.close();
    },
  };
}

/**
 * Who holds a store's file as its server; null when nobody does. Looking takes the lock for an instant, for which a
 * server that starts just then waits.
 */
export function findServer(path: string): ServerHolder | null {
  const lockPath = lockPathOf(path);
  if (!existsSync(lockPath)) return null;
  try {
    // Somebody else may be looking at the same time.
    using db = new DatabaseSync(lockPath, { timeout: 50 });
    return begin(db) ? null : awaitHolder(db);
  } catch (error) {
    throw explainError(error, lockPath);
  }
}
