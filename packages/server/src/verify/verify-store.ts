import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Difference,
  type MoneyParts,
  moneyOf,
  type OrderRecords,
  type VerifiedRule,
  verifiedRules,
  verifyOrder,
} from '@topup-kit/core/engine';
import type { StoreAddress } from '../config/variable.ts';
import { checks } from '../features/checks.ts';
import { connect, displayName } from '../postgres/connection.ts';
import { assertStoreExists } from '../postgres/inspect.ts';
import { readFormat, rejectOldFormat } from '../postgres/migrate.ts';
import { runCommand } from '../postgres/run-command.ts';
import { DamagedRowError } from '../rows/columns.ts';
import { sha256Hex } from '../service/sha256.ts';
import type { Command, RunCommand } from '../sql/statement.ts';
import {
  findTableDifferences,
  type IdRange,
  type RoomCheck,
  readOrderIds,
  readWholeOrders,
  sumReconciliations,
} from '../sql/verify.ts';
import { readNewestStore } from '../sqlite/backup/read-database.ts';
import { prepareCommands } from '../sqlite/run-command.ts';

/** The result of verifying a store. */
export interface Verification {
  orders: number;
  items: number;
  /** The money of all payments. */
  money: MoneyParts;
  /** First differences, up to the limit. */
  differences: Difference[];
  /** Total number of differences. */
  found: number;
}

export interface VerifyOptions {
  /** Maximum number of differences to return. Default: 1,000. */
  limit?: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of orders verified so far. */
  onProgress?: ((orders: number) => void) | undefined;
}

/** Number of orders to read at a time. */
const pageSize = 200;

const byRule = (a: Difference, b: Difference): number =>
  verifiedRules.indexOf(a.rule) - verifiedRules.indexOf(b.rule);

interface VerifiedPage {
  records: OrderRecords[];
  differences: Difference[];
}

type Verify = (range: IdRange) => Command<VerifiedPage>;

/** Verifies orders together, or one by one if a row is damaged, to find the damaged row. */
async function verifyPage(
  run: RunCommand,
  ids: readonly string[],
  after: string,
  verifyRange: Verify,
): Promise<VerifiedPage> {
  const [orderId, ...others] = ids;
  if (orderId === undefined) return { records: [], differences: [] };
  try {
    return await run(() => verifyRange({ after, last: others.at(-1) ?? orderId }));
  } catch (error) {
    if (!(error instanceof DamagedRowError)) throw error;
    if (others.length === 0) {
      const sentence = `a row of it can't be read: ${error.message}`;
      return { records: [], differences: [{ rule: 'rows', orderId, sentence }] };
    }
    const each = await Promise.all(
      ids.map((id, index) => verifyPage(run, [id], ids[index - 1] ?? after, verifyRange)),
    );
    return {
      records: each.flatMap(({ records }) => records),
      differences: each.flatMap(({ differences }) => differences),
    };
  }
}

/** Prepares the verification of ranges of orders: the common checks, and each room's checks. */
async function prepareVerify(run: RunCommand, rooms: readonly RoomCheck[]): Promise<Verify> {
  const parts = await Promise.all(rooms.map((room) => run(() => room.ofOrders(sha256Hex))));
  return function* (range) {
    const records = yield* readWholeOrders(range);
    const rooms: { rule: VerifiedRule; sentencesOf: (order: OrderRecords) => Iterable<string> }[] = [];
    for (const { rule, read } of parts) rooms.push({ rule, sentencesOf: yield* read(range) });
    const differencesOf = (records: OrderRecords): Difference[] => {
      const { orderId } = records.order;
      const ofRooms = rooms.flatMap(({ rule, sentencesOf }) =>
        [...sentencesOf(records)].map((sentence) => ({ rule, orderId, sentence })),
      );
      return [...verifyOrder(records), ...ofRooms].sort(byRule);
    };
    return { records, differences: records.flatMap(differencesOf) };
  };
}

async function verify(
  run: RunCommand,
  { limit = 1_000, signal, onProgress }: VerifyOptions,
): Promise<Verification> {
  const { toReconcile, returned } = await run(sumReconciliations);
  const money: MoneyParts = {
    received: toReconcile + returned,
    delivered: 0,
    onItsWay: 0,
    owed: 0,
    paidBack: returned,
    toReconcile,
  };
  const rooms = Object.values(checks);
  const verifyRange = await prepareVerify(run, rooms);
  const result: Verification = { orders: 0, items: 0, money, differences: [], found: 0 };
  const note = (found: readonly Difference[]): void => {
    result.found += found.length;
    result.differences.push(...found.slice(0, limit - result.differences.length));
  };
  const readIds = (after: string) => run(() => readOrderIds(after, pageSize));
  let after = '';
  for (let ids = await readIds(after); ids.length > 0; ids = await readIds(after)) {
    const { records, differences } = await verifyPage(run, ids, after, verifyRange);
    after = ids.at(-1) ?? after;
    note(differences);
    for (const order of records) {
      result.items += order.units.length;
      const parts = moneyOf(order);
      // Safe: the value is a literal of this type.
      for (const name of Object.keys(money) as (keyof MoneyParts)[]) money[name] += parts?.[name] ?? 0;
    }
    result.orders += ids.length;
    onProgress?.(result.orders);
    await breathe();
    signal?.throwIfAborted();
  }
  note(await run(() => findTableDifferences(rooms, limit)));
  return result;
}

const verifyFile = (path: string, options: VerifyOptions): Promise<Verification> =>
  readNewestStore(path, (db) => {
    const run = prepareCommands(db);
    return verify(async (begin) => run(begin()), options);
  });

async function verifyDatabase(url: string, options: VerifyOptions): Promise<Verification> {
  await assertStoreExists(url);
  const connection = connect(url, { prepare: async () => {} });
  try {
    rejectOldFormat(await readFormat(connection), displayName(url));
    return await connection.write(
      async (sql) => {
        await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`;
        await sql`SET LOCAL statement_timeout = 0`;
        return verify((begin) => runCommand(sql, begin()), options);
      },
      { isLong: true },
    );
  } finally {
    await connection.close();
  }
}

/**
 * Checks all data in a store for consistency, from one snapshot and without changing the store, while servers may run on it. A file with
 * 100,000 orders took seven seconds on two cores.
 *
 * @throws StoreFileError or PostgresError if there is no such store, or the store is not of the newest format.
 * @example
 * const { orders, found, differences } = await verifyStore({ kind: 'file', path: './data/topup.db' });
 */
export const verifyStore = (
  address: Exclude<StoreAddress, { kind: 'memory' }>,
  options: VerifyOptions = {},
): Promise<Verification> =>
  address.kind === 'file' ? verifyFile(address.path, options) : verifyDatabase(address.url, options);
