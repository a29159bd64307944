import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { closeRefund, findAlerts, markOrder, refundOrder, returnPayment } from '@topup-kit/core/engine';
import {
  createMemoryStore,
  type Reconciliation,
  type Refund,
  type Store,
  type StoredOrder,
  type StoredUnit,
} from '@topup-kit/core/store';
import { knownGateways } from '../../packages/providers/test/helpers/known-gateways.ts';
import { expectReport } from './report.ts';
import { openShop, otherThan, type Shop, type Shown } from './shop.ts';
import type { Bought, Paid, Pair, SupplierName } from './simulated.ts';
import type { Story } from './stories.ts';

/** Names of the requests to each supplier. */
const supplierRequests = {
  digiflazz: { create: 'transaction', 'look-up': 'transaction', pay: null },
  'vip-reseller': { create: 'order', 'look-up': 'status', pay: null },
  tokovoucher: { create: 'transaction', 'look-up': 'status', pay: null },
} as const;

/** Steps of the clock in seconds. Their sum exceeds every timeout, every interval between look-ups and every retry of a callback. */
const waits = [1, 2, 4, 8, 15, 30, 45, 60, 75, 120, 120, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400];

async function plan({ providers, pair }: Shop, story: Story): Promise<void> {
  const { troubles = [], outcomes = [], otherOutcomes = [], isBroke = false } = story;
  async function planOutcomes(
    supplier: SupplierName,
    planned: NonNullable<Story['outcomes']>,
  ): Promise<void> {
    for (const outcome of planned) {
      const known =
        supplier === 'vip-reseller'
          ? { 'pending-failed': 'failed', pending: 'waiting', done: 'done', failed: 'failed' }[outcome]
          : outcome;
      await providers.control(`${supplier}/plan`, { outcome: known });
    }
  }
  for (const { at, fault, on, times = 1 } of troubles) {
    const name = pair[at];
    const requests =
      at === 'gateway' ? knownGateways[pair.gateway].requests : supplierRequests[pair.supplier];
    await providers.control('faults', {
      provider: name,
      fault,
      times,
      on: on ? requests[on] : null,
    });
  }
  await planOutcomes(pair.supplier, outcomes);
  await planOutcomes(otherThan(pair.supplier), otherOutcomes);
  if (isBroke) await providers.control(`${pair.supplier}/balance`, { balance: 0 });
}

async function pay(shop: Shop, shown: Shown | null, { pays = 'once' }: Story): Promise<void> {
  const { pair, providers } = shop;
  if (pays === 'never') return;
  const open = await providers.paid(pair.gateway);
  const chosen = open.filter(({ reference }) => pays === 'everything' || reference === shown?.reference);
  if (pays === 'late') await shop.advance(45 * 60);
  for (const { reference, orderId } of chosen) {
    const name = pair.gateway === 'tripay' ? reference : orderId;
    await providers.control(`${pair.gateway}/pay`, { reference: name, late: pays === 'late' });
    if (pays !== 'twice') continue;
    await shop.advance(3);
    await providers.control(`${pair.gateway}/pay`, { reference: name, late: true });
  }
}

interface Books {
  orders: { order: StoredOrder; units: StoredUnit[] }[];
  reconciliations: Reconciliation[];
  refunds: Refund[];
  paid: Paid[];
  bought: Bought[];
}

