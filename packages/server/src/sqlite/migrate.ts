import type { DatabaseSync } from 'node:sqlite';
import { firstTables } from './migrations/001-first-tables.ts';
import { promoOrigin } from './migrations/002-promo-origin.ts';
import { display } from './migrations/003-display.ts';
import { unknownUnits } from './migrations/004-unknown-units.ts';
import { callbacks } from './migrations/005-callbacks.ts';
import { orderCounts } from './migrations/006-order-counts.ts';
import { keyLifetime } from './migrations/007-key-lifetime.ts';
import { orderLists } from './migrations/008-order-lists.ts';
import { supplierLists } from './migrations/009-supplier-lists.ts';
import { identity } from './migrations/010-identity.ts';
import { customersAndFunds } from './migrations/011-customers-and-funds.ts';
import { outsiders } from './migrations/012-outsiders.ts';
import { refunds } from './migrations/013-refunds.ts';
import { changes } from './migrations/014-changes.ts';
import { failureKinds } from './migrations/015-failure-kinds.ts';
import { shopsDay } from './migrations/016-shops-day.ts';
import { webhooks } from './migrations/017-webhooks.ts';
import { consoleTables } from './migrations/018-console.ts';
import { returnedFees } from './migrations/019-returned-fees.ts';
import { usedKeys } from './migrations/020-used-keys.ts';
import { erasures } from './migrations/021-erasures.ts';
import { activity } from './migrations/022-activity.ts';
import { lastEditedFormat, repairEditedFormat } from './repair.ts';
import { readNumber } from './run-command.ts';
import { StoreFileError } from './store-file-error.ts';

/** Marks a database file as a store of this kit: `topu` in ASCII. */
const applicationId = 0x746f_7075;

/** The n-th migration brings a file to version n. A released migration never changes: a test compares its hash. */
export const migrations: readonly string[] = [
  firstTables,
  promoOrigin,
  display,
  unknownUnits,
  callbacks,
  orderCounts,
  keyLifetime,
  orderLists,
  supplierLists,
  identity,
  customersAndFunds,
  outsiders,
  refunds,
  changes,
  failureKinds,
  shopsDay,
  webhooks,
  consoleTables,
  returnedFees,
  usedKeys,
  erasures,
  activity,
];

export interface FileState {
  /** The number of the last applied migration. */
  version: number;
  applicationId: number;
  /** The number of tables and indexes. */
  objects: number;
}

const readVersion = (db: DatabaseSync): number => readNumber(db, 'PRAGMA user_version');

export function inTransaction<Result>(db: DatabaseSync, begin: string, work: () => Result): Result {
  db.exec(begin);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

const stateOf = (db: DatabaseSync): FileState => ({
  version: readVersion(db),
  applicationId: readNumber(db, 'PRAGMA application_id'),
  objects: readNumber(db, 'SELECT count(*) FROM sqlite_schema'),
});

/** Reads the state in one transaction, because another process may be setting up the file. */
export const readFileState = (db: DatabaseSync): FileState => inTransaction(db, 'BEGIN', () => stateOf(db));

/** Tells whether a file has no tables yet. */
export const isEmpty = ({ version, objects }: FileState): boolean => version === 0 && objects === 0;

/** Rejects another program's database. */
export function rejectForeignFile(state: FileState, path: string): void {
  if (!isEmpty(state) && state.applicationId !== applicationId)
    throw new StoreFileError('not_a_store', `${path} is a database of another program.`);
}

/** Rejects a database of another program or a newer version, before any change. */
export function rejectUnknownFile(state: FileState, path: string): void {
  rejectForeignFile(state, path);
  if (state.version > migrations.length)
    throw new StoreFileError(
      'newer_version',
      `${path} was written by a newer version of the kit (format ${state.version}; this version supports up to ${migrations.length}).`,
    );
}

/** Rejects a store of an older format, which only a server and `topup db upgrade` may change. */
export function rejectOldFormat({ version }: FileState, path: string): void {
  if (version < migrations.length)
    throw new StoreFileError(
      'needs_upgrade',
      `${path} has format ${version} and needs an upgrade to format ${migrations.length}: topup db upgrade --store file:${path}`,
    );
}

/** Brings a file to the newest format, in a transaction of the caller, with foreign keys off. */
export function migrate(db: DatabaseSync): void {
  const version = readVersion(db);
  if (version > 0 && version <= lastEditedFormat) repairEditedFormat(db, migrations.slice(0, version));
  for (const sql of migrations.slice(version)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Creates the tables of an empty file. */
export function prepareTables(db: DatabaseSync, path: string): void {
  if (!isEmpty(readFileState(db))) return;
  inTransaction(db, 'BEGIN IMMEDIATE', () => {
    // Another process may have created the tables while this process waited for the lock.
    if (isEmpty(stateOf(db))) migrate(db);
  });
  // A process of a newer version may have created the tables.
  rejectUnknownFile(readFileState(db), path);
}
