import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@topup-kit/core/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyPaymentEvent } from '../../core/src/engine/payments.ts';
import { amountReceived } from '../../core/src/engine/refunds.ts';
import {
  closeRefund,
  computeProfit,
  markOrder,
  refundOrder,
  retryOrder,
  settleReconciliation,
} from '../../core/src/features/index.ts';
import { reportSales, salesDivisions } from '../../core/src/features/reports/sales-report.ts';
import { performAction, type SandboxAction } from '../../core/src/features/sandbox/actions.ts';
import { createMemoryStore } from '../../core/src/features/store.ts';
import { another, moment, order, place } from '../../suites/src/store/fixtures.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const postgres = usePostgres();
const hour = 60 * 60_000;
const timezone = 'Asia/Jakarta';
const always = { from: moment - 24 * hour, before: moment + 10_000 * hour };

/** Repeatable numbers from 0 to below `limit`. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

const pick = <Item>(items: readonly Item[], random: (limit: number) => number): Item => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};

const actions: SandboxAction[] = [
  ...([
    'pay',
    'pay',
    'pay',
    'pay-late',
    'pay-wrong-amount',
    'deliver',
    'fail-delivery',
    'fail-delivery',
  ] as const),
  ...(['refund', 'expire', 'contradict-delivery', 'lose-delivery'] as const),
];

/** What operators do; what an order's state does not allow is tried all the same. */
async function operate(store: Store, orderId: string, at: number, random: (limit: number) => number) {
  const deps = { store, worldClock: () => at, operator: 'ani' };
  const kind = random(8);
  if (kind === 0 || kind === 7)
    await refundOrder(deps, orderId, { amount: pick([undefined, 'all', 1_000 + random(20_000)], random) });
  if (kind === 1) await retryOrder(deps, orderId);
  if (kind === 2)
    await markOrder(deps, orderId, { outcome: pick(['delivered', 'failed'], random), note: 'seen', unit: 1 });
  if (kind === 3 || kind === 6) {
    const [open] = await store.listReconciliations({ orderId, state: 'open' });
    if (open)
      await settleReconciliation(deps, { reconciliationId: open.reconciliationId, otherAmount: true });
  }
  if (kind === 4 || kind === 5) {
    const open = (await store.findRefunds(orderId)).find(({ state }) => state === 'to-pay');
    const state = pick(['paid', 'cancelled'] as const, random);
    if (open) await closeRefund(deps, { refundId: open.refundId, state, reference: 'x' });
  }
}

/** Units cost what the supplier says, or what it listed, or nobody knows. */
async function price(store: Store, orderId: string, random: (limit: number) => number): Promise<void> {
  const order = await store.findOrder(orderId);
  const units = await store.findUnits(orderId);
  if (!order || units.length === 0) return;
  const costs = [
    { cost: 15_000 + random(5_000), costSource: 'supplier' },
    { cost: 15_000 + random(5_000), costSource: 'listed' },
    { cost: null, costSource: null },
  ] as const;
  await store.changeOrder({
    ...{ orderId, version: order.version, to: order, entry: null, promo: 'keep', settles: [], refunds: [] },
    serialNumber: order.serialNumber,
    units: units.map((unit) => ({
      ...unit,
      ...pick(costs, random),
      supplier: pick(['depot', 'bulk'], random),
    })),
  });
}

/** Plays a shop's days: the same for each store. */
async function play(store: Store, seed: number, orders: number): Promise<string[]> {
  const random = randomOf(seed);
  const ids: string[] = [];
  for (let index = 0; index < orders; index += 1) {
    const orderId = `INV-20260328100000-${String(index).padStart(8, '0')}`;
    ids.push(orderId);
    const quantity = 1 + random(3);
    const discount = random(2) * 1_000 * quantity;
    const fee = random(3) * 150;
    const pricing = {
      ...order().pricing,
      ...{ quantity, promo_discount: discount, payment_fee: fee, unique_code: 0 },
      total_price: 22_000 * quantity - discount + fee,
    };
    const product = { ...order().product, code: pick(['ML86', 'ML172'], random) };
    const game = { ...order().game, slug: pick(['mobile-legends', 'free-fire'], random) };
    const about = { orderId, pricing, product, game, accountId: pick(['one', 'two'], random) };
    const createdAt = moment + random(72) * hour;
    const payment = { ...order().payment, reference: `ref-${index}` };
    await store.placeOrder(
      place(another('A', { ...about, createdAt, expiresAt: createdAt + hour, payment })),
    );
    let at = createdAt;
    for (let step = 0; step < 4 + random(16); step += 1) {
      at += random(20) * hour * 0.25;
      const stored = await store.findOrder(orderId);
      if (!stored) throw new Error(`${orderId} is missing`);
      if (step === 0 && random(3) > 0)
        await applyPaymentEvent(
          { store, now: at },
          {
            ...{
              reference: payment.reference,
              status: 'paid',
              amount: pricing.total_price + (random(5) === 0 ? 500 : 0),
            },
            ...{ at: createdAt + 1 + random(1_000_000), ...(random(2) === 0 && { fee: random(500) }) },
          },
        );
      else if (random(2) === 0)
        await performAction({ store, at, emit: () => {} }, stored, pick(actions, random));
      // Many are not allowed in the order's state.
      else await operate(store, orderId, at, random).catch(() => {});
      if (random(3) === 0 || step === 2) await price(store, orderId, random);
      if (random(40) === 0) await store.prepareSales(3);
    }
  }
  return ids;
}

