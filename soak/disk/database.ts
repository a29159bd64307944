import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Database } from '@sqlite.org/sqlite-wasm';
import type { Log } from '../../packages/server/src/sqlite/checkpoints.ts';
import { setUp } from '../../packages/server/src/sqlite/open-database.ts';
import type { LogFile } from '../../packages/server/src/sqlite/rewrite-log.ts';
import type { Disk } from './disk.ts';
import { openOn, sqlite } from './vfs.ts';

const { capi } = sqlite;

/** Tells whether a value is one that `node:sqlite` can return; SQLite returns no others. */
const isOutput = (value: unknown): value is SQLOutputValue =>
  value === null || ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Uint8Array;

/** Throws errors in the form of `node:sqlite`, with the extended result code. */
function withCodes<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    const message = error.message.replace(/^.*: /, '');
    throw Object.assign(new Error(message, { cause: error }), {
      code: 'ERR_SQLITE_ERROR',
      errcode: error.resultCode,
    });
  }
}

/** Implements the parts of a {@link StatementSync} that the store uses. */
class Statement {
  readonly #db: Connection;
  readonly #sql: string;
  readonly #statement: ReturnType<Database['prepare']>;
  #asArrays = false;

  constructor(db: Connection, sql: string) {
    this.#db = db;
    this.#sql = sql;
    this.#statement = db.attempt((raw) => raw.prepare(sql));
  }

  run(...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    if (this.#sql === 'COMMIT') this.#db.beforeCommit();
    this.#rows(values);
    return { changes: Number(this.#db.attempt((raw) => raw.changes())), lastInsertRowid: 0 };
  }

  setReturnArrays(asArrays: boolean): void {
    this.#asArrays = asArrays;
  }

  get(...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.#rows(values, 1)[0];
  }

  all(...values: SQLInputValue[]): (Record<string, SQLOutputValue> | SQLOutputValue[])[] {
    const rows = this.#rows(values);
    return this.#asArrays ? rows.map((row) => Object.values(row)) : rows;
  }

  iterate(...values: SQLInputValue[]): Iterable<Record<string, SQLOutputValue>> {
    return this.#rows(values);
  }

  columns(): { name: string }[] {
    const { columnCount } = this.#statement;
    return Array.from({ length: columnCount }, (_, index) => ({
      name: this.#statement.getColumnName(index) ?? '',
    }));
  }

  finalize(): void {
    this.#statement.finalize();
  }

  #rows(values: SQLInputValue[], limit = Number.POSITIVE_INFINITY): Record<string, SQLOutputValue>[] {
    return this.#db.attempt(() => {
      const rows: Record<string, SQLOutputValue>[] = [];
      try {
        // Safe: SQLInputValue also allows views of bytes that the store never passes.
        if (values.length > 0) this.#statement.bind(values as (string | number | null | Uint8Array)[]);
        while (rows.length < limit && this.#statement.step())
          rows.push(
            Object.fromEntries(
              Object.entries(this.#statement.get({})).map(([name, value]) => {
                if (!isOutput(value)) throw new Error(`an unexpected value in ${name}`);
                return [name, value];
              }),
            ),
          );
        return rows;
      } finally {
        this.#statement.reset(true);
      }
    });
  }
}

class Connection {
  readonly #raw: Database;
  readonly #statements: Statement[] = [];
  /** Called before each commit of the store, in its transaction. */
  beforeCommit: () => void = () => {};

  constructor(raw: Database) {
    this.#raw = raw;
  }

  get isOpen(): boolean {
    return this.#raw.isOpen();
  }

  get isTransaction(): boolean {
    return capi.sqlite3_get_autocommit(this.#raw) === 0;
  }

  prepare(sql: string): Statement {
    const statement = new Statement(this, sql);
    this.#statements.push(statement);
    return statement;
  }

  exec(sql: string): void {
    this.attempt((raw) => raw.exec(sql));
  }

  close(): void {
    // SQLite keeps a database open as long as it has statements.
    for (const statement of this.#statements) statement.finalize();
    this.#raw.close();
  }

  attempt<Result>(work: (raw: Database) => Result): Result {
    if (!this.isOpen) throw new Error('database is not open');
    return withCodes(() => work(this.#raw));
  }
}

export interface RecordedOptions {
  disk: Disk;
  /** Seed for everything that SQLite chooses at random; differs for each open database. */
  seed: string;
  /** Path for messages, and for the check of free space. The store's file is on the disk in memory, not there. */
  path: string;
  beforeCommit?: (db: DatabaseSync) => void;
}

const logName = 'topup.db-wal';

/** Creates the log of the store on a disk, which is written to the database from `limit` bytes on. */
export const recordedLog = (disk: Disk, limit: number): Log => ({
  size() {
    const file = disk.find(logName);
    return file === null ? 0 : disk.size(file);
  },
  limit,
});

function logOn(disk: Disk): LogFile | null {
  const file = disk.find(logName);
  return file === null
    ? null
    : {
        size: disk.size(file),
        read: (at, length) => disk.read(file, at, length),
        write(at, bytes) {
          disk.write(file, at, bytes);
          return bytes.length;
        },
        sync: () => disk.sync(file),
        [Symbol.dispose]: () => {},
      };
}

/**
 * Opens a store's database on a disk in memory, as `openDatabase` does for a server. The page and cache sizes are those of Node's SQLite;
 * everything else comes from the product.
 */
export function openRecorded({ disk, seed, path, beforeCommit }: RecordedOptions): DatabaseSync {
  const connection = new Connection(withCodes(() => openOn(disk, seed)));
  // Safe: Connection and Statement have everything that the store uses of node:sqlite; any other use would fail immediately.
  const db = connection as unknown as DatabaseSync;
  try {
    db.exec(`PRAGMA page_size = 4096; PRAGMA cache_size = -2000; PRAGMA foreign_keys = ON`);
    setUp(db, path, { syncFolder: () => disk.syncFolder(), openOldLog: () => logOn(disk) });
    connection.beforeCommit = () => beforeCommit?.(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
