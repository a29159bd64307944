import { phoneDigits } from '../../contract/index.ts';
import { isStoreFailure } from '../../engine/failures.ts';
import { isOpen } from '../../engine/operator-plans.ts';
import { lateMs } from '../../engine/payment-polling.ts';
import type { House, Room } from '../../engine/rooms.ts';
import type { Clock } from '../../platform/index.ts';
import {
  type EraseOrder,
  type HashCustomer,
  isErased,
  type Store,
  type StoredOrder,
} from '../../store/index.ts';

/**
 * Reason why personal data can't be erased yet. `open`: the order is unpaid or undelivered. `late`: it has just expired, and its payment
 * may still arrive. `owed`: its delivery failed, and it is not refunded. `refund`: a refund must be paid by hand. `reconcile`: an operator
 * must reconcile one of its payments. `contradicted`: its supplier contradicted itself.
 */
export type KeptBecause = 'open' | 'late' | 'owed' | 'refund' | 'reconcile' | 'contradicted';

export interface ErasureDependencies {
  store: Store;
  worldClock: Clock;
  hashCustomer: HashCustomer;
}

/** A customer's order, with the reason why it can't be erased yet; null if it can be erased. */
export interface CustomerOrder {
  order: StoredOrder;
  kept: KeptBecause | null;
}

const pageSize = 50;

/** Returns the reason why an order's personal data is still needed; null if it isn't needed. */
export async function keptBecause(
  { store, worldClock }: Pick<ErasureDependencies, 'store' | 'worldClock'>,
  { orderId, paymentStatus, buyStatus, expiresAt }: StoredOrder,
): Promise<KeptBecause | null> {
  if (buyStatus === 'Pending' || buyStatus === 'Proses') return 'open';
  if (paymentStatus === 'EXPIRED' && worldClock() < expiresAt + lateMs) return 'late';
  if (paymentStatus === 'PAID' && buyStatus === 'Gagal') return 'owed';
  if ((await store.findRefunds(orderId)).some(({ state }) => state === 'to-pay')) return 'refund';
  if ((await store.listReconciliations({ orderId, state: 'open' })).length > 0) return 'reconcile';
  const units = await store.findUnits(orderId);
  return units.some((unit) => isOpen(unit) || unit.contradiction !== null) ? 'contradicted' : null;
}

/** Finds the orders of a phone number in its normal form, newest first. */
export async function findCustomerOrders(
  deps: Pick<ErasureDependencies, 'store' | 'worldClock'>,
  customer: string,
): Promise<CustomerOrder[]> {
  const found: CustomerOrder[] = [];
  for (;;) {
    const after = found.at(-1)?.order;
    const orders = await deps.store.listOrders({ customer, after, limit: pageSize });
    for (const order of orders) found.push({ order, kept: await keptBecause(deps, order) });
    if (orders.length < pageSize) return found;
  }
}

/** Erases an order's personal data everywhere in the store, unless the data is still needed. Resolves with true if it was erased. */
export async function eraseOrder(
  deps: ErasureDependencies,
  { orderId }: Pick<StoredOrder, 'orderId'>,
  erasure: EraseOrder['erasure'],
): Promise<boolean> {
  const { store, hashCustomer } = deps;
  for (;;) {
    const order = await store.findOrder(orderId);
    if (!order || isErased(order) || (await keptBecause(deps, order)) !== null) return false;
    const customerHash = hashCustomer(phoneDigits(order.contact.whatsapp));
    const { version } = order;
    if ('done' in (await store.eraseOrder({ orderId, version, customerHash, erasure }))) return true;
  }
}

const dayMs = 24 * 60 * 60_000;

/** The author's name in records of erasures by age. */
const retention = 'TOPUP_RETENTION_DAYS';

/**
 * Creates the due work that erases personal data of orders older than this many days. It checks all such orders once a day, page by page,
 * because orders that could not be erased are among those that were. It runs in the background, because nothing waits for it.
 */
export const eraseOldOrders =
  (host: { store: Store; hashCustomer: HashCustomer; days: number }): Room =>
  (house) => {
    const start = house.startClaimed('erase old orders');
    const retention = createRetention(host, house);
    return {
      async 'erase old orders'() {
        if (retention.isDue()) void start('old orders', () => retention.run());
      },
    };
  };

function createRetention(
  { store, hashCustomer, days }: Parameters<typeof eraseOldOrders>[0],
  { worldClock, monotonicClock, emit }: House,
): { isDue(): boolean; run(): Promise<void> } {
  let next = Number.NEGATIVE_INFINITY;
  let after: StoredOrder | undefined;
  let erased = 0;

  async function erase(order: StoredOrder, at: number): Promise<void> {
    try {
      if (
        !isErased(order) &&
        (await eraseOrder({ store, worldClock, hashCustomer }, order, { at, by: retention }))
      )
        erased += 1;
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      emit({ type: 'error', error, about: order.orderId });
    }
  }

  return {
    isDue: () => monotonicClock() >= next,
    async run() {
      const now = worldClock();
      const orders = await store.listOrders({ before: now - days * dayMs, after, limit: pageSize });
      for (const order of orders) await erase(order, now - (now % dayMs));
      after = orders.at(-1);
      if (after) return;
      next = monotonicClock() + dayMs;
      if (erased > 0) emit({ type: 'erased', orders: erased });
      erased = 0;
    },
  };
}
