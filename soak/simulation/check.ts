import { verifyOrder } from '@topup-kit/core/engine';
import {
  type Reconciliation,
  type Refund,
  type ReservedOrder,
  reconciliationsOf,
  type Store,
  type StoredOrder,
  type StoredUnit,
} from '@topup-kit/core/store';
import type { PurchaseResult } from '@topup-kit/core/supplier';
import { digits } from './model/choices.ts';
import { expectOneOf, expectSame, Mismatch, type Model, type ModelOrder } from './model/model.ts';
import type { Shop } from './shop.ts';

/** Everything in the store that the model describes. */
export interface Snapshot {
  orders: ReadonlyMap<string, { order: StoredOrder; units: readonly StoredUnit[] }>;
  reserved: ReadonlyMap<string, ReservedOrder>;
  reconciliations: readonly Reconciliation[];
  refunds: readonly Refund[];
}

export async function takeSnapshot(store: Store): Promise<Snapshot> {
  const orders = await store.listOrders({ limit: 100 });
  const reserved = await store.findReservedOrders(100);
  const withUnits = orders.map(
    async (order) => [order.orderId, { order, units: await store.findUnits(order.orderId) }] as const,
  );
  return {
    orders: new Map(await Promise.all(withUnits)),
    reserved: new Map(reserved.map((order) => [order.orderId, order])),
    reconciliations: await store.listReconciliations(),
    refunds: await store.listRefunds(),
  };
}

const isOpen = ({ state }: StoredUnit): boolean => state !== 'delivered' && state !== 'failed';

/** Returns the buy status for a payment status and the outcomes of the items (open points: states). */
export function buyStatusOf(payment: ModelOrder['payment'], units: readonly StoredUnit[]): string {
  if (payment === 'UNPAID') return 'Pending';
  if (payment === 'EXPIRED' || payment === 'FAILED') return 'Batal';
  if (payment === 'REFUND') return 'Gagal';
  if (units.some(isOpen)) return 'Proses';
  return units.every(({ state }) => state === 'delivered') ? 'Sukses' : 'Gagal';
}

export const isBought = (one: PurchaseResult | undefined): boolean =>
  one !== undefined && one.state !== 'failed';

/** Expects that the shop's data about an item agrees with the supplier's books. `marked` items have the state that an operator set. */
function expectUnit(shop: Shop, order: ModelOrder, unit: StoredUnit, marked: ReadonlySet<string>): void {
  const { purchases, supplier } = shop.providers;
  const name = `${order.id}-${unit.unit}-${unit.attempt}`;
  if (marked.has(name)) return;
  const booked = purchases.get(name);
  const known = booked?.state ?? 'not bought';
  const allowed = {
    waiting: ['not bought'],
    asked: ['not bought', 'pending', 'delivered', 'failed'],
    unknown:
      supplier.abilities.findBy === 'reference' ? [] : ['not bought', 'pending', 'delivered', 'failed'],
    delivered: ['delivered'],
    failed: order.payment === 'REFUND' ? ['failed', 'not bought'] : ['failed'],
  };
  expectOneOf(`item ${name}, ${unit.state}, at the supplier`, known, allowed[unit.state]);
  if (unit.state === 'delivered' && booked?.state === 'delivered')
    expectSame(`the serial number of ${name}`, unit.serialNumber, booked.serialNumber);
}

function expectOrder(shop: Shop, order: ModelOrder, snapshot: Snapshot, marked: ReadonlySet<string>): void {
  const stored = snapshot.orders.get(order.id);
  if (!stored) throw new Mismatch(`${order.id} is missing`);
  const { units } = stored;
  const { paymentStatus, buyStatus } = stored.order;
  expectSame(
    `the state of ${order.id}`,
    `${paymentStatus} / ${buyStatus}`,
    `${order.payment} / ${buyStatusOf(order.payment, units)}`,
  );
  const isPaid = order.payment === 'PAID' || order.payment === 'REFUND';
  expectSame(`the items of ${order.id}`, units.length, isPaid ? order.quantity : 0);
  for (const unit of units) expectUnit(shop, order, unit, marked);
}

/** Expects that nothing is bought twice, or for an unpaid order. */
function expectPurchases({ providers: { purchases, repeated } }: Shop, { orders }: Model): void {
  expectSame('the purchases that were submitted twice', repeated, []);
  const bought = [...purchases].filter(([, one]) => isBought(one)).map(([name]) => name.replace(/-\d+$/, ''));
  expectSame(
    'the items that were bought twice',
    bought.filter((name, index) => bought.indexOf(name) !== index),
    [],
  );
  for (const name of purchases.keys()) {
    const order = orders.find(({ id }) => name.startsWith(id));
    expectOneOf(`the order of ${name}`, order?.payment ?? 'missing', ['PAID', 'REFUND']);
  }
}

const customers = [digits('081234567890'), digits('081298765432')];

