import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { prepareCallbackRows } from './callback-rows.ts';
import { prepareCatalogRows } from './catalog-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import { createGroupCommit, prepareTransaction } from './group-commit.ts';
import { prepareIdempotencyRows } from './idempotency-rows.ts';
import { prepareKeyRows } from './key-rows.ts';
import { openDatabase } from './open-database.ts';
import {
  abandonOrder,
  changeOrder,
  clearOrders,
  finaliseOrder,
  placeOrder,
  reserveOrder,
} from './order-commands.ts';
import { prepareOrderList, prepareOrderQueries } from './order-queries.ts';
import { prepareHistoryRows, prepareOrderRows } from './order-rows.ts';
import { prepareProblemRows } from './problem-rows.ts';
import { preparePromoClaimRows, preparePromoRows } from './promo-rows.ts';
import { prepareReconciliationRows } from './reconciliation-rows.ts';
import {
  prepareDisplayRows,
  prepareModeRows,
  prepareRevisionRows,
  prepareSupplierBalanceRows,
  prepareWorldRows,
} from './state-rows.ts';
import { concernsOneCommand, StoreFileError } from './store-file-error.ts';
import { prepareDueRows, prepareUnitRows } from './unit-rows.ts';

export interface SqliteStoreOptions {
  /** The database file. The file and its folder are created when missing. */
  path: string;
  /** Called once, after a failed write left the state of the file unknown. From then on the store rejects every write. */
  onFailure?: (error: StoreFileError) => void;
}

function prepareRows(db: DatabaseSync) {
  const revision = prepareRevisionRows(db);
  return {
    mode: prepareModeRows(db),
    display: prepareDisplayRows(db),
    revision,
    catalog: prepareCatalogRows(db, preparePromoRows(db), revision),
    claims: preparePromoClaimRows(db),
    keys: prepareKeyRows(db, revision),
    orders: prepareOrderRows(db),
    orderQueries: prepareOrderQueries(db),
    orderList: prepareOrderList(db),
    units: prepareUnitRows(db),
    history: prepareHistoryRows(db),
    due: prepareDueRows(db),
    idempotency: prepareIdempotencyRows(db),
    reconciliations: prepareReconciliationRows(db),
    callbacks: prepareCallbackRows(db),
    world: prepareWorldRows(db),
    problems: prepareProblemRows(db),
    supplierBalance: prepareSupplierBalanceRows(db),
  };
}

function writesStopped(path: string, error: unknown): StoreFileError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreFileError(
    'writes_stopped',
    `${path} accepts no more writes, because a write failed (${reason}). Fix the cause, then restart the server.`,
    { cause: error },
  );
}

function groupCommits(db: DatabaseSync, { path, onFailure }: SqliteStoreOptions): GroupCommit {
  return createGroupCommit({
    transaction: prepareTransaction(db, path),
    keeps: (result) => !('conflict' in result),
    isBusy: (error) => error instanceof StoreFileError && error.problem === 'busy',
    concernsOneCommand,
    onFailure(error) {
      const failure = writesStopped(path, error);
      // Called later, so that the commands are rejected first even if the callback throws.
      if (onFailure) setImmediate(onFailure, failure);
      return failure;
    },
  });
}

