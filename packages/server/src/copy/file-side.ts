import { renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../files/folders.ts';
import type { RunCommand } from '../sql/statement.ts';
import { rejectMissing, removeDatabase } from '../sqlite/backup/read-database.ts';
import { inTransaction } from '../sqlite/migrate.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { prepareCommands } from '../sqlite/run-command.ts';
import { lockAgainstServers, type ServerLock } from '../sqlite/server-lock.ts';
import { attempt, prepareFolder, realPath, sizeOf, statFile } from '../sqlite/store-file.ts';
import { explainError, StoreFileError } from '../sqlite/store-file-error.ts';
import { readCopySource } from './rows.ts';
import { CopyError, type CopySource, type CopyTarget } from './side.ts';

/** Locks servers out of the file until the copy ends. */
function lock(path: string, resources: AsyncDisposableStack): ServerLock {
  try {
    return resources.adopt(
      lockAgainstServers(path, { pid: process.pid, address: 'copying a store' }),
      (held) => held.release(),
    );
  } catch (error) {
    if (error instanceof StoreFileError && error.problem === 'served_already')
      throw new CopyError('served', error.message, { cause: error });
    throw error;
  }
}

/** Runs each command on a database in its own transaction. */
function commandsOf(db: DatabaseSync, path: string): RunCommand {
  const run = prepareCommands(db);
  return async (begin) => {
    try {
      return inTransaction(db, 'BEGIN IMMEDIATE', () => run(begin()));
    } catch (error) {
      throw explainError(error, path);
    }
  };
}

export async function openFileSource(path: string, resources: AsyncDisposableStack): Promise<CopySource> {
  rejectMissing(path);
  lock(path, resources);
  const read = commandsOf(resources.use(openDatabase(path)), path);
  // The lock already ensures that no server runs on the file.
  return { name: path, read, rejectServed: async () => {} };
}

/** Opens an unfinished copy. A copy of an older format can't be continued. */
function openUnfinished(copy: string): DatabaseSync {
  try {
    return openDatabase(copy);
  } catch (error) {
    if (!(error instanceof StoreFileError) || error.problem !== 'needs_upgrade') throw error;
    throw new CopyError('other_copy', `${copy} is an unfinished copy by an older version.`, {
      cause: error,
    });
  }
}

/** Opens a file as the target. The copy is written to a file next to it, and gets the target's name when it is complete. */
export async function openFileTarget(
  path: string,
  restart: boolean,
  resources: AsyncDisposableStack,
): Promise<CopyTarget> {
  prepareFolder(path);
  const place = realPath(path);
  const reject = (): void => {
    if (statFile(place) || sizeOf(`${place}-wal`) > 0)
      throw new CopyError('not_empty', `${place} exists already.`);
  };
  reject();
  const held = lock(place, resources);
  const copy = `${place}.copying`;
  if (restart) removeDatabase(copy);
  let db = resources.use(openUnfinished(copy));
  const begun = prepareCommands(db)(readCopySource());
  if (begun === null) {
    // Either the copy never started, or it was completed but not renamed. Nothing distinguishes the two cases.
    db.close();
    removeDatabase(copy);
    db = resources.use(openDatabase(copy));
  }
  const write = commandsOf(db, copy);
  return {
    name: copy,
    begun,
    read: write,
    write,
    *hide() {},
    async finish() {
      db.exec('DROP TABLE copy_source');
      // Merges the log, so that the copy is a single file.
      db.exec('PRAGMA journal_mode = DELETE');
      db.close();
      await using written = await open(copy, 'r+');
      await written.sync();
      reject();
      attempt(`${place} can't be written`, () => renameSync(copy, place));
      syncFolder(dirname(place));
      held.releaseReplaced();
    },
    async discard() {
      db.close();
      removeDatabase(copy);
    },
  };
}
