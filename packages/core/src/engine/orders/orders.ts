import { type FailureReason, failureReasons } from '../../contract/index.ts';
import {
  matchesFilter,
  type OrderFilter,
  type OrderProgress,
  type StoredOrder,
  type StoredUnit,
} from '../../store/index.ts';
import { DomainError } from '../errors.ts';
import { amountRefunded } from '../refunds.ts';
import { applyEvent } from './change-order.ts';
import { createPlacing, type PlaceOrderDependencies, type Placing } from './place-order.ts';

/** A query for a page of an account's orders, newest first. Times are in unix milliseconds. */
interface OrderListQuery
  extends Pick<OrderFilter, 'paymentStatus' | 'buyStatus' | 'from' | 'before' | 'limit'> {
  /** The id of the previous page's last order. */
  cursor?: string | undefined;
  /** Selects only the order that was placed with this key. */
  idempotencyKey?: string | undefined;
}

export interface OrderPage {
  orders: StoredOrder[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
}

/** An order with the results of its delivery and its money. */
export interface InvoicedOrder extends StoredOrder {
  /** Reason why the delivery failed; null for any other order, and for an order that failed under an earlier version. */
  failureReason: FailureReason | null;
  /**
   * The amount that the customer of a refunded order gets back, as an integer in the smallest unit; null for any other order, and for an
   * order that an earlier version refunded.
   */
  refundAmount: number | null;
}

export interface Orders extends Placing {
  /** Finds an order of this account, and expires it if it is overdue; null if it is not found. */
  find(accountId: string, orderId: string): Promise<StoredOrder | null>;
  /**
   * Lists a page of this account's orders, and expires overdue ones; null for an unknown cursor.
   *
   * @throws DomainError IDEMPOTENCY_IN_FLIGHT while the order with the key is being placed.
   */
  list(accountId: string, query: OrderListQuery): Promise<OrderPage | null>;
  /** Returns an order with the data for its invoice. */
  invoiced(order: StoredOrder): Promise<InvoicedOrder>;
  /** Finds the part of an order that polling needs. */
  findProgress(accountId: string, orderId: string): Promise<OrderProgress | null>;
  /** Finds the order of a payment page by the reference in the page's URL. */
  findByPage(reference: string): Promise<StoredOrder | null>;
}

/** Returns the first reason in the list of reasons for which a unit failed. */
function failureReasonOf(units: readonly StoredUnit[]): FailureReason | null {
  const kinds = units.map(({ failureKind }) => failureKind);
  return failureReasons.find((reason) => kinds.includes(reason)) ?? null;
}

/** Returns the order if it belongs to this account. */
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
    order?.paymentStatus === 'UNPAID' && worldClock() >= order.expiresAt ? expire(order.orderId) : order;

  /** Lists the order that was placed with a key. */
  async function listKeyed(accountId: string, key: string): Promise<StoredOrder[]> {
    const stored = await store.findIdempotentResponse(accountId, key);
    if (stored?.body === null) throw new DomainError('IDEMPOTENCY_IN_FLIGHT');
    return stored ? [await store.findOrder(stored.orderId)].filter((order) => order !== null) : [];
  }

  return {
    ...createPlacing(deps),
    async list(accountId, { idempotencyKey, cursor, limit, ...query }) {
      const after = cursor === undefined ? undefined : ownOnly(await store.findOrder(cursor), accountId);
      if (after === null) return null;
      // One order above the page's limit shows whether the page is the last.
      const filter = { accountId, ...query, ...(after && { after }), limit: limit + 1 };
      const page =
        idempotencyKey === undefined
          ? await store.listOrders(filter)
          : await listKeyed(accountId, idempotencyKey);
      const orders = await Promise.all(page.slice(0, limit).map(expireOnRead));
      const next = page.length > limit ? page[limit - 1]?.orderId : undefined;
      // An order that has just expired may no longer match the filter.
      return {
        orders: orders.filter((order) => order !== null).filter((order) => matchesFilter(order, filter)),
        next: next ?? null,
      };
    },
    find: async (accountId, orderId) => expireOnRead(ownOnly(await store.findOrder(orderId), accountId)),
    async invoiced(order) {
      const { orderId, paymentStatus, buyStatus } = order;
      const mayGoBack = paymentStatus === 'REFUND' || buyStatus === 'Sukses';
      const refunds = mayGoBack ? await store.findRefunds(orderId) : [];
      return {
        ...order,
        failureReason: buyStatus === 'Gagal' ? failureReasonOf(await store.findUnits(orderId)) : null,
        refundAmount: refunds.some(({ state }) => state !== 'cancelled' || paymentStatus === 'REFUND')
          ? amountRefunded(refunds)
          : null,
      };
    },
    findProgress: async (accountId, orderId) =>
      expireOnRead(ownOnly(await store.findProgress(orderId), accountId)),
    findByPage: async (reference) => expireOnRead(await store.findOrderByPage(reference)),
  };
}
