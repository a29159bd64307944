import { findAlerts } from '@topup-kit/core/engine';
import { reads } from '../features/commands.ts';
import { reportRooms } from '../features/inspection.ts';
import { readNames, type StoreNames } from '../features/names.ts';
import { integer, integerOrNull, type Row } from '../rows/columns.ts';
import { readRevision } from '../sql/state.ts';
import { methodsOf } from '../sql/statement.ts';
import {
  inContractOrder,
  type StoreContent,
  type StoreInspection,
  summariseKeys,
} from '../sql/store-report.ts';
import { connect, displayName, type PostgresPool } from './connection.ts';
import { readServerAddresses } from './leases.ts';
import { newestFormat, readFormat, rejectOldFormat, rejectUnknownFormat } from './migrate.ts';
import { codeOf, PostgresError } from './postgres-error.ts';
import { runCommand } from './run-command.ts';

const readsOf = ({ read }: PostgresPool) =>
  methodsOf(reads, (begin) => read((sql) => runCommand(sql, begin())));

interface RunningServers {
  /** Addresses of servers on the database. Servers of format 1 don't register. */
  servers: string[];
}

/** Facts that identify a PostgreSQL store to a person. */
export interface DatabaseInfo extends StoreContent, RunningServers {}

export interface DatabaseInspection extends StoreInspection, RunningServers {}

/** Runs work on a store of any format without changing it; unlike a server, it creates no tables. */
async function withDatabase<Result>(
  url: string,
  work: (connection: PostgresPool, format: number) => Promise<Result>,
  connectTimeoutMs?: number,
): Promise<Result> {
  const name = displayName(url);
  const connection = connect(url, { prepare: async () => {}, ...(connectTimeoutMs && { connectTimeoutMs }) });
  try {
    const format = await readFormat(connection);
    rejectUnknownFormat(format, name);
    if (format === 0)
      throw new PostgresError('not_a_store', `${name} has no store yet: no server has used it.`);
    return await work(connection, format);
  } finally {
    await connection.close();
  }
}

/** Runs work on a store of the newest format without changing it. */
const withNewestDatabase = <Result>(
  url: string,
  work: (connection: PostgresPool, format: number) => Promise<Result>,
  connectTimeoutMs?: number,
): Promise<Result> =>
  withDatabase(
    url,
    (connection, format) => {
      rejectOldFormat(format, displayName(url));
      return work(connection, format);
    },
    connectTimeoutMs,
  );

/** @throws PostgresError if a database has no store, because opening the store would create it. */
export const assertStoreExists = (url: string): Promise<void> => withDatabase(url, async () => {});

const readServers = ({ read }: PostgresPool): Promise<string[]> =>
  read((sql) => runCommand(sql, readServerAddresses())).catch((error: unknown) => {
    if (codeOf(error) !== '42P01') throw error;
    return [];
  });

async function readFacts(connection: PostgresPool, format: number): Promise<DatabaseInfo> {
  const store = readsOf(connection);
  const [counts = {}] = await connection.read(
    (sql) => sql<Row[]>`
      SELECT (SELECT coalesce(sum(count), 0)::bigint FROM order_counts) AS orders,
        (SELECT max(created_at) FROM orders) AS newest_order_at, (SELECT count(*) FROM keys) AS keys`,
  );
  return {
    formatVersion: format,
    newestFormat,
    mode: await store.readMode(),
    display: await store.readDisplay(),
    orders: integer(counts, 'orders'),
    newestOrderAt: integerOrNull(counts, 'newest_order_at'),
    keys: integer(counts, 'keys'),
    games: (await store.readCatalog())?.games.length ?? 0,
    servers: await readServers(connection),
  };
}

/**
 * Reads the facts of a PostgreSQL store in any format.
 *
 * @throws PostgresError if the database can't be reached, has no store, or has a store of a newer version.
 */
export const readDatabaseInfo = (url: string): Promise<DatabaseInfo> => withDatabase(url, readFacts);

/** Finds the addresses of servers on a database, including those that were killed within the last ten seconds. */
export const findServers = (url: string): Promise<string[]> => withDatabase(url, readServers);

/** Counts values that no other query counts. */
const readCounts = ({ read }: PostgresPool, now: number): Promise<Row> =>
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

async function inspect(connection: PostgresPool, format: number): Promise<DatabaseInspection> {
  const realNow = Date.now();
  const store = readsOf(connection);
  const worldOffset = await store.readWorldOffset();
  const now = realNow + worldOffset;
  const [counts, toPay, keys, rooms, catalog, states] = await Promise.all([
    readCounts(connection, now),
    store.listRefunds('to-pay'),
    store.listKeys(),
    reportRooms(store),
    store.readCatalog(),
    store.countOrders(),
  ]);
  const games = catalog?.games ?? [];
  const revision = () => connection.read((sql) => runCommand(sql, readRevision()));
  const source = { ...store, revision, readCatalog: async () => catalog };
  return {
    formatVersion: format,
    newestFormat,
    mode: await store.readMode(),
    display: await store.readDisplay(),
    worldOffset,
    orders: states.reduce((sum, { count }) => sum + count, 0),
    states: inContractOrder(states),
    newestOrderAt: integerOrNull(counts, 'newest_order_at'),
    reserved: integer(counts, 'reserved'),
    keys: keys.length,
    ...summariseKeys(keys, realNow),
    ...rooms,
    games: games.length,
    products: games.reduce((sum, { products }) => sum + products.length, 0),
    promos: catalog?.promos.length ?? 0,
    openReconciliations: integer(counts, 'open_reconciliations'),
    unknownUnits: integer(counts, 'unknown_units'),
    refundsToPay: toPay.length,
    amountToPay: toPay.reduce((sum, { amount }) => sum + amount, 0),
    nextDueAt: await store.nextDueAt(),
    overdue: integer(counts, 'overdue'),
    alerts: await findAlerts(source, { now, realNow }),
    bytes: integer(counts, 'bytes'),
    servers: await readServers(connection),
  };
}

/**
 * Inspects a store in PostgreSQL without changing it, while servers run on it. The time hardly grows with the number of orders.
 *
 * @throws PostgresError if the database can't be reached, has no store, or has a store of another format.
 * @example
 * const { orders, overdue, servers } = await inspectDatabase('postgres://topup:secret@127.0.0.1/topup');
 */
export const inspectDatabase = (url: string): Promise<DatabaseInspection> => withNewestDatabase(url, inspect);

/** Timeout for connecting, in milliseconds. It is short, because the user is waiting at the keyboard. */
const namesTimeoutMs = 1_000;

/**
 * Reads the names in a PostgreSQL store, for command-line completion, without changing it.
 *
 * @throws PostgresError if there is no such store.
 */
export const readDatabaseNames = (url: string): Promise<StoreNames> =>
  withNewestDatabase(url, ({ read }) => read((sql) => runCommand(sql, readNames())), namesTimeoutMs);
