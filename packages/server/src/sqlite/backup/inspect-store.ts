import type { DatabaseSync } from 'node:sqlite';
import { type Alert, findAlerts } from '@topup-kit/core/engine';
import type { OrdersInState } from '@topup-kit/core/store';
import { orderColumns, orderOf, ordersInStateOf } from '../../rows/records.ts';
import {
  inContractOrder,
  type KeySummary,
  type StoreInspection,
  type StoreReport,
  summariseKeys,
} from '../../store-report.ts';
import { prepareCallbackRows } from '../callback-rows.ts';
import { prepareKeyRows } from '../key-rows.ts';
import { migrations } from '../migrate.ts';
import { callbacks as callbackTables } from '../migrations/005-callbacks.ts';
import { keyLifetime } from '../migrations/007-key-lifetime.ts';
import { orderCounts } from '../order-queries.ts';
import { prepareProblemRows } from '../problem-rows.ts';
import { readNumber } from '../read-number.ts';
import { prepareReconciliationList } from '../reconciliation-rows.ts';
import { findServer, type ServerHolder } from '../server-lock.ts';
import {
  prepareProviderProblemRows,
  prepareRevisionRows,
  prepareSupplierBalanceRows,
  prepareWorldRows,
} from '../state-rows.ts';
import { logOf, sizeOf } from '../store-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import { prepareDueRows, prepareUnitRows } from '../unit-rows.ts';
import { type CheckDepth, databaseUrl, findDamage, queryInSubprocess } from './long-queries.ts';
import { readStore } from './read-database.ts';
import { countReserved, hasCounts, readFacts, type StoreFacts } from './store-facts.ts';

/** Counts orders by state. A store of an older format has no counts, so that every order is read. */
async function readStates(
  db: DatabaseSync,
  location: string,
  signal: AbortSignal | undefined,
): Promise<OrdersInState[]> {
  const rows = hasCounts(db)
    ? db.prepare(orderCounts).all()
    : await queryInSubprocess(
        location,
        `SELECT payment_status, buy_status, count(*) AS count FROM orders WHERE reserved = 0
         GROUP BY payment_status, buy_status`,
        signal,
      );
  return inContractOrder(rows.map(ordersInStateOf));
}

const countOverdue = (db: DatabaseSync, now: number): number =>
  readNumber(
    db,
    `SELECT (SELECT count(*) FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ?1)
      + (SELECT count(*) FROM units WHERE next_at <= ?1)`,
    now,
  );

/** The format that brought the expiry of keys. */
const expiryVersion = migrations.indexOf(keyLifetime) + 1;

function readKeys(db: DatabaseSync, realNow: number): KeySummary {
  if (readNumber(db, 'PRAGMA user_version') < expiryVersion)
    return {
      activeKeys: readNumber(db, 'SELECT count(*) FROM keys WHERE revoked_at IS NULL'),
      expiringKeys: [],
    };
  return summariseKeys(prepareKeyRows(db, prepareRevisionRows(db)).list(), realNow);
}

/** Reads a report from one snapshot. The cost doesn't grow with the number of orders. */
function readReport(db: DatabaseSync, now: number): StoreReport & StoreFacts {
  const worldOffset = prepareWorldRows(db).read();
  return {
    ...readFacts(db),
    reserved: countReserved(db),
    ...readKeys(db, now),
    products: readNumber(
      db,
      `SELECT coalesce(sum(json_array_length(game.value, '$.products')), 0)
       FROM catalog, json_each(catalog.document, '$.games') AS game`,
    ),
    promos: readNumber(db, 'SELECT count(*) FROM promos WHERE position IS NOT NULL'),
    openReconciliations: readNumber(db, `SELECT count(*) FROM reconciliations WHERE state = 'open'`),
    unknownUnits: readNumber(db, `SELECT count(*) FROM units WHERE state = 'unknown'`),
    worldOffset,
    nextDueAt: prepareDueRows(db).next(),
    overdue: countOverdue(db, now + worldOffset),
  };
}

/** The format that brought what alerts are about. */
const alertsVersion = migrations.indexOf(callbackTables) + 1;

/** Looks for alerts; an older store has no tables for them until a server migrates it. */
async function readAlerts(db: DatabaseSync, realNow: number): Promise<Alert[]> {
  if (readNumber(db, 'PRAGMA user_version') < alertsVersion) return [];
  const [problems, reconciliations] = [prepareProblemRows(db), prepareReconciliationList(db)];
  const [balance, callbacks] = [prepareSupplierBalanceRows(db), prepareCallbackRows(db)];
  const providerProblems = prepareProviderProblemRows(db);
  const units = prepareUnitRows(db);
  // Not by the queries of orders, which need tables of later formats.
  const order = db.prepare(`SELECT ${orderColumns} FROM orders WHERE order_id = ? AND reserved = 0`);
  const source = {
    findProblemOrders: async (...args: Parameters<typeof problems.find>) => problems.find(...args),
    listReconciliations: async (...args: Parameters<typeof reconciliations.list>) =>
      reconciliations.list(...args),
    readSupplierBalance: async () => balance.read(),
    readProviderProblems: async () => providerProblems.read(),
    listCallbacks: async (...args: Parameters<typeof callbacks.list>) => callbacks.list(...args),
    async findOrder(orderId: string) {
      const row = order.get(orderId);
      return row ? orderOf(row) : null;
    },
    findUnits: async (orderId: string) => units.find(orderId),
  };
  return findAlerts(source, { now: realNow + prepareWorldRows(db).read(), realNow });
}

export interface Inspection extends StoreInspection, StoreFacts {
  /** Size of the write-ahead log, whose changes are not in the file itself yet. */
  logBytes: number;
  /** The server that has the store open; null when there is none. */
  server: ServerHolder | null;
}

export interface InspectOptions {
  /** How thoroughly to check for damage, which reads the whole file. Default: not at all. */
  check?: CheckDepth | undefined;
  /** Stops the work; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Inspects a store without changing it, while a server may be writing to it. With `check` it takes seconds for a million orders
 * in the page cache, and longer from a slow disk; without, it says nothing about damage.
 *
 * @throws StoreFileError when the file is missing, not a store, found to be damaged, or of a newer version.
 * @example
 * const { orders, overdue, server } = await inspectStore('./data/topup.db');
 */
export const inspectStore = (path: string, { check, signal }: InspectOptions = {}): Promise<Inspection> =>
  readStore(path, async (db) => {
    const location = databaseUrl(path, { atRest: false });
    const [damage] = check ? await findDamage(location, check, signal) : [];
    if (damage !== undefined) throw new StoreFileError('damaged', `${path} is damaged: ${damage}.`);
    return {
      states: await readStates(db, location, signal),
      ...readReport(db, Date.now()),
      alerts: await readAlerts(db, Date.now()),
      newestFormat: migrations.length,
      bytes: sizeOf(path),
      logBytes: sizeOf(logOf(path)),
      server: findServer(path),
    };
  });
