import type { ChangeOrder, Store, StoredOrder } from '../../store/index.ts';
import { type OrderEventInput, planChange } from './states.ts';

/** What is to become of an order; without a change, nothing. */
interface Plan {
  change: ChangeOrder | null;
}

/**
 * The one way in which an order changes: reads it, plans and stores the change, and starts again when the order was changed
 * in between.
 *
 * @param known what `read` would return, if the caller has just read it
 * @returns the plan that was carried out.
 */
export async function changeOrder<Read, Planned extends Plan>(
  store: Pick<Store, 'changeOrder'>,
  read: () => Promise<Read>,
  plan: (subject: Read) => Planned | Promise<Planned>,
  known: Read | null = null,
): Promise<Planned> {
  for (let subject = known ?? (await read()); ; subject = await read()) {
    const planned = await plan(subject);
    if (!planned.change || 'done' in (await store.changeOrder(planned.change))) return planned;
  }
}

/** An order as a change leaves it. */
export const changed = (order: StoredOrder, { to, serialNumber, version }: ChangeOrder): StoredOrder => ({
  ...order,
  ...to,
  serialNumber,
  version: version + 1,
});

/**
 * Applies an event to an order.
 *
 * @param known the order, if the caller has just read it
 * @returns the order afterwards, and whether the event changed it; null when there is no such order.
 */
export async function applyEvent(
  store: Store,
  orderId: string,
  input: OrderEventInput,
  known: StoredOrder | null = null,
): Promise<{ order: StoredOrder; changed: boolean } | null> {
  const read = (): Promise<StoredOrder | null> => store.findOrder(orderId);
  const plan = async (order: StoredOrder | null) => ({
    order,
    change: order && (await canSettle(store, input, orderId)) ? planChange(order, input) : null,
  });
  const { order, change } = await changeOrder(store, read, plan, known);
  return order && { order: change ? changed(order, change) : order, changed: change !== null };
}

/** Whether the reconciliations that an event settles are open, and not those of another order. */
async function canSettle(store: Store, { settles = [] }: OrderEventInput, orderId: string): Promise<boolean> {
  const open = await Promise.all(
    settles.map((reconciliationId) => store.listReconciliations({ reconciliationId, state: 'open' })),
  );
  return open.every(([payment]) => payment && (payment.orderId ?? orderId) === orderId);
}
