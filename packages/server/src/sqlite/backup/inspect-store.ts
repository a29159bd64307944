import type { DatabaseSync } from 'node:sqlite';
import { type BuyStatus, buyStatuses, type PaymentStatus, paymentStatuses } from '@topup-kit/core/contract';
import { integer, oneOf, readNumber } from '../columns.ts';
import { migrations } from '../migrate.ts';
import { findServer, type ServerHolder } from '../server-lock.ts';
import { prepareWorldRows } from '../state-rows.ts';
import { sizeOf } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { prepareDueRows } from '../unit-rows.ts';
import { type CheckDepth, databaseUrl, findDamage, queryInSubprocess } from './long-queries.ts';
import { readStore } from './read-database.ts';
import { countReserved, readFacts, type StoreFacts } from './store-facts.ts';

export interface OrdersInState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
  count: number;
}

/** What a store holds, and what it waits for. */
export interface StoreReport extends StoreFacts {
  /** Orders whose payment is not known yet; a crash leaves them for the server to settle. */
  reserved: number;
  activeKeys: number;
  products: number;
  promos: number;
  /** Payments that an operator is to settle or to return. */
  openReconciliations: number;
  /** How far world time is ahead of real time, in milliseconds. */
  worldOffset: number;
  /** When the next thing falls due, in unix milliseconds of world time; null when nothing does. */
  nextDueAt: number | null;
  /** Orders and deliveries that are due and not done. */
  overdue: number;
}

/** Reads every order, as no index knows their states. */
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
  return paymentStatuses.flatMap((paid) =>
    buyStatuses.flatMap((bought) =>
      found.filter(({ paymentStatus, buyStatus }) => paymentStatus === paid && buyStatus === bought),
    ),
  );
}

const countOverdue = (db: DatabaseSync, now: number): number =>
  readNumber(
    db,
    `SELECT (SELECT count(*) FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ?1)
      + (SELECT count(*) FROM units WHERE next_at <= ?1)`,
    now,
  );

/** Reads a report of one moment, which costs the same however many orders there are. */
function readReport(db: DatabaseSync, now: number): StoreReport {
  const worldOffset = prepareWorldRows(db).read();
  return {
    ...readFacts(db),
    reserved: countReserved(db),
    activeKeys: readNumber(db, 'SELECT count(*) FROM keys WHERE revoked_at IS NULL'),
    products: readNumber(
      db,
      `SELECT coalesce(sum(json_array_length(game.value, '$.products')), 0)
       FROM catalog, json_each(catalog.document, '$.games') AS game`,
    ),
    promos: readNumber(db, 'SELECT count(*) FROM promos WHERE position IS NOT NULL'),
    openReconciliations: readNumber(db, `SELECT count(*) FROM reconciliations WHERE state = 'open'`),
    worldOffset,
    nextDueAt: prepareDueRows(db).next(),
    overdue: countOverdue(db, now + worldOffset),
  };
}

export interface Inspection extends StoreReport {
  /** The states that orders are in, in the order of the contract; as they were a moment after the rest. */
  states: OrdersInState[];
  /** The newest version of the tables that this kit knows; a server brings an older store to it. */
  newestFormat: number;
  bytes: number;
  /** Of the write-ahead log, whose changes the file itself does not have yet. */
  logBytes: number;
  /** The server that has the store open; null when none has. */
  server: ServerHolder | null;
}

export interface InspectOptions {
  /** How hard to look for damage; by default, `quick`. */
  check?: CheckDepth | undefined;
  /** Ends the work; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

async function readWhole(
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
 * Looks at a store that a server may be writing, and changes nothing. It reads the whole file twice: two seconds for a
 * million orders where they are in memory, as long as the disk takes where they are not.
 *
 * @throws StoreFileError when it is missing, no store, damaged, or of a newer version.
 * @example
 * const { orders, overdue, server } = await inspectStore('./data/topup.db');
 */
export const inspectStore = (path: string, options: InspectOptions = {}): Promise<Inspection> =>
  readStore(path, async (db) => ({
    states: await readWhole(path, options),
    ...readReport(db, Date.now()),
    newestFormat: migrations.length,
    bytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    server: findServer(path),
  }));
