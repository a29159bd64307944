import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { isConflict, methodsOf, type RunCommand } from '../sql/command.ts';
import { announcedWrites, reads, writes } from '../sql/commands.ts';
import { prepareCallbackRows } from './callback-rows.ts';
import { prepareCatalogRows } from './catalog-rows.ts';
import { type Log, logLimit, prepareCheckpoints } from './checkpoints.ts';
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
import { prepareOrderList } from './order-list.ts';
import { prepareOrderQueries } from './order-queries.ts';
import { prepareHistoryRows, prepareOrderRows } from './order-rows.ts';
import { prepareProblemRows } from './problem-rows.ts';
import { preparePromoClaimRows, preparePromoRows } from './promo-rows.ts';
import { prepareReconciliationRows } from './reconciliation-rows.ts';
import { prepareRefundRows } from './refund-rows.ts';
import { prepareCommands } from './run-command.ts';
import { prepareRevisionRows, prepareWorldRows } from './state-rows.ts';
import { logOf, sizeOf } from './store-file.ts';
import {
  concernsOneCommand,
  explainError,
  StoreFileError,
  sqliteCode,
  sqliteCodes,
} from './store-file-error.ts';
import { prepareDueRows, prepareOpenWorkRows, prepareUnitRows } from './unit-rows.ts';
import { type CheckedWriteGate, createWriteGate } from './write-gate.ts';

export interface SqliteStoreOptions {
  /** The database file. The file and its folder are created when missing. */
  path: string;
  /**
   * Called when the store stops accepting writes, with the reason, and with null when it accepts them again. With it, the
   * store checks its file twice a second; without it, only before each write.
   */
  onChange?: (failure: StoreFileError | null) => void;
  /** Whether this is the store's server: it first makes sure that what the one before left is on the disk. */
  takeOver?: boolean;
  /** Called after each commit with the number of its commands. */
  onCommit?: (commands: number) => void;
}

function prepareRows(db: DatabaseSync) {
  const revision = prepareRevisionRows(db);
  return {
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
    openWork: prepareOpenWorkRows(db),
    idempotency: prepareIdempotencyRows(db),
    reconciliations: prepareReconciliationRows(db),
    refunds: prepareRefundRows(db),
    callbacks: prepareCallbackRows(db),
    world: prepareWorldRows(db),
    problems: prepareProblemRows(db),
  };
}

/** How often the file of a watched store is checked, in milliseconds. */
const checkIntervalMs = 500;

/** Checks whether writes are possible, and the log, until the returned function is called. Doesn't keep the process running. */
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

