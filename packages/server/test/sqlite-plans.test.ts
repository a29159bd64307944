import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OrderFilter, Store } from '@topup-kit/core/store';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { order, place } from '../../suites/src/store/fixtures.ts';
import { storeSuite } from '../../suites/src/store/index.ts';
import { inspectStore } from '../src/sqlite/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { storeOver } from '../src/sqlite/sqlite-store.ts';

// A server queries what is due several times a second, possibly in a store with a million orders. A query plan that
// scans a whole table, or sorts its result, would block everything else for that time.

interface Watched {
  db: DatabaseSync;
  store: Store;
  /** All statements that the store has prepared so far. */
  prepared: () => string[];
}

/** An empty store, which is copied for each test: that is faster than to make one. */
let emptyStore: string;

beforeAll(() => {
  emptyStore = join(mkdtempSync(join(tmpdir(), 'topup-')), 'topup.db');
  openDatabase(emptyStore).close();
});
afterAll(() => rmSync(dirname(emptyStore), { recursive: true }));

function watchedStore(): Watched {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  const path = join(folder, 'topup.db');
  copyFileSync(emptyStore, path);
  const db = openDatabase(path);
  const prepare = vi.spyOn(db, 'prepare');
  const store = storeOver(db, { path });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { db, store, prepared: () => [...new Set(prepare.mock.calls.map(([sql]) => sql))] };
}

let known: string[] | undefined;

/** All statements of a store: those that its suite needs. */
async function allStatements(): Promise<string[]> {
  if (known) return known;
  const statements: string[] = [];
  for (const { run } of storeSuite) {
    const { store, prepared } = watchedStore();
    await run(store);
    statements.push(...prepared());
  }
  known = [...new Set(statements)];
  return known;
}

const planOf = (db: DatabaseSync, sql: string): string[] =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));

const largeTable =
  /\b(orders|order_terms|units|history|idempotent_responses|used_keys|promo_claims|callbacks|webhook_events|webhook_deliveries)\b/;
const emptiesATable = /^DELETE FROM \w+$/;
const isCostly = (step: string): boolean =>
  step.includes('TEMP B-TREE') ||
  (step.startsWith('SCAN') && largeTable.test(step) && !step.includes('USING'));

/** Reads all that is open, once when a server starts. */
const countsOpen = /'\$\.gateway'/;
/** A report reads a whole span, in the process of an operator's command. */
const addsUpSales = /FROM sales WHERE at/;
/** A search sorts what it found, which is some thousands at most. */
const sortsFound = /ORDER BY created_at \+ 0/;

/** Counts the orders of a day, which an index finds; the console shows the counts for some seconds. */
const countsADay = /GROUP BY payment_method_id/;

/** An operator's command reads them, in a process of its own. */
const listsDeliveries = /ORDER BY delivery\.place DESC/;
const findsStrayCallbacks = /FROM callbacks WHERE order_id IS NULL AND instr/;

function costlySteps(db: DatabaseSync, statements: readonly string[]): { sql: string; plan: string[] }[] {
  return statements
    .filter((sql) => largeTable.test(sql) && !emptiesATable.test(sql))
    .filter(
      (sql) =>
        ![countsOpen, addsUpSales, sortsFound, countsADay, listsDeliveries, findsStrayCallbacks].some(
          (known) => known.test(sql),
        ),
    )
    .map((sql) => ({ sql, plan: planOf(db, sql) }))
    .filter(({ sql, plan }) => {
      const endless = plan.some((step) => step.startsWith('SCAN orders')) && !sql.includes('LIMIT');
      return endless || plan.some(isCostly);
    });
}

it('scans or sorts a large table in no statement', async () => {
  const statements = await allStatements();
  expect(statements.length).toBeGreaterThan(60);
  expect(costlySteps(watchedStore().db, statements)).toEqual([]);
});

