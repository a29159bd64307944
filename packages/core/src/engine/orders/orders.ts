import type { StoredOrder } from '../../store/index.ts';
import {
  type OrderAnswer,
  type OrderCommand,
  type PlaceOrderDependencies,
  placeOrder,
  replay,
} from './place-order.ts';
import { happen, isOverdue } from './states.ts';

export interface Orders {
  /** The stored answer of an idempotency key; null when the key is free. */
  findAnswer(
    accountId: string,
    idempotency: { key: string; fingerprint: string },
  ): Promise<OrderAnswer | null>;
  place(command: OrderCommand): Promise<OrderAnswer>;
  /** An order of this account, expired if its time is over; null when there is none. */
  find(accountId: string, orderId: string): Promise<StoredOrder | null>;
  /** The order that a payment reference belongs to, for its payment page. */
  findByReference(reference: string): Promise<StoredOrder | null>;
}

export function createOrders(deps: PlaceOrderDependencies): Orders {
  const { store, worldClock } = deps;

  /** Whoever reads an order whose time is over finds it expired, whether or not a sweep came by. */
  async function expireOnRead(order: StoredOrder | null): Promise<StoredOrder | null> {
    if (!order || !isOverdue(order, worldClock())) return order;
    const happened = await happen(store, order.orderId, { event: 'expired', by: 'clock', at: worldClock() });
    return happened?.order ?? null;
  }

  return {
    async findAnswer(accountId, { key, fingerprint }) {
      const stored = await store.findAnswer(accountId, key, worldClock());
      return stored && replay(stored, fingerprint);
    },
    place: (command) => placeOrder({ ...deps, random: deps.orderRandom?.(command) ?? deps.random }, command),
    async find(accountId, orderId) {
      const order = await store.findOrder(orderId);
      return order?.accountId === accountId ? expireOnRead(order) : null;
    },
    findByReference: async (reference) => expireOnRead(await store.findOrderByReference(reference)),
  };
}