/** What each order earned by what is stored of it now, told by the reading methods alone. */
async function recount(store: Store, ids: readonly string[]) {
  const orders = await Promise.all(
    ids.map(async (orderId) => {
      const [order, units, history, refunds, reconciliations] = await Promise.all([
        store.findOrder(orderId),
        store.findUnits(orderId),
        store.findHistory(orderId),
        store.findRefunds(orderId),
        store.listReconciliations({ orderId }),
      ]);
      if (!order || !['PAID', 'REFUND'].includes(order.paymentStatus)) return [];
      const { quantity, total_price, payment_fee, promo_discount } = order.pricing;
      const received = amountReceived(order, reconciliations);
      const missing =
        order.buyStatus === 'Gagal' ? units.filter(({ state }) => state !== 'delivered').length : 0;
      const paid = Math.min(received, total_price);
      const kept = Math.floor((paid * (quantity - missing)) / quantity);
      const back = refunds
        .filter(({ state }) => state !== 'cancelled')
        .reduce((sum, { amount }) => sum + amount, 0);
      const payment = history.find(({ event }) => event === 'paid' || event === 'settled');
      const paidAt = payment?.paidAt ?? payment?.at ?? Number.NaN;
      // docs/reports.md: what was submitted or waits costs its listed price until the supplier says another one, unless it failed.
      const bought = units.filter(({ state }) => state !== 'failed');
      return [
        {
          ...{ game: order.game.slug, product: order.product.code, method: order.paymentMethod.code },
          account: order.accountId,
          day: new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(paidAt),
          units: quantity,
          turnover: received,
          discounts: promo_discount,
          returned: Math.min(received, Math.max(received - kept, back)),
          gatewayFees: payment?.fee ?? payment_fee,
          reportedFees: payment?.fee ?? 0,
          cost: bought.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
          listedCost: bought
            .filter(({ costSource }) => costSource === 'listed')
            .reduce((sum, { cost }) => sum + (cost ?? 0), 0),
          unknownCosts: bought.filter(({ cost }) => cost === null).length,
          suppliers: units.map(({ supplier, cost, state }) => ({
            supplier: supplier ?? '',
            cost: state === 'failed' ? 0 : (cost ?? 0),
          })),
        },
      ];
    }),
  );
  return orders.flat();
}

const sumBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  amountOf: (item: Item) => number,
) => {
  const sums: Record<string, number> = {};
  for (const item of items) sums[keyOf(item)] = (sums[keyOf(item)] ?? 0) + amountOf(item);
  return sums;
};

const stores: Record<string, () => Store | Promise<Store>> = {
  memory: () => createMemoryStore(),
  file() {
    const folder = mkdtempSync(join(tmpdir(), 'topup-'));
    const store = createSqliteStore({ path: join(folder, 'topup.db') });
    onTestFinished(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    return store;
  },
  async PostgreSQL() {
    const store = createPostgresStore({ url: await postgres.newSchema() });
    onTestFinished(() => store.close());
    return store;
  },
};

const figures = [
  ...(['units', 'turnover', 'discounts', 'returned', 'gatewayFees', 'reportedFees', 'cost'] as const),
  ...(['listedCost', 'unknownCosts'] as const),
];

describe.each(Object.keys(stores))('the report of random orders of a %s store', (name) => {
  // Each change of an order in a database takes as long as ten in a file.
  const size = name === 'PostgreSQL' ? 40 : 120;
  it.each(name === 'file' ? [1, 2] : [1])(
    'matches a recount of every order (seed %i)',
    async (seed) => {
      const store = await stores[name]?.();
      if (!store) throw new Error(name);
      const ids = await play(store, seed, size);
      const orders = await recount(store, ids);
      expect(orders.length).toBeGreaterThan(size / 6);
      expect(orders.filter(({ returned }) => returned > 0).length).toBeGreaterThan(size / 6);
      const refunds = await store.listRefunds();
      expect(refunds.filter(({ state }) => state === 'cancelled').length).toBeGreaterThan(size / 24);
      expect(refunds.filter(({ units }) => units.length === 0).length).toBeGreaterThan(size / 60);

      for (const by of salesDivisions) {
        const { rows, total } = await reportSales({ store, timezone }, { span: always, by });
        expect(total.orders).toBe(orders.length);
        for (const figure of figures)
          expect({ by, [figure]: total[figure] }).toEqual({
            by,
            [figure]: orders.reduce((sum, order) => sum + order[figure], 0),
          });
        const profits = orders.map(
          (order) => order.turnover - order.returned - order.gatewayFees - order.cost,
        );
        expect(computeProfit(total)).toBe(profits.reduce((sum, profit) => sum + profit, 0));
        if (by === 'supplier') {
          const costs = sumBy(
            orders.flatMap(({ suppliers }) => suppliers),
            ({ supplier }) => supplier,
            ({ cost }) => cost,
          );
          expect(Object.fromEntries(rows.map(({ key, cost }) => [key, cost]))).toEqual(costs);
          continue;
        }
        for (const figure of ['turnover', 'gatewayFees', 'cost'] as const)
          expect(
            Object.fromEntries(rows.filter(({ orders }) => orders > 0).map((row) => [row.key, row[figure]])),
          ).toEqual(
            sumBy(
              orders,
              (order) => order[by],
              (order) => order[figure],
            ),
          );
        if (by !== 'day')
          expect(Object.fromEntries(rows.map(({ key, returned }) => [key, returned]))).toEqual(
            sumBy(
              orders,
              (order) => order[by],
              ({ returned }) => returned,
            ),
          );
      }
    },
    60_000,
  );
});
