import type { Catalog } from '@topup-kit/core/store';

/**
 * What the service should do, written from docs/interface.md and docs/open-points.md as plain data and functions that return
 * a new model. Where these leave a choice, or a fault does, the model accepts what was seen if it is one of the choices.
 */
export interface Model {
  /** Unix milliseconds of world time. */
  now: number;
  catalog: Catalog;
  orders: readonly ModelOrder[];
  /** By account and key. */
  keys: ReadonlyMap<string, ModelKey>;
  reconciliations: readonly ModelReconciliation[];
}

/** The accounts, the same in every world; the model has their indexes. */
export const accountIds = ['first', 'second'] as const;

export interface ModelOrder {
  id: string;
  account: number;
  /** Not visible yet, because its payment is being created. */
  isReserved: boolean;
  payment: 'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND';
  /** When it was paid; null for one that an operator settled. */
  paidAt: number | null;
  /** What was paid for it. */
  received: number;
  /** What went back of it, or is to be paid back by hand. */
  refunds: readonly { amount: number; state: 'paid' | 'to-pay' }[];
  methodId: number;
  quantity: number;
  total: number;
  uniqueCode: number;
  createdAt: number;
  expiresAt: number;
  promo: string | null;
  customer: string;
  /** Whether it uses its promo; null when that depends on an order of events that can't be seen. */
  holds: boolean | null;
}

export interface ModelKey {
  payload: string;
  orderId: string;
  /** `unseen`: of an order that was finished when nobody saw the response. */
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

/** The service did something that the model doesn't allow. */
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

/** Open points, errors. */
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

/** A response, as far as the model looks at it. */
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

/** The orders that use a promo. */
export const usersOf = (model: Model, promo: string): ModelOrder[] =>
  model.orders.filter((one) => one.promo === promo && one.holds !== false);

export const withOrder = (model: Model, order: ModelOrder): Model => ({
  ...model,
  orders: model.orders.map((one) => (one.id === order.id ? order : one)),
});