/** Every combination of filters, with one value of each status that is of orders in progress, and one of orders that are done. */
const orderFilters: Omit<OrderFilter, 'limit'>[] = [{}, { accountId: 'shop' }].flatMap((account) =>
  [{}, { gameId: 11 }].flatMap((game) =>
    [{}, { paymentStatus: 'PAID' } as const].flatMap((payment) =>
      [{}, { buyStatus: 'Proses' } as const, { buyStatus: 'Sukses' } as const].flatMap((delivery) =>
        [{}, { customer: '6281234567890' }].flatMap((customer) =>
          [{}, { after: { createdAt: 5, orderId: 'INV-1' } }].map((after) => ({
            ...{ ...account, ...game, ...payment, ...delivery, ...customer, ...after },
          })),
        ),
      ),
    ),
  ),
);

/** The conditions by which a step finds its rows in an index. */
const conditionsOf = (step: string): string[] =>
  [...step.matchAll(/\w+(?==\?)|\([\w,]+\)(?=<\()/g)].map(([condition]) => condition);

it.each(orderFilters)('reads only the orders that a list shows: %o', async (filter) => {
  const { db, store, prepared } = watchedStore();
  await store.listOrders({ ...filter, limit: 10 });
  const sql = prepared().at(-1) ?? '';
  expect(planOf(db, sql).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);

  const [, selects = '', order = ''] = /^(.*)( ORDER BY .*)$/s.exec(sql) ?? [];
  const { accountId, gameId, customer, after, ...states } = filter;
  for (const select of selects.split(' UNION ALL ')) {
    const [step = '', ...others] = planOf(db, select + order);
    expect({ select, others }).toEqual({ select, others: [] });
    if (customer !== undefined) {
      expect(step).toContain('orders USING INDEX orders_customer');
      expect(conditionsOf(step)).toEqual(['customer', ...(after ? ['(created_at,order_id)'] : [])]);
      continue;
    }
    if (accountId === undefined && gameId === undefined && Object.keys(states).length === 0) {
      expect(step).toContain('orders USING INDEX orders_newest');
      expect(conditionsOf(step)).toEqual(after ? ['(created_at,order_id)'] : []);
      continue;
    }
    // Orders in progress are few. Others of them are skipped in the index, which has all that the conditions need.
    const isDone = !/buy_status = '(Pending|Proses)'/.test(select);
    expect(conditionsOf(step)).toEqual([
      ...(accountId !== undefined && isDone ? ['account_id'] : []),
      ...(gameId !== undefined && isDone ? ['game_id'] : []),
      ...['payment_status', 'buy_status', ...(after ? ['(created_at,order_id)'] : [])],
    ]);
    expect(planOf(db, select.replace(/^SELECT .* FROM/s, 'SELECT 1 FROM') + order)).toEqual([
      expect.stringContaining('USING COVERING INDEX'),
    ]);
  }
});

it('reads sorted lists of callbacks directly from an index, with any filter', async () => {
  const watched = watchedStore();
  const after = { receivedAt: 5, callbackId: 'cb_1' };
  const both = { provider: 'tripay', outcome: 'failed' } as const;
  for (const filter of [{}, { provider: both.provider }, { outcome: both.outcome }, both])
    for (const page of [filter, { ...filter, after }])
      await watched.store.listCallbacks({ ...page, limit: 10 });
  expect(watched.prepared().filter((sql) => sql.includes('FROM callbacks'))).toHaveLength(8);
  expect(costlySteps(watched.db, watched.prepared())).toEqual([]);
});

it.each([
  [{ operator: 'rina' }, ['SEARCH activity USING INDEX activity_of_operator (operator=?)']],
  [
    { operator: 'rina', from: 1, before: 9, after: 5 },
    ['SEARCH activity USING INDEX activity_of_operator (operator=? AND rowid<?)'],
  ],
  [
    { from: 1, before: 9 },
    ['SEARCH activity USING INDEX activity_by_time (at>? AND at<?)', 'USE TEMP B-TREE FOR ORDER BY'],
  ],
])('reads only the activity that a filter finds: %o', async (filter, plan) => {
  const { db, store, prepared } = watchedStore();
  await store.listActivity({ ...filter, limit: 10 });
  expect(planOf(db, prepared().at(-1) ?? '')).toEqual(plan);
});

it('inspects a store without indexes or tables of all orders or units', async () => {
  const { db, store } = watchedStore();
  await store.placeOrder(place(order()));
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  await inspectStore(db.location() ?? '');
  // It can't write, so it never runs a statement that does.
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => !sql.startsWith('DELETE'));
  expect(statements.length).toBeGreaterThan(15);
  const ofFewRows = [
    ...['orders_reserved', 'orders_due', 'orders_failed'],
    ...['units_due', 'units_open'],
    ...['units_unknown', 'units_contradicted', 'units_unfunded'],
  ];
  const steps = statements.filter((sql) => !sql.includes('LIMIT')).flatMap((sql) => planOf(db, sql));
  const scans = steps.filter((step) => step.startsWith('SCAN') && largeTable.test(step));
  expect(scans.filter((step) => !ofFewRows.some((name) => step.endsWith(` ${name}`)))).toEqual([]);
  expect(steps.some((step) => step.includes('order_counts'))).toBe(true);
});

