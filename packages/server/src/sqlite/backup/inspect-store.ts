import type { DatabaseSync } from 'node:sqlite';
import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import { type Alert, findAlerts } from '@topup-kit/core/engine';
import type { OrdersInState } from '@topup-kit/core/store';
import { integer, oneOf } from '../../rows/columns.ts';
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
import { keyLifetime } from '../migrations/007-key-lifetime.ts';
import { prepareProblemRows } from '../problem-rows.ts';
import { readNumber } from '../read-number.ts';
import { prepareReconciliationRows } from '../reconciliation-rows.ts';
import { findServer, type ServerHolder } from '../server-lock.ts';
import {
  prepareProviderProblemRows,
  prepareRevisionRows,
  prepareSupplierBalanceRows,
  prepareWorldRows,
} from '../state-rows.ts';
import { sizeOf } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { prepareDueRows } from '../unit-rows.ts';
import { type CheckDepth, databaseUrl, findDamage, queryInSubprocess } from './long-queries.ts';
import { readStore } from './read-database.ts';
import { countReserved, readFacts, type StoreFacts } from './store-facts.ts';

/** Counts orders by state. It reads every order, because no index has their states. */
async function readStates(location: string, signal?: AbortSignal): Promise<OrdersInState[]> {
  const rows = await queryInSubprocess(
    location,
    `SELECT payment_status, buy_status, count(*) AS count FROM orders WHERE reserved = 0
     GROUP BY payment_status, buy_status`,
    signal,
  );
  const found = rows.map((row) => ({
    paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
    buyStatus: oneOf(buyStatuses, row, 'buy_status'),
    count: integer(row, 'count'),
  }));
  return inContractOrder(found);
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

/** Looks for alerts in a store of the newest format; an older one has no tables for them until a server migrates it. */
async function readAlerts(db: DatabaseSync, realNow: number): Promise<Alert[]> {
  if (readNumber(db, 'PRAGMA user_version') < migrations.length) return [];
  const [problems, reconciliations] = [prepareProblemRows(db), prepareReconciliationRows(db)];
  const [balance, callbacks] = [prepareSupplierBalanceRows(db), prepareCallbackRows(db)];
  const providerProblems = prepareProviderProblemRows(db);
  const source = {
    findProblemOrders: async (...args: Parameters<typeof problems.find>) => problems.find(...args),
    listReconciliations: async (...args: Parameters<typeof reconciliations.list>) =>
      reconciliations.list(...args),
    readSupplierBalance: async () => balance.read(),
    readProviderProblems: async () => providerProblems.read(),
    listCallbacks: async (...args: Parameters<typeof callbacks.list>) => callbacks.list(...args),
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
  /** How thoroughly to check for damage. Default: `quick`. */
  check?: CheckDepth | undefined;
  /** Stops the work; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

async function checkAndCount(
  path: string,
  { check = 'quick', signal }: InspectOptions,
): Promise<OrdersInState[]> {
  const location = databaseUrl(path, { atRest: false });
  try {
    const [damage] = await findDamage(location, check, signal);
    if (damage !== undefined) throw new StoreFileError('damaged', `${path} is damaged: ${damage}.`);
    return await readStates(location, signal);
  } catch (error) {
    throw explainError(error, path);
  }
}

/**
 * Inspects a store without changing it, while a server may be writing to it. It reads the whole file twice, which takes
 * two seconds for a million orders in the page cache, and longer from a slow disk.
 *
 * @throws StoreFileError when the file is missing, not a store, damaged, or of a newer version.
 * @example
 * const { orders, overdue, server } = await inspectStore('./data/topup.db');
 */
export const inspectStore = (path: string, options: InspectOptions = {}): Promise<Inspection> =>
  readStore(path, async (db) => ({
    states: await checkAndCount(path, options),
    ...readReport(db, Date.now()),
    alerts: await readAlerts(db, Date.now()),
    newestFormat: migrations.length,
    bytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    server: findServer(path),
  }));
