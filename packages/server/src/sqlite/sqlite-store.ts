import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { announcedWrites, reads, writes } from '../features/commands.ts';
import { dropResponses, hasDueResponses } from '../sql/idempotency.ts';
import { readRevision } from '../sql/state.ts';
import { isConflict, methodsOf, type RunCommand } from '../sql/statement.ts';
import { type Log, logLimit, prepareCheckpoints } from './checkpoints.ts';
import { createGroupCommit, prepareTransaction } from './group-commit.ts';
import { openDatabase } from './open-database.ts';
import { prepareCommands } from './run-command.ts';
import { logOf, sizeOf } from './store-file.ts';
import {
  concernsOneCommand,
  explainError,
  isBusy,
  StoreFileError,
  sqliteCode,
  sqliteCodes,
} from './store-file-error.ts';
import { type CheckedWriteGate, createWriteGate } from './write-gate.ts';

/** Maximum delay before another process's change becomes visible, in milliseconds of real time. */
const maxStaleMs = 250;

/** Caches the revision for a short time, because it is read on every request. */
function createRevision(query: () => number) {
  let value = 0;
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    read(): number {
      const now = performance.now();
      if (now - readAt < maxStaleMs) return value;
      value = query();
      readAt = now;
      return value;
    },
    /** Makes the next request read the revision, because this process has changed something. */
    forget(): void {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

export interface SqliteStoreOptions {
  /** The database file. A missing file or folder is created. */
  path: string;
  /**
   * Called with the reason when the store stops accepting writes, and with null when it accepts them again. With this callback, the store
   * checks its file twice a second; without it, only before each write.
   */
  onChange?: (failure: StoreFileError | null) => void;
  /** True if this is the store's server, which first makes sure that the previous server's data is on the disk. */
  takeOver?: boolean;
  /** Called after each commit with the number of its commands. */
  onCommit?: (commands: number) => void;
}

/** Interval for checking the file of a watched store, in milliseconds. */
const checkIntervalMs = 500;

/** Checks regularly whether writes are possible, and the log, until the returned function is called. Doesn't keep the process running. */
function watch(gate: CheckedWriteGate, checkLog: () => void): () => void {
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    await gate.check();
    checkLog();
    isChecking = false;
  }, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function logFile(path: string): Log {
  const file = logOf(path);
  return { size: () => sizeOf(file), limit: logLimit };
}

/** Creates a store on a database from {@link openDatabase}. Closing the store closes the database. */
export function storeOver(
  db: DatabaseSync,
  { path, onChange, onCommit }: SqliteStoreOptions,
  log = logFile(path),
): Store {
  const run = prepareCommands(db);
  const revision = createRevision(() => run(readRevision()));
  const transaction = prepareTransaction(db);
  const gate = createWriteGate({
    path,
    transaction,
    isOpen: () => db.isOpen,
    onChange: onChange ?? (() => {}),
  });
  const checkLog = prepareCheckpoints(db, gate, log);
  const commits = createGroupCommit({
    transaction,
    gate,
    keeps: (result) => !isConflict(result),
    isBusy,
    concernsOneCommand,
    onCommit(commands) {
      // Runs later, so that responses don't wait for it.
      setImmediate(checkLog);
      onCommit?.(commands);
    },
  });
  const stopWatching = onChange ? watch(gate, checkLog) : () => {};
  const closed = new StoreFileError('closed', `${path} was closed.`);

  async function read<Result>(query: () => Result): Promise<Result> {
    if (!db.isOpen) throw closed;
    try {
      return query();
    } catch (error) {
      throw sqliteCode(error) === sqliteCodes.corrupt ? gate.damaged(error) : explainError(error, path);
    }
  }

  const write: RunCommand = (begin) => commits.run(() => run(begin()));

  return {
    ...methodsOf(reads, (begin) => read(() => run(begin()))),
    ...methodsOf(writes, write),
    ...methodsOf(announcedWrites, async (begin) => {
      const result = await write(begin);
      revision.forget();
      return result;
    }),

    revision: () => read(revision.read),
    // Usually there is nothing to delete, and a transaction would wait for other processes.
    dropIdempotentResponses: async (now, limit) =>
      (await read(() => run(hasDueResponses(now)))) ? write(() => dropResponses(now, limit)) : 0,

    // Grants all claims, because a file has only one server (see its lock).
    claimWork: async (names) => [...names],
    noteServer: async () => 1,

    async close() {
      stopWatching();
      await commits.stop(closed);
      // Checked here, because a command's process ends before the next check, and closing the store doesn't empty the log while a server
      // has it open.
      checkLog();
      if (db.isOpen) db.close();
    },
  };
}

/**
 * Creates a store in one SQLite file, which several processes may have open. A command's promise resolves when its changes are on the disk.
 *
 * @example
 * const store = createSqliteStore({ path: './data/topup.db' });
 * @throws StoreFileError if the file can't be used; its message is suitable for the operator.
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const { path } = options;
  const db = openDatabase(path, options);
  try {
    return storeOver(db, options);
  } catch (error) {
    db.close();
    throw explainError(error, path);
  }
}
