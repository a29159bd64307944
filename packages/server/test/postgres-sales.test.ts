import type { Store } from '@topup-kit/core/store';
import { expect, it, onTestFinished } from 'vitest';
import { another, change, delivered, entry, moment, place, unit } from '../../suites/src/store/fixtures.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const server = usePostgres();
const count = 120;
const idOf = (index: number): string => `INV-20260328100000-${String(index).padStart(8, 'A')}`;

/** Stores of one database, which has paid orders. */
async function storesWithOrders(url?: string): Promise<[Store, Store, Store]> {
  url ??= await server.newSchema();
  const open = () => createPostgresStore({ url });
  const stores: [Store, Store, Store] = [open(), open(), open()];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  for (let index = 0; index < count; index += 1) {
    const payment = { reference: `ref-${index}`, code: null, url: null, qrString: null };
    await stores[0].placeOrder(place(another('A', { orderId: idOf(index), payment })));
    await stores[0].changeOrder(change({ orderId: idOf(index), entry: entry(), units: [unit(1)] }));
  }
  return stores;
}

/** What a report finds after it has prepared all that is due. */
async function report(store: Store): Promise<{ orders: number; cost: number }> {
  while ((await store.prepareSales(3)) > 0);
  const [sum] = await store.sumSales({ from: 0, before: moment + 1_000_000 }, 'game');
  return { orders: sum?.orders ?? 0, cost: sum?.cost ?? 0 };
}

it('includes all orders once in simultaneous reports', async () => {
  const stores = await storesWithOrders();
  const whole = { orders: count, cost: 0 };
  expect(await Promise.all(stores.map(report))).toEqual([whole, whole, whole]);
}, 60_000);

it('includes every commit from before a report, even orders that changed during another report', async () => {
  const [first, second, third] = await storesWithOrders();
  const bought = unit(1, { state: 'delivered', nextAt: null, cost: 1_000, costSource: 'supplier' });
  let isDelivering = true;
  async function deliverAll(): Promise<void> {
    for (let index = 0; index < count; index += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, more) =>
          first.changeOrder(
            change({
              ...{ orderId: idOf(index + more), version: 2, to: delivered, units: [bought] },
              entry: entry({ event: 'delivered', to: delivered }),
            }),
          ),
        ),
      );
    isDelivering = false;
  }
  async function reportAllTheTime(store: Store): Promise<void> {
    while (isDelivering) await report(store);
  }
  await Promise.all([deliverAll(), reportAllTheTime(second), reportAllTheTime(third)]);
  expect(await report(second)).toEqual({ orders: count, cost: count * 1_000 });
}, 60_000);

it("rebuilds lines that a previous version's server made during the upgrade", async () => {
  const url = await server.newSchema();
  const [store] = await storesWithOrders(url);
  await report(store);
  const expected = await store.sumSales({ from: 0, before: moment + 1_000_000 }, 'game');
  await using sql = connectTo(url);
  // It names the columns that it knows, and takes the orders that are due.
  await sql`
    WITH old AS (DELETE FROM sales RETURNING *)
    INSERT INTO sales (order_id, line, at, game, product, method, account, supplier, orders, units, turnover, discounts, returned,
        gateway_fees, reported_fees, cost, listed_cost, unknown_costs)
      SELECT order_id, line + 1, at, game, product, method, account, supplier, orders, units, turnover, discounts, 22000,
        gateway_fees, reported_fees, cost, listed_cost, unknown_costs FROM old`;
  expect(await store.prepareSales(100)).toBe(100);
  expect(await store.prepareSales(100)).toBe(count - 100);
  expect(await store.prepareSales(100)).toBe(0);
  expect(await store.sumSales({ from: 0, before: moment + 1_000_000 }, 'game')).toEqual(expected);
}, 60_000);
