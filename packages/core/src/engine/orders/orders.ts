import type { OrderProgress, StoredOrder } from '../../store/index.ts';
import { amountRefunded } from '../refunds.ts';
import { applyEvent } from './change-order.ts';
import {
  findReplay,
  type KeyedPayload,
  type OrderCommand,
  type OrderResponse,
  type PlaceOrderDependencies,
  placeOrder,
} from './place-order.ts';
import { isOverdue } from './states.ts';

export interface Orders {
  /** The stored response of an idempotency key; null when the key is free. */
  findIdempotentResponse(accountId: string, idempotency: KeyedPayload): Promise<OrderResponse | null>;
  place(command: OrderCommand): Promise<OrderResponse>;
  /** An order of this account, expired if it is overdue; null when there is none. */
  find(accountId: string, orderId: string): Promise<StoredOrder | null>;
  /**
   * What goes back to the customer of a refunded order, in integers of the smallest unit; null of another order, and of one that
   * an earlier version refunded.
   */
  findRefundAmount(order: StoredOrder): Promise<number | null>;
  /** The part of it that polling needs. */
  findProgress(accountId: string, orderId: string): Promise<OrderProgress | null>;
  /** The order of a payment page, by the reference in its address. */
  findByPage(reference: string): Promise<StoredOrder | null>;
}

/** The order, if it is of this account. */
const ownOnly = <Found extends OrderProgress>(order: Found | null, accountId: string): Found | null =>
  order?.accountId === accountId ? order : null;

export function createOrders(deps: PlaceOrderDependencies): Orders {
  const { store, worldClock } = deps;

  async function expire(orderId: string): Promise<StoredOrder | null> {
    const applied = await applyEvent(store, orderId, { event: 'expired', by: 'clock', at: worldClock() });
    return applied?.order ?? null;
  }

  /** Expires an overdue order on read, because the due work may run later. */
  const expireOnRead = <Found extends OrderProgress>(
    order: Found | null,
  ): Found | null | Promise<StoredOrder | null> =>
    order && isOverdue(order, worldClock()) ? expire(order.orderId) : order;

  return {
    findIdempotentResponse: (accountId, idempotency) => findReplay(deps, { accountId, idempotency }),
    place: (command) => placeOrder({ ...deps, random: deps.orderRandom?.(command) ?? deps.random }, command),
    find: async (accountId, orderId) => expireOnRead(ownOnly(await store.findOrder(orderId), accountId)),
    async findRefundAmount({ orderId, paymentStatus }) {
      const refunds = paymentStatus === 'REFUND' ? await store.findRefunds(orderId) : [];
      return refunds.length === 0 ? null : amountRefunded(refunds);
    },
    findProgress: async (accountId, orderId) =>
      expireOnRead(ownOnly(await store.findProgress(orderId), accountId)),
    findByPage: async (reference) => expireOnRead(await store.findOrderByPage(reference)),
  };
}
