import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoreMode } from '@topup-kit/core/store';
import { syncFolder } from '../../files/folders.ts';
import { readMode } from '../../sql/state.ts';
import { keptName } from '../keep-file.ts';
import { isEmpty, migrate, migrations, readFileState, rejectUnknownFile } from '../migrate.ts';
import { busyTimeout, setModes } from '../open-database.ts';
import { openLog } from '../rewrite-log.ts';
import { prepareCommands, readNumber } from '../run-command.ts';
import { rejectReplacedFile } from '../served-file.ts';
import { realPath, rejectLostFile, sizeOf } from '../store-file.ts';
import { explainError, isSafelyUndone, StoreFileError } from '../store-file-error.ts';
import { createBackup, rejectFullDisk } from './back-up-store.ts';
import type { CopyOptions } from './copy-database.ts';
import { readAtRest, removeDatabase } from './read-database.ts';

/** Steps of an upgrade of a store. */
export interface StoreUpgrade {
  /** Old and new format of the store. */
  from: number;
  to: number;
  /** Path of the copy that is made first; null for a database, which is not copied. */
  copy: string | null;
}

export interface UpgradeOptions extends CopyOptions {
  /** Called with the store's mode before anything is written; an error ends the upgrade. */
  checkMode?: (mode: StoreMode) => void;
  /** Called before the copy is made. */
  onStart?: (upgrade: StoreUpgrade) => void;
}

/** Reads a file's format and its servers' mode; null for a file without a store. */
function readFormat(path: string): { version: number; mode: StoreMode | null } | null {
  if (sizeOf(path) === 0) return null;
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
    const state = readFileState(db);
    rejectUnknownFile(state, path);
    return isEmpty(state) ? null : { version: state.version, mode: prepareCommands(db)(readMode()) };
  } catch (error) {
    throw explainError(error, path);
  }
}

/** Returns the path of the copy until the upgrade is complete. */
const partOf = (path: string): string => `${path}.upgrading`;

/** Renames the copy to a name that contains its format. */
function keepCopy(path: string, copy: string): void {
  renameSync(partOf(path), copy);
  syncFolder(dirname(path));
}

/** Finishes a killed upgrade: keeps the copy if the store was upgraded, and deletes it if the store is unchanged. */
async function endKilledUpgrade(path: string, version: number): Promise<void> {
  const part = partOf(path);
  if (!existsSync(part)) return;
  const copied = await readAtRest(part, (db) => readNumber(db, 'PRAGMA user_version')).catch(() => version);
  if (copied < version) keepCopy(path, keptName(path, `format-${copied}`));
  removeDatabase(part);
}

/** Tells whether a file has a store of the newest format, without leftovers of an upgrade. A server may have the file open. */
export function isUpgraded(given: string): boolean {
  const path = realPath(given);
  rejectLostFile(path);
  return readFormat(path)?.version === migrations.length && !existsSync(partOf(path));
}

/** Required room, as a multiple of the store's size: for the copy, and for the upgraded data in the log and then in the file. */
const neededParts = 3;

/** Rejects rows that refer to missing rows, because nothing checks this during a migration. */
function rejectOrphans(db: DatabaseSync, path: string): void {
  const orphans = db.prepare('PRAGMA foreign_key_check').all().length;
  if (orphans > 0)
    throw new StoreFileError(
      'damaged',
      `${path} was not upgraded: ${orphans} rows refer to rows that don't exist. Restore a backup.`,
    );
}

/** Upgrades in one transaction, in which no other process can write. The copy has the state at the start of the transaction. */
async function upgrade(db: DatabaseSync, path: string, options: CopyOptions): Promise<void> {
  const part = partOf(path);
  db.exec('BEGIN IMMEDIATE');
  try {
    await createBackup(path, part, 'it was not upgraded', options);
    migrate(db);
    rejectOrphans(db, path);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    removeDatabase(part);
    throw error;
  }
  try {
    db.exec('COMMIT');
  } catch (error) {
    // Keeps the copy if the store's format is uncertain, so that the next upgrade can check it.
    if (isSafelyUndone(error)) removeDatabase(part);
    throw error;
  }
}

/**
 * Brings a store file that no server has open to the newest format, with a verified copy next to it. After an interruption, the store is
 * either the complete old store or the complete new store. Resolves with null if there is nothing to do: the store already has that format,
 * or the file has no store.
 *
 * @throws StoreFileError if the disk is too full, or the store is damaged or of a newer version. The store is then unchanged.
 */
export async function upgradeFile(
  given: string,
  { checkMode, onStart, ...options }: UpgradeOptions = {},
): Promise<StoreUpgrade | null> {
  const path = realPath(given);
  rejectLostFile(path);
  rejectReplacedFile(path);
  const format = readFormat(path);
  if (format === null) return null;
  const { version, mode } = format;
  await endKilledUpgrade(path, version);
  if (version === migrations.length) return null;
  if (mode !== null) checkMode?.(mode);
  rejectFullDisk(path, { parts: neededParts, what: 'An upgrade' });
  const copy = keptName(path, `format-${version}`);
  const planned = { from: version, to: migrations.length, copy };
  onStart?.(planned);
  try {
    using db = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: false });
    setModes(db, path, () => openLog(path));
    await upgrade(db, path, options);
  } catch (error) {
    throw explainError(error, path);
  }
  keepCopy(path, copy);
  return planned;
}