/** Expects that each promo is used as often as orders count, and never more often than allowed. Returns the model with these uses. */
async function expectUses(store: Store, model: Model): Promise<Model> {
  let { orders } = model;
  for (const { code, quota } of model.catalog.promos) {
    for (const customer of customers) {
      const { total, byCustomer } = await store.countPromoUses(code, customer);
      const own = orders.filter((one) => one.promo === code && one.customer === customer);
      const certain = own.filter(({ holds }) => holds === true).length;
      const most = own.filter(({ holds }) => holds !== false).length;
      if (byCustomer < certain || byCustomer > most)
        throw new Mismatch(
          `${code} has ${byCustomer} uses by ${customer}, and should have ${certain === most ? most : `${certain} to ${most}`}`,
        );
      if (quota !== null && total > quota)
        throw new Mismatch(`${code} has ${total} uses, and may have ${quota}`);
      const all = byCustomer === most ? true : byCustomer === certain ? false : null;
      if (certain !== most)
        orders = orders.map((one) =>
          own.includes(one) && one.holds === null ? { ...one, holds: all } : one,
        );
    }
  }
  return { ...model, orders };
}

/** Sorts payments to reconcile, so that those of the store and of the model can be compared. */
export const inOrder = (
  all: readonly (Pick<Reconciliation, 'orderId' | 'amount' | 'reason' | 'state'> &
    ({ paidAt: number } | { at: number }))[],
): string[] =>
  all
    .map((one) => {
      const paidAt = 'at' in one ? one.at : one.paidAt;
      return [one.orderId, one.amount, paidAt, one.reason, one.state].join(' ');
    })
    .toSorted();

/** Compares the whole store and the supplier's books with the model. Returns the model with the observed choices. */
export async function expectStore(
  shop: Shop,
  model: Model,
  snapshot: Snapshot,
  marked: ReadonlySet<string>,
): Promise<Model> {
  const ids = (isReserved: boolean): string[] =>
    model.orders
      .filter((one) => one.isReserved === isReserved)
      .map(({ id }) => id)
      .toSorted();
  expectSame('the orders', [...snapshot.orders.keys()].toSorted(), ids(false));
  expectSame('the reserved orders', [...snapshot.reserved.keys()].toSorted(), ids(true));
  for (const order of model.orders) if (!order.isReserved) expectOrder(shop, order, snapshot, marked);
  expectSame('the payments to reconcile', inOrder(snapshot.reconciliations), inOrder(model.reconciliations));
  expectSame(
    'the refunds',
    snapshot.refunds.map(({ orderId, amount, state }) => `${orderId} ${amount} ${state}`).toSorted(),
    model.orders
      .flatMap(({ id, refunds }) => refunds.map(({ amount, state }) => `${id} ${amount} ${state}`))
      .toSorted(),
  );
  expectPurchases(shop, model);
  return expectUses(shop.store, model);
}

/**
 * Expects that the records of each order agree, by those rules of `topup db verify` for which a store in memory has the records. Promo uses
 * are compared with the model and in other tests.
 */
export async function expectSoundOrders(store: Store, { orders, refunds, reconciliations }: Snapshot) {
  const changes = Map.groupBy(await store.findChanges(0, 10_000), ({ orderId }) => orderId);
  for (const { order, units } of orders.values()) {
    const { orderId, pricing } = order;
    const all = changes.get(orderId) ?? [];
    const later = all.flatMap(({ entry, version }) => (entry ? [{ entry, version }] : []));
    const differences = verifyOrder({
      ...{
        order,
        units,
        history: later.map(({ entry }) => entry),
        versions: later.map(({ version }) => version),
      },
      claim: null,
      columns: { totalPrice: pricing.total_price, uniqueCode: pricing.unique_code },
      refunds: refunds.filter((refund) => refund.orderId === orderId),
      reconciliations: reconciliationsOf(order, reconciliations),
    });
    expectSame(
      `what contradicts itself in ${orderId}`,
      differences.filter(({ rule }) => rule !== 'promos').map(({ sentence }) => sentence),
      [],
    );
  }
}

/** Allowed transitions (open points, states). */
const arrows = new Set([
  ...['UNPAID>PAID', 'UNPAID>EXPIRED', 'UNPAID>FAILED', 'EXPIRED>PAID', 'FAILED>PAID', 'PAID>REFUND'],
  ...['Pending>Proses', 'Batal>Proses', 'Pending>Batal', 'Proses>Sukses', 'Proses>Gagal', 'Gagal>Proses'],
]);

/** Expects that the history leads from the first state to the current one, by transitions of the contract. */
export async function expectHistory(store: Store, { order }: { order: StoredOrder }): Promise<void> {
  let at = { paymentStatus: 'UNPAID', buyStatus: 'Pending' };
  for (const { from, to } of await store.findHistory(order.orderId)) {
    expectSame(`the history of ${order.orderId}`, from, at);
    for (const arrow of [`${from.paymentStatus}>${to.paymentStatus}`, `${from.buyStatus}>${to.buyStatus}`]) {
      const [before, after] = arrow.split('>');
      if (before !== after && !arrows.has(arrow))
        throw new Mismatch(`${order.orderId} went from ${before} to ${after}`);
    }
    at = to;
  }
  expectSame(`the end of the history of ${order.orderId}`, at, {
    paymentStatus: order.paymentStatus,
    buyStatus: order.buyStatus,
  });
}
