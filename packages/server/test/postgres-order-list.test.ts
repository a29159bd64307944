import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter } from '@topup-kit/core/store';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { order, place } from '../../suites/src/store/fixtures.ts';
import type { Sql } from '../src/postgres/connection.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { orderList } from '../src/sql/order-list.ts';
import { written } from '../src/sql/statement.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

// PostgreSQL chooses the index by its statistics. So the orders here are such that they mislead it: what a filter finds is rare, or
// old, or none, although each of its values is frequent.

const count = 20_000;
const limit = 10;

const database = usePostgres();
let sql: Sql;
beforeAll(async () => {
  const url = await database.newSchema();
  const store = createPostgresStore({ url });
  await store.placeOrder(place(order()));
  await store.close();
  sql = postgres(url, { max: 1, onnotice: () => {} }) as Sql; // Safe: no value here needs the types of the store.
  // So many orders in one transaction would make their counts slow.
  await sql`ALTER TABLE orders DISABLE TRIGGER orders_counted`;
  // 'first' sold only game 11, until 'second' began to sell only game 12. Most orders were delivered, and few failed.
  await sql`
    INSERT INTO orders (order_id, account_id, game_id, created_at, expires_at, reserved, version, payment_status, buy_status,
      payment_method_id, total_price, unique_code, payment_reference, target_id, details)
    SELECT 'INV-' || lpad(n::text, 8, '0'), CASE WHEN n <= ${count / 2} THEN 'first' ELSE 'second' END,
      CASE WHEN n <= ${count / 2} THEN 11 ELSE 12 END, created_at + n, expires_at + n, 0, 1,
      CASE WHEN n % 20 = 0 THEN 'EXPIRED' WHEN n < 20 THEN 'REFUND' WHEN n > ${count - 10} THEN 'UNPAID' ELSE 'PAID' END,
      CASE WHEN n % 20 = 0 THEN 'Batal' WHEN n < 20 THEN 'Gagal' WHEN n > ${count - 10} THEN 'Pending' ELSE 'Sukses' END,
      payment_method_id, total_price, 0, 'ref-' || n, 'of-' || n, details
    FROM orders, generate_series(1, ${count}) AS n`;
});
afterAll(() => sql.end());

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** How many rows of the orders a plan read. */
const rowsRead = (node: Node): number =>
  (node['Relation Name'] === 'orders'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);

async function planOf(filter: OrderFilter): Promise<Node | undefined> {
  const { text, values } = written(orderList(filter), 'postgres');
  const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  return row?.['QUERY PLAN'][0].Plan;
}

const filters: Omit<OrderFilter, 'limit'>[] = [{}, { accountId: 'first' }, { accountId: 'second' }].flatMap(
  (account) =>
    [{}, { gameId: 11 }, { gameId: 12 }].flatMap((game) =>
      [{}, { paymentStatus: 'PAID' } as const, { paymentStatus: 'REFUND' } as const].flatMap((payment) =>
        [{}, { buyStatus: 'Sukses' } as const, { buyStatus: 'Gagal' } as const].map((delivery) => ({
          ...{ ...account, ...game, ...payment, ...delivery },
        })),
      ),
    ),
);

it.each([
  ['without statistics', 'SELECT 1'],
  ['with misleading statistics', 'ANALYZE orders'],
])('reads only a page of each state instead of all orders for any filter, %s', async (_when, before) => {
  await sql.unsafe(before);
  const last = await sql`SELECT order_id, created_at::float FROM orders WHERE order_id = 'INV-00000500'`;
  const after = { orderId: String(last[0]?.order_id), createdAt: Number(last[0]?.created_at) };
  for (const filter of filters.flatMap((one) => [one, { ...one, after }])) {
    const plan = await planOf({ ...filter, limit });
    const states = paymentStatuses.length * buyStatuses.length;
    expect({ filter, read: plan && rowsRead(plan) <= (states + 1) * limit ? 'few' : plan }).toEqual({
      filter,
      read: 'few',
    });
  }
});

it('reads only a page instead of all orders of a customer, however many orders the customer has', async () => {
  await sql`UPDATE orders SET details = replace(details, '081234567890', '+65 8123 4567') WHERE order_id IN ('INV-00000007', 'INV-00010000')`;
  await sql`ANALYZE orders`;
  const after = { orderId: 'INV-00000500', createdAt: order().createdAt + 500 };
  const filters = ['6281234567890', '6581234567', '6280000'].flatMap((customer) =>
    [{}, { accountId: 'second' }, { after }].map((more) => ({ customer, ...more })),
  );
  for (const filter of filters) {
    const plan = await planOf({ ...filter, limit });
    expect({ filter, read: plan && rowsRead(plan) <= 2 * limit ? 'few' : plan }).toEqual({
      filter,
      read: 'few',
    });
  }
});