it.each([
  [
    'overdue orders',
    /reserved = 0 AND expires_at <= /,
    ['SEARCH orders USING INDEX orders_due (expires_at<?)'],
  ],
  ['due units', /FROM units[^;]* next_at <= /, ['SEARCH units USING COVERING INDEX units_due (next_at<?)']],
  [
    'expired idempotent responses',
    /DELETE FROM idempotent_responses WHERE \(account_id/,
    [expect.stringContaining('idempotent_responses_expired')],
  ],
  [
    'keys in flight',
    /UPDATE idempotent_responses/,
    ['SEARCH idempotent_responses USING INDEX idempotent_responses_in_flight (order_id=?)'],
  ],
  [
    'open payments at each gateway',
    countsOpen,
    ['SCAN orders USING INDEX orders_due', 'SCAN orders USING INDEX orders_reserved'],
  ],
  ['reserved orders', /WHERE reserved = 1 ORDER/, ['SCAN orders USING INDEX orders_reserved']],
  [
    'orders that have been reserved for long',
    /reserved = 1 AND created_at </,
    ['SEARCH orders USING INDEX orders_reserved (created_at<?)'],
  ],
  [
    'units that have been open for long',
    /coalesce\(asked_at, next_at\) <[^=]/,
    ['SEARCH units USING INDEX units_open (<expr><?)'],
  ],
  [
    'units with an unknown outcome',
    /FROM units WHERE state = 'unknown'/,
    ['SCAN units USING COVERING INDEX units_unknown'],
  ],
  [
    'units that wait for the balance',
    /FROM units WHERE waits_for IS NOT NULL[^;]*TRUE/,
    ['SCAN units USING INDEX units_unfunded'],
  ],
  [
    'units that wait for the balance at one supplier',
    /FROM units WHERE waits_for IS NOT NULL[^;]*supplier = /,
    ['SCAN units USING INDEX units_unfunded'],
  ],
  [
    'contradictions',
    /FROM units WHERE contradiction IS NOT NULL/,
    ['SCAN units USING INDEX units_contradicted'],
  ],
  ['failed orders', /buy_status = 'Gagal' AND NOT/, ['SCAN orders USING COVERING INDEX orders_failed']],
])('finds %s in a separate index', async (_what, pattern, steps) => {
  const { db } = watchedStore();
  const found = (await allStatements()).filter((sql) => pattern.test(sql));
  expect(found).toHaveLength(1);
  expect(planOf(db, found[0] ?? '')).toEqual(expect.arrayContaining(steps));
});

it('finds the next due time as the first entry of two indexes', async () => {
  const { db } = watchedStore();
  const plan = planOf(db, (await allStatements()).find((sql) => sql.includes('AS due_at')) ?? '');
  expect(plan).toContain('SCAN orders USING COVERING INDEX orders_due');
  expect(plan.filter((step) => step.includes('units_due'))).toHaveLength(1);
});
