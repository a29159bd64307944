import type { DatabaseSync } from 'node:sqlite';
import { type Alert, findAlerts } from '@topup-kit/core/engine';
import { reads } from '../../features/commands.ts';
import { type RoomReport, reportRooms } from '../../features/inspection.ts';
import { listKeys } from '../../sql/keys.ts';
import { countOrders } from '../../sql/order-queries.ts';
import { readRevision, readWorldOffset } from '../../sql/state.ts';
import { methodsOf } from '../../sql/statement.ts';
import {
  inContractOrder,
  type StoreInspection,
  type StoreReport,
  summariseKeys,
} from '../../sql/store-report.ts';
import { nextDueAt } from '../../sql/units.ts';
import { prepareCommands, readNumber } from '../run-command.ts';
import { findServer, type LockOwner } from '../server-lock.ts';
import { logOf, sizeOf } from '../store-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import { type CheckLevel, databaseUrl, findDamage } from './long-queries.ts';
import { readNewestStore } from './read-database.ts';
import { countReserved, readFacts, type StoreInfo } from './store-info.ts';

const countOverdue = (db: DatabaseSync, now: number): number =>
  readNumber(
    db,
    `SELECT (SELECT count(*) FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ?1)
      + (SELECT count(*) FROM units WHERE next_at <= ?1)`,
    now,
  );

/** Reads a report from one snapshot. The time doesn't grow with the number of orders. */
function readReport(db: DatabaseSync, now: number): StoreReport & StoreInfo {
  const run = prepareCommands(db);
  const worldOffset = run(readWorldOffset());
  return {
    ...readFacts(db),
    reserved: countReserved(db),
    ...summariseKeys(run(listKeys()), now),
    products: readNumber(
      db,
      `SELECT coalesce(sum(json_array_length(game.value, '$.products')), 0)
       FROM catalog, json_each(catalog.document, '$.games') AS game`,
    ),
    promos: readNumber(db, 'SELECT count(*) FROM promos WHERE position IS NOT NULL'),
    openReconciliations: readNumber(db, `SELECT count(*) FROM reconciliations WHERE state = 'open'`),
    unknownUnits: readNumber(db, `SELECT count(*) FROM units WHERE state = 'unknown'`),
    refundsToPay: readNumber(db, `SELECT count(*) FROM refunds WHERE state = 'to-pay'`),
    amountToPay: readNumber(db, `SELECT coalesce(sum(amount), 0) FROM refunds WHERE state = 'to-pay'`),
    worldOffset,
    nextDueAt: run(nextDueAt()),
    overdue: countOverdue(db, now + worldOffset),
  };
}

/** Reads the alerts for an operator, and the rooms' reports. */
async function readRooms(db: DatabaseSync, realNow: number): Promise<{ alerts: Alert[] } & RoomReport> {
  const run = prepareCommands(db);
  const source = {
    ...methodsOf(reads, async (begin) => run(begin())),
    revision: async () => run(readRevision()),
  };
  const alerts = await findAlerts(source, { now: realNow + run(readWorldOffset()), realNow });
  return { ...(await reportRooms(source)), alerts };
}

export interface Inspection extends StoreInspection, StoreInfo {
  /** Size of the write-ahead log, whose changes are not in the file yet. */
  logBytes: number;
  /** Server that has the store open; null if there is none. */
  server: LockOwner | null;
}

export interface InspectOptions {
  /** Level of the check for damage, which reads the whole file. Default: no check. */
  check?: CheckLevel | undefined;
  /** Stops the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Inspects a store without changing it, while a server may be writing to it. A `check` takes seconds for a million cached orders, and
 * longer from a slow disk. Without a check, the result says nothing about damage.
 *
 * @throws StoreFileError if the file is missing, damaged, not a store, or not of the newest format.
 * @example
 * const { orders, overdue, server } = await inspectStore('./data/topup.db');
 */
export const inspectStore = (path: string, { check, signal }: InspectOptions = {}): Promise<Inspection> =>
  readNewestStore(path, async (db) => {
    const location = databaseUrl(path, { atRest: false });
    const [damage] = check ? await findDamage(location, check, signal) : [];
    if (damage !== undefined) throw new StoreFileError('damaged', `${path} is damaged: ${damage}.`);
    return {
      states: inContractOrder(prepareCommands(db)(countOrders())),
      ...readReport(db, Date.now()),
      ...(await readRooms(db, Date.now())),
      bytes: sizeOf(path),
      logBytes: sizeOf(logOf(path)),
      server: findServer(path),
    };
  });