async function read({ store, providers, pair }: Shop): Promise<Books> {
  const orders = await store.listOrders({ limit: 100 });
  const paid = await providers.paid(pair.gateway);
  return {
    orders: await Promise.all(
      orders.map(async (order) => ({ order, units: await store.findUnits(order.orderId) })),
    ),
    reconciliations: await store.listReconciliations(),
    refunds: await store.listRefunds(),
    paid,
    bought: [
      ...(await providers.bought(pair.supplier)),
      ...(await providers.bought(otherThan(pair.supplier))),
    ],
  };
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Expects that each rupiah that the gateway received belongs to an order or waits for an operator, exactly once. */
function expectMoneyToAddUp({ orders, reconciliations, paid }: Books): void {
  const moneyIn = sum(paid.flatMap(({ amounts }) => amounts));
  const counted = orders.filter(({ order }) => ['PAID', 'REFUND'].includes(order.paymentStatus));
  // A refund is money that has left.
  const waiting = reconciliations.filter(({ state, reason }) => state !== 'settled' && reason !== 'refunded');
  const total =
    sum(counted.map(({ order }) => order.pricing.total_price)) + sum(waiting.map(({ amount }) => amount));
  equal(total, moneyIn, `orders and reconciliations hold ${total} rupiah, and the gateway took ${moneyIn}`);
}

/** Expects that a refunded order pays back the share of the undelivered items, and that nobody gets more, unless the gateway paid it. */
function expectRefundsToFit({ orders, refunds, paid }: Books): void {
  for (const { order, units } of orders) {
    const refunded = sum(refunds.flatMap(({ orderId, amount }) => (orderId === order.orderId ? amount : [])));
    const { quantity, total_price: total } = order.pricing;
    const delivered = units.filter(({ state }) => state === 'delivered').length;
    const byGateway = sum(paid.flatMap((one) => (one.orderId === order.orderId ? one.refunded : [])));
    const share = total - Math.floor((total * delivered) / quantity);
    const owed = order.paymentStatus === 'REFUND' ? Math.max(share, byGateway) : 0;
    equal(refunded, owed, `of ${order.orderId}, ${refunded} is refunded, and ${owed} should be`);
  }
}

/** Expects that nothing is bought for an unpaid order, and no item twice. */
function expectNoItemTooMany({ orders, bought }: Books): void {
  const paid = orders.filter(({ order }) => ['PAID', 'REFUND'].includes(order.paymentStatus));
  const items = sum(paid.map(({ order }) => order.pricing.quantity));
  ok(bought.length <= items, `${bought.length} items are bought, and ${items} are paid`);
}

/** Returns the names in all alerts, except those about failed callbacks, which only time ends. */
const alertsOf = async ({ store, clock }: Shop): Promise<string[]> =>
  (await findAlerts(store, { now: clock(), realNow: clock() }))
    .filter(({ kind }) => kind !== 'failing-callbacks')
    .flatMap(({ names }) => names);

/** Expects alerts about everything that the shop can't complete itself. */
async function expectAlerts(shop: Shop, { orders, reconciliations }: Books): Promise<void> {
  const named = await alertsOf(shop);
  const waiting = [
    ...orders
      .filter(({ order }) => order.paymentStatus === 'PAID' && order.buyStatus !== 'Sukses')
      .map(({ order }) => order.orderId),
    ...reconciliations.filter(({ state }) => state === 'open').map((one) => one.reconciliationId),
  ];
  deepEqual(
    waiting.filter((name) => !named.includes(name)),
    [],
    'what no alert names',
  );
}

/** Acts as an operator who follows the runbook, and can see the records of the supplier. Returns the amount that was refunded by hand. */
async function operate(shop: Shop): Promise<number> {
  let byHand = 0;
  const { store, clock } = shop;
  const deps = { store, worldClock: clock, operator: 'ani' };
  const { orders, bought } = await read(shop);
  for (const { order, units } of orders) {
    const { orderId } = order;
    if (order.paymentStatus !== 'PAID') continue;
    const known = new Set(units.flatMap(({ supplierId }) => supplierId ?? []));
    const strangers = bought.filter(
      ({ supplier, reference }) => supplier === 'vip-reseller' && !known.has(reference),
    );
    for (const one of units) {
      const item = bought.find(
        ({ reference }) =>
          reference === `${orderId}-${one.unit}-${one.attempt}` || reference === one.supplierId,
      );
      const found =
        item ?? (one.state === 'unknown' && one.supplier === 'vip-reseller' ? strangers.shift() : undefined);
      const isClear = ['delivered', 'failed'].includes(one.state) && one.contradiction === null;
      if (isClear && (one.state === 'delivered') === (found !== undefined)) continue;
      await markOrder(deps, orderId, {
        unit: one.unit,
        outcome: found ? 'delivered' : 'failed',
        note: 'by the records of the supplier',
        ...(found && { serialNumber: found.serialNumber }),
      });
    }
    const after = await store.findOrder(orderId);
    if (after?.buyStatus === 'Gagal') await refundOrder(deps, orderId);
  }
  for (const { refundId, amount } of await store.listRefunds('to-pay')) {
    await closeRefund(deps, { refundId, state: 'paid', reference: 'by transfer' });
    byHand += amount;
  }
  for (const { reconciliationId, amount, reason } of await store.listReconciliations({ state: 'open' })) {
    await returnPayment(deps, reconciliationId, 'by transfer');
    // A refund by the gateway has already left.
    if (reason !== 'refunded') byHand += amount;
  }
  return byHand;
}

/** Expects that nothing is open, and that the delivered items are those that were bought. */
function expectAllDone({ orders, bought, reconciliations, refunds }: Books): void {
  for (const { order } of orders)
    match(
      `${order.paymentStatus} / ${order.buyStatus}`,
      /^(PAID \/ Sukses|REFUND \/ Gagal|(EXPIRED|FAILED) \/ Batal)$/,
    );
  const delivered = orders.flatMap(({ units }) => units).filter(({ state }) => state === 'delivered');
  const proofs = delivered.map(({ serialNumber }) => serialNumber).toSorted();
  deepEqual(proofs, bought.map(({ serialNumber }) => serialNumber).toSorted(), 'the proofs of delivery');
  deepEqual(
    reconciliations.filter(({ state }) => state === 'open'),
    [],
    'payments that are still to be reconciled',
  );
  deepEqual(
    refunds.filter(({ state }) => state === 'to-pay'),
    [],
    'refunds that are still to be paid',
  );
}

export interface Told {
  /** Number of steps of the shop until the end, or until it was killed. */
  steps: number;
  kills: number;
}

/** Plays a story on an empty store, with the shop killed at a step, and checks the books of the providers. */
export async function tell(
  pair: Pair,
  story: Story,
  dieAt: number | null,
  store: Store = createMemoryStore(),
): Promise<Told> {
  await using shop = await openShop(pair, { dieAt, isAtBoth: story.isAtBoth ?? false, store });
  await plan(shop, story);
  const shown = await shop.order();
  await pay(shop, shown, story);
  for (const seconds of waits) await shop.advance(seconds);
  const steps = shop.steps();
  if (story.afterwards && shown) {
    await story.afterwards(shop, shown);
    await shop.advance(60);
  }
  deepEqual(await shop.store.findReservedOrders(10), [], 'orders that are still reserved');
  const end = await read(shop);
  expectMoneyToAddUp(end);
  expectNoItemTooMany(end);
  await expectAlerts(shop, end);
  const byHand = await operate(shop);
  deepEqual(await alertsOf(shop), [], 'alerts after the operator was there');
  const after = await read(shop);
  expectMoneyToAddUp(after);
  expectRefundsToFit(after);
  expectAllDone(after);
  await expectReport(shop, { ...after, byHand });
  return { steps, kills: shop.kills() };
}
