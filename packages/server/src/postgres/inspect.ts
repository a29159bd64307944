import { findAlerts } from '@topup-kit/core/engine';
import { integer, integerOrNull, type Row } from '../rows/columns.ts';
import { maxNames, type StoreName, type StoreNames } from '../rows/names.ts';
import { inContractOrder, type StoreInspection, summariseKeys } from '../store-report.ts';
import { createCallbacks } from './callbacks.ts';
import { type Connection, connect, displayName } from './connection.ts';
import { createKeys } from './keys.ts';
import { readServerAddresses } from './leases.ts';
import { newestFormat, rejectUnknownFormat } from './migrate.ts';
import { createOrderQueries } from './order-queries.ts';
import { codeOf, PostgresError } from './postgres-error.ts';
import { readCatalog } from './promos.ts';
import { createState } from './state.ts';

export interface DatabaseInspection extends StoreInspection {
  /** Where servers run on the database. Those of format 1 don't say so. */
  servers: string[];
}

/** The format that brought the notes of servers. */
const serversVersion = 2;

/** The version of the tables. Unlike a server, it neither creates nor changes them. */
async function readFormat({ read }: Pick<Connection, 'read'>, name: string): Promise<number> {
  const rows = await read((sql) => sql<Row[]>`SELECT version FROM topup_format`).catch((error: unknown) => {
    if (codeOf(error) === '42P01') return [];
    throw error;
  });
  const version = integerOrNull(rows[0] ?? { version: 0 }, 'version') ?? 0;
  rejectUnknownFormat(version, name);
  if (version === 0)
    throw new PostgresError('not_a_store', `${name} has no store yet: no server has used it.`);
  return version;
}

/** Runs work on a database without changing it. */
async function withDatabase<Result>(
  url: string,
  work: (connection: Connection, format: number) => Promise<Result>,
  connectTimeoutMs?: number,
): Promise<Result> {
  const connection = connect(url, { prepare: async () => {}, ...(connectTimeoutMs && { connectTimeoutMs }) });
  try {
    return await work(connection, await readFormat(connection, displayName(url)));
  } finally {
    await connection.close();
  }
}

/** @throws PostgresError when a database has no store yet. A store that is opened would be created there. */
export const rejectNoStore = (url: string): Promise<void> => withDatabase(url, async () => {});

const readServers = async (connection: Connection, format: number): Promise<string[]> =>
  format < serversVersion ? [] : readServerAddresses(connection);

/** Finds out where servers run on a database; those that were killed within the last ten seconds count, too. */
export const findServers = (url: string): Promise<string[]> => withDatabase(url, readServers);

/** Counts what no other query counts. */
const readCounts = ({ read }: Connection, now: number): Promise<Row> =>
  read(async (sql) => {
    const [row = {}] = await sql<Row[]>`
      SELECT (SELECT max(created_at) FROM orders) AS newest_order_at,
        (SELECT count(*) FROM orders WHERE reserved = 1) AS reserved,
        (SELECT count(*) FROM reconciliations WHERE state = 'open') AS open_reconciliations,
        (SELECT count(*) FROM units WHERE state = 'unknown') AS unknown_units,
        (SELECT count(*) FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ${now})
          + (SELECT count(*) FROM units WHERE next_at <= ${now}) AS overdue,
        (SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint FROM pg_class
          JOIN pg_namespace ON pg_namespace.oid = relnamespace
          WHERE nspname = current_schema() AND relkind = 'r') AS bytes`;
    return row;
  });

async function inspect(connection: Connection, format: number): Promise<DatabaseInspection> {
  const realNow = Date.now();
  const state = createState(connection);
  const orders = createOrderQueries(connection);
  const callbacks = createCallbacks(connection);
  const worldOffset = await state.readWorldOffset();
  const now = realNow + worldOffset;
  const [counts, keys, catalog, states] = await Promise.all([
    readCounts(connection, now),
    createKeys(connection).listKeys(),
    readCatalog(connection),
    orders.countOrders(),
  ]);
  const games = catalog?.games ?? [];
  return {
    formatVersion: format,
    newestFormat,
    mode: await state.readMode(),
    display: await state.readDisplay(),
    worldOffset,
    orders: states.reduce((sum, { count }) => sum + count, 0),
    states: inContractOrder(states),
    newestOrderAt: integerOrNull(counts, 'newest_order_at'),
    reserved: integer(counts, 'reserved'),
    keys: keys.length,
    ...summariseKeys(keys, realNow),
    games: games.length,
    products: games.reduce((sum, { products }) => sum + products.length, 0),
    promos: catalog?.promos.length ?? 0,
    openReconciliations: integer(counts, 'open_reconciliations'),
    unknownUnits: integer(counts, 'unknown_units'),
    nextDueAt: await orders.nextDueAt(),
    overdue: integer(counts, 'overdue'),
    alerts: await findAlerts({ ...state, ...orders, ...callbacks }, { now, realNow }),
    bytes: integer(counts, 'bytes'),
    servers: await readServers(connection, format),
  };
}

/**
 * Inspects a store in PostgreSQL without changing it, while servers run on it. The cost hardly grows with the number of orders.
 *
 * @throws PostgresError when the database can't be reached, has no store, or one of a newer version.
 * @example
 * const { orders, overdue, servers } = await inspectDatabase('postgres://topup:secret@127.0.0.1/topup');
 */
export const inspectDatabase = (url: string): Promise<DatabaseInspection> => withDatabase(url, inspect);

/** How long to wait for a connection, in milliseconds; the user is waiting at the keyboard. */
const namesTimeoutMs = 1_000;

async function readNames(connection: Connection): Promise<StoreNames> {
  const [orders, callbacks, keys, catalog] = await Promise.all([
    createOrderQueries(connection).listOrders({ limit: maxNames }),
    createCallbacks(connection).listCallbacks({ limit: maxNames }),
    createKeys(connection).listKeys(),
    readCatalog(connection),
  ]);
  const named = (name: string, about: string): StoreName => ({ name, about });
  return {
    orders: orders.map(({ orderId, paymentStatus, buyStatus }) =>
      named(orderId, `${paymentStatus} / ${buyStatus}`),
    ),
    promos: catalog?.promos.map(({ code }) => named(code, '')) ?? [],
    callbacks: callbacks.map(({ callbackId, provider, outcome }) =>
      named(callbackId, `${provider}, ${outcome}`),
    ),
    keys: keys.flatMap(({ keyId, name, revokedAt }) => (revokedAt === null ? [named(keyId, name)] : [])),
    catalog,
  };
}

/**
 * Reads the names in a store in PostgreSQL, for command-line completion, without changing it.
 *
 * @throws PostgresError when there is no such store.
 */
export const readDatabaseNames = (url: string): Promise<StoreNames> =>
  withDatabase(url, readNames, namesTimeoutMs);