/** Creates a store over a database that {@link openDatabase} opened. Closing the store closes the database. */
export function storeOver(
  db: DatabaseSync,
  { path, onChange, onCommit }: SqliteStoreOptions,
  log = logFile(path),
): Store {
  const rows = prepareRows(db);
  const transaction = prepareTransaction(db, path);
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
    isBusy: (error) => error instanceof StoreFileError && error.problem === 'busy',
    concernsOneCommand,
    onCommit(commands) {
      // Later, so that the responses don't wait for it.
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

  const run = prepareCommands(db);
  const write: RunCommand = (begin) => commits.run(() => run(begin()));

  return {
    ...methodsOf(reads, (begin) => read(() => run(begin()))),
    ...methodsOf(writes, write),
    ...methodsOf(announcedWrites, async (begin) => {
      const result = await write(begin);
      rows.revision.forget();
      return result;
    }),

    revision: () => read(rows.revision.read),

    readCatalog: () => read(rows.catalog.read),
    replaceCatalog: (catalog) => commits.run(() => rows.catalog.replace(catalog)),
    seedCatalog: (catalog) =>
      commits.run(() =>
        rows.catalog.read() ? { conflict: 'catalog_exists' } : rows.catalog.replace(catalog),
      ),
    readOperatorPromos: () => read(rows.catalog.readOperatorPromos),
    putPromo: (promo) => commits.run(() => rows.catalog.putPromo(promo)),
    countPromoUses: (code, customer) => read(() => rows.claims.countUses(code, customer)),

    createKey: (key) => commits.run(() => rows.keys.create(key)),
    findKey: (hash) => read(() => rows.keys.find(hash)),
    listKeys: () => read(rows.keys.list),
    revokeKey: (keyId, revokedAt) => commits.run(() => rows.keys.revoke(keyId, revokedAt)),
    rotateKey: (keyId, next, until) => commits.run(() => rows.keys.rotate(keyId, next, until)),
    recordKeyUses: (uses) => commits.run(() => rows.keys.recordUses(uses)),

    placeOrder: (command) => commits.run(() => placeOrder(rows, command)),
    reserveOrder: (command) => commits.run(() => reserveOrder(rows, command)),
    finaliseOrder: (command) => commits.run(() => finaliseOrder(rows, command)),
    abandonOrder: (orderId) => commits.run(() => abandonOrder(rows, orderId)),
    findTakenTotals: (...range) => read(() => rows.orderQueries.findTakenTotals(...range)),
    findReservedOrders: (limit) => read(() => rows.orderQueries.findReserved(limit)),

    findIdempotentResponse: (accountId, key, now) => read(() => rows.idempotency.find(accountId, key, now)),
    // Usually there is nothing to delete, and a transaction would wait for other processes.
    purgeIdempotentResponses: async (now, limit) =>
      (await read(() => rows.idempotency.hasExpired(now)))
        ? commits.run(() => rows.idempotency.purge(now, limit))
        : 0,

    findOrder: (orderId) => read(() => rows.orderQueries.find(orderId)),
    findProgress: (orderId) => read(() => rows.orderQueries.findProgress(orderId)),
    findOrderByReference: (reference) => read(() => rows.orderQueries.findByReference(reference)),
    findOrderByPage: (reference) => read(() => rows.orderQueries.findByPage(reference)),
    findOrdersOfTarget: (targetId, since) => read(() => rows.orderQueries.findOfTarget(targetId, since)),
    countOrders: () => read(rows.orderQueries.countByState),
    listOrders: (filter) => read(() => rows.orderList.list(filter)),
    findUnits: (orderId) => read(() => rows.units.find(orderId)),
    findHistory: (orderId) => read(() => rows.history.find(orderId)),
    changeOrder: (command) => commits.run(() => changeOrder(rows, command)),

    findOverdueOrders: (now, limit) => read(() => rows.orderQueries.findOverdue(now, limit)),
    findPaymentsByExpiry: (status, after, limit) =>
      read(() => rows.orderQueries.findPaymentsByExpiry(status, after, limit)),
    findDueUnits: (at, limit) => read(() => rows.units.findDue(at, limit)),
    findUnitsBySupplierId: (supplierId) => read(() => rows.units.findBySupplierId(supplierId)),
    nextDueAt: () => read(rows.due.next),
    // A file has one server, as its lock makes sure.
    claimWork: async (names) => [...names],
    noteServer: async () => 1,
    countOpenWork: () => read(rows.openWork.count),
    findProblemOrders: (problem, limit) => read(() => rows.problems.find(problem, limit)),

    addReconciliation: (reconciliation) => commits.run(() => rows.reconciliations.add(reconciliation)),
    listReconciliations: (state) => read(() => rows.reconciliations.list(state)),
    returnReconciliation: (reconciliationId, note, closed) =>
      commits.run(() => rows.reconciliations.markReturned(reconciliationId, note, closed)),

    findRefunds: (orderId) => read(() => rows.refunds.findOfOrder(orderId)),
    listRefunds: (state) => read(() => rows.refunds.list(state)),
    closeRefund: (close) => commits.run(() => rows.refunds.close(close)),

    addCallback: (callback) => commits.run(() => rows.callbacks.add(callback)),
    listUnproven: () => read(rows.callbacks.listUnproven),
    findProvenSenders: (addresses) => read(() => rows.callbacks.findProvenSenders(addresses)),
    keepUnproven: (change) => commits.run(() => rows.callbacks.keepUnproven(change)),
    findCallback: (callbackId) => read(() => rows.callbacks.find(callbackId)),
    listCallbacks: (filter) => read(() => rows.callbacks.list(filter)),
    requestReplay: (callbackId) => commits.run(() => rows.callbacks.requestReplay(callbackId)),
    findReplays: (limit) => read(() => rows.callbacks.findReplays(limit)),
    finishReplay: (result) => commits.run(() => rows.callbacks.finishReplay(result)),

    clearOrders: () => commits.run(() => clearOrders(rows)),

    async close() {
      stopWatching();
      await commits.stop(closed);
      // A command's process ends before its log is checked, and is not the last to close a store that a server has open.
      checkLog();
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
  const { path } = options;
  const db = openDatabase(path, options);
  try {
    return storeOver(db, options);
  } catch (error) {
    db.close();
    throw explainError(error, path);
  }
}