/** Creates a store over a database that {@link openDatabase} opened. Closing the store closes the database. */
export function storeOver(db: DatabaseSync, options: SqliteStoreOptions): Store {
  const rows = prepareRows(db);
  const commits = groupCommits(db, options);
  const closed = new StoreFileError('closed', `${options.path} was closed.`);

  async function read<Result>(query: () => Result): Promise<Result> {
    if (!db.isOpen) throw closed;
    return query();
  }

  /** Runs a command that can't conflict and returns a number. */
  async function write(command: () => number): Promise<number> {
    const { number } = await commits.run(() => ({ number: command() }));
    return number;
  }

  return {
    readMode: () => read(rows.mode.read),
    claimMode: (mode) => commits.run(() => rows.mode.claim(mode)),

    readDisplay: () => read(rows.display.read),
    saveDisplay: (display) => commits.run(() => rows.display.save(display)),

    revision: () => read(rows.revision.read),

    readCatalog: () => read(rows.catalog.read),
    replaceCatalog: (catalog) => commits.run(() => rows.catalog.replace(catalog)),
    readOperatorPromos: () => read(rows.catalog.readOperatorPromos),
    putPromo: (promo) => commits.run(() => rows.catalog.putPromo(promo)),
    countPromoUses: (code, customer) => read(() => rows.claims.countUses(code, customer)),

    createKey: (key) => commits.run(() => rows.keys.create(key)),
    findKey: (hash) => read(() => rows.keys.find(hash)),
    listKeys: () => read(rows.keys.list),
    revokeKey: (keyId, revokedAt) => commits.run(() => rows.keys.revoke(keyId, revokedAt)),

    placeOrder: (command) => commits.run(() => placeOrder(rows, command)),
    reserveOrder: (command) => commits.run(() => reserveOrder(rows, command)),
    finaliseOrder: (command) => commits.run(() => finaliseOrder(rows, command)),
    abandonOrder: (orderId) => commits.run(() => abandonOrder(rows, orderId)),
    findReservedOrders: (limit) => read(() => rows.orderQueries.findReserved(limit)),

    findIdempotentResponse: (accountId, key, now) => read(() => rows.idempotency.find(accountId, key, now)),
    purgeIdempotentResponses: (now, limit) => write(() => rows.idempotency.purge(now, limit)),

    findOrder: (orderId) => read(() => rows.orderQueries.find(orderId)),
    findOrderByReference: (reference) => read(() => rows.orderQueries.findByReference(reference)),
    findOrdersOfTarget: (targetId, since) => read(() => rows.orderQueries.findOfTarget(targetId, since)),
    listOrders: (filter) => read(() => rows.orderList.list(filter)),
    findUnits: (orderId) => read(() => rows.units.find(orderId)),
    findHistory: (orderId) => read(() => rows.history.find(orderId)),
    changeOrder: (command) => commits.run(() => changeOrder(rows, command)),

    findOverdueOrders: (now, limit) => read(() => rows.orderQueries.findOverdue(now, limit)),
    findPaymentsByExpiry: (status, after, limit) =>
      read(() => rows.orderQueries.findPaymentsByExpiry(status, after, limit)),
    findDueUnits: (now, limit) => read(() => rows.units.findDue(now, limit)),
    findUnitsBySupplierId: (supplierId) => read(() => rows.units.findBySupplierId(supplierId)),
    nextDueAt: () => read(rows.due.next),
    findProblemOrders: (problem, limit) => read(() => rows.problems.find(problem, limit)),

    readSupplierBalance: () => read(rows.supplierBalance.read),
    saveSupplierBalance: (balance) => commits.run(() => rows.supplierBalance.save(balance)),

    addReconciliation: (reconciliation) => commits.run(() => rows.reconciliations.add(reconciliation)),
    listReconciliations: (state) => read(() => rows.reconciliations.list(state)),
    returnReconciliation: (reconciliationId, note) =>
      commits.run(() => rows.reconciliations.markReturned(reconciliationId, note)),

    addCallback: (callback) => commits.run(() => rows.callbacks.add(callback)),
    findCallback: (callbackId) => read(() => rows.callbacks.find(callbackId)),
    listCallbacks: (filter) => read(() => rows.callbacks.list(filter)),
    requestReplay: (callbackId) => commits.run(() => rows.callbacks.requestReplay(callbackId)),
    findReplays: (limit) => read(() => rows.callbacks.findReplays(limit)),
    finishReplay: (result) => commits.run(() => rows.callbacks.finishReplay(result)),

    readWorldOffset: () => read(rows.world.read),
    moveWorld: (by) => write(() => rows.world.move(by)),
    clearOrders: () => commits.run(() => clearOrders(rows)),

    async close() {
      commits.stop(closed);
      if (db.isOpen) db.close();
    },
  };
}

/**
 * Creates a store in one SQLite file. Several processes may have the file open at once. The promise of a command
 * resolves when its changes are on the disk.
 *
 * @example
 * const store = createSqliteStore({ path: './data/topup.db' });
 * @throws StoreFileError when the file can't be used; its message can be shown to the operator.
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  return storeOver(openDatabase(options.path), options);
}
