import type { Catalog } from '@topup-kit/core/store';

/**
 * Expected state of the service, written from docs/interface.md and docs/open-points.md as plain data and functions that return a new
 * model. If these documents or a fault allow several results, the model accepts the observed result if it is one of them.
 */
export interface Model {
  /** World time in unix milliseconds. */
  now: number;
  catalog: Catalog;
  orders: readonly ModelOrder[];
  /** Keys by account and key. */
  keys: ReadonlyMap<string, ModelKey>;
  reconciliations: readonly ModelReconciliation[];
}

/** Accounts, which are the same in every world; the model contains their indexes. */
export const accountIds = ['first', 'second'] as const;

export interface ModelOrder {
  id: string;
  account: number;
  /** True if the order is not visible yet, because its payment is being created. */
  isReserved: boolean;
  payment: 'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND';
  /** Time of the payment; null if an operator settled it. */
  paidAt: number | null;
  /** Amount that was paid for the order. */
  received: number;
  /** Refunds, paid or to be paid by hand. */
  refunds: readonly { amount: number; state: 'paid' | 'to-pay' }[];
  methodId: number;
  quantity: number;
  total: number;
  uniqueCode: number;
  createdAt: number;
  expiresAt: number;
  promo: string | null;
  customer: string;
  /** True if the order uses its promo; null if this depends on an order of events that can't be observed. */
  holds: boolean | null;
}

export interface ModelKey {
  payload: string;
  orderId: string;
  /** Body of the response. `unseen`: the order was finished when nobody could see the response. */
  body: 'in flight' | 'unseen' | { text: string };
  until: number;
}

export interface ModelReconciliation {
  orderId: string;
  amount: number;
  at: number;
  reason: 'late' | 'amount' | 'closed' | 'refunded';
  state: 'open' | 'settled' | 'returned';
}

/** Error for behaviour of the service that the model doesn't allow. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Mismatch(`${what} is ${is}, and should be ${should}`);
}

export function expectOneOf(what: string, actual: string, allowed: readonly string[]): void {
  if (!allowed.includes(actual))
    throw new Mismatch(`${what} is ${actual}, and should be ${allowed.join(' or ')}`);
}

/** Statuses of errors (open points, errors). */
const statuses: Readonly<Record<string, number>> = {
  GAME_NOT_FOUND: 404,
  PRODUCT_NOT_FOUND: 404,
  PAYMENT_METHOD_NOT_FOUND: 404,
  INVOICE_NOT_FOUND: 404,
  GAME_CLOSED: 404,
  PRODUCT_CLOSED: 404,
  PAYMENT_METHOD_CLOSED: 404,
  IDEMPOTENCY_CONFLICT: 409,
  IDEMPOTENCY_KEY_USED: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  PAYMENT_FAILED: 500,
};

/** Parts of a response that the model checks. */
export interface Seen {
  status: number;
  code: string | null;
  text: string;
  replayed: boolean;
}

export function expectError(seen: Seen, expected: string): void {
  const [code = '', ...fields] = expected.split(' ');
  expectSame('the response', `${seen.status} ${seen.code}`, `${statuses[code] ?? 422} ${code}`);
  if (fields.length > 0) expectSame('the wrong fields', Object.keys(JSON.parse(seen.text).errors), fields);
}

/** Returns the orders that use a promo. */
export const usersOf = (model: Model, promo: string): ModelOrder[] =>
  model.orders.filter((one) => one.promo === promo && one.holds !== false);

export const withOrder = (model: Model, order: ModelOrder): Model => ({
  ...model,
  orders: model.orders.map((one) => (one.id === order.id ? order : one)),
});
