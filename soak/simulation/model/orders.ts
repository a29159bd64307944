import type { Pricing } from '@topup-kit/core/contract';
import type { ReservedOrder, StoredOrder } from '@topup-kit/core/store';
import { type Body, choose, minutesToPay, priceOf, readBody, uniqueCodes } from './choices.ts';
import {
  accountIds,
  expectError,
  expectOneOf,
  expectSame,
  Mismatch,
  type Model,
  type ModelKey,
  type ModelOrder,
  type Seen,
  withOrder,
} from './model.ts';

const replayTime = 30 * 24 * 60 * 60_000;

/** Observed results of a request for an order. */
export interface SeenOrder {
  account: number;
  key: number | null;
  body: Body;
  /** Response; null if the service was killed before it responded. */
  seen: Seen | null;
  /** New order in the store: with its payment, or reserved. */
  fresh: { order: ReservedOrder | StoredOrder; isReserved: boolean } | null;
  /** Possible results of a creation, such as `201 visible`. */
  creations: readonly string[];
  /** True if another request with the same key may be in flight. */
  isRace: boolean;
}

/** Returns the model after an order was placed or rejected (open points: order of checks). */
export function placed(model: Model, request: SeenOrder): Model {
  const { account, key, seen, fresh } = request;
  const { input, errors } = readBody(request.body);
  const payload = JSON.stringify(input);
  const known = key === null ? undefined : model.keys.get(`${account} ${key}`);
  const rejected = (code: string): Model => {
    expectSame('what is stored of a rejected order', fresh, null);
    if (seen) expectError(seen, code);
    return model;
  };
  if (known) return repeated(model, request, { known, payload, rejected });
  if (errors.length > 0) return rejected(['VALIDATION_ERROR', ...errors].join(' '));
  const choice = choose(model, input, true);
  // After the check of the promo, another order may have taken its last use, for all or for this customer, and the last unique code.
  const lostUse = choice === 'PROMO_QUOTA' || choice === 'PROMO_USED';
  if (lostUse && request.isRace && seen?.code === 'PAYMENT_METHOD_BUSY') return rejected(seen.code);
  if (typeof choice === 'string') return rejected(choice);
  const { first, last, taken } = uniqueCodes(model, choice, input.quantity);
  if (last < first) return rejected('PAYMENT_LIMIT');
  if (taken.length > last - first) return rejected('PAYMENT_METHOD_BUSY');
  const where = fresh ? (fresh.isReserved ? 'reserved' : 'visible') : 'nowhere';
  expectOneOf('the outcome of a valid order', `${seen?.status ?? 'killed'} ${where}`, request.creations);
  if (seen && seen.status !== 201) expectError(seen, 'PAYMENT_FAILED');
  if (!fresh) return model;
  const { order, isReserved } = fresh;
  const uniqueCode = order.pricing.unique_code;
  if (uniqueCode < first || uniqueCode > last || taken.includes(uniqueCode))
    throw new Mismatch(`the unique code ${uniqueCode} is none of the free ones`);
  const pricing = priceOf(choice, input.quantity, uniqueCode);
  const expiresAt = model.now + (minutesToPay[choice.method.group] ?? 0) * 60_000;
  expectSame('the stored price', order.pricing, pricing);
  expectSame('the expiry', order.expiresAt, expiresAt);
  expectSame('the player', order.target.id, input.id);
  expectSame('the account', order.accountId, accountIds[account]);
  if (seen?.status === 201) expectCreated(seen, order, pricing);
  const added: ModelOrder = {
    id: order.orderId,
    account,
    isReserved,
    payment: 'UNPAID',
    methodId: input.method,
    paidAt: null,
    received: 0,
    refunds: [],
    quantity: input.quantity,
    total: pricing.total_price,
    uniqueCode,
    createdAt: model.now,
    expiresAt,
    promo: input.promo ?? null,
    customer: input.customer,
    holds: input.promo !== undefined,
  };
  const body = isReserved ? 'in flight' : seen?.status === 201 ? { text: seen.text } : 'unseen';
  const entry: ModelKey = { payload, orderId: order.orderId, body, until: model.now + replayTime };
  return {
    ...model,
    orders: [...model.orders, added],
    keys: key === null ? model.keys : new Map(model.keys).set(`${account} ${key}`, entry),
  };
}

/** Expects the response to a new order (interface 2.3 and 4.2). */
function expectCreated(seen: Seen, order: ReservedOrder, pricing: Pricing): void {
  const { success, orderId, data } = JSON.parse(seen.text);
  expectSame(
    'the response',
    { success, orderId, replayed: seen.replayed },
    { success: true, orderId: order.orderId, replayed: false },
  );
  expectSame('the price in the response', data.pricing, pricing);
  expectSame(
    'the order in the response',
    [
      data.order_id,
      data.payment_status,
      data.buy_status,
      data.quantity,
      data.total_price,
      Date.parse(data.expired_at),
    ],
    [
      orderId,
      'UNPAID',
      'Pending',
      pricing.quantity,
      pricing.total_price,
      Math.floor(order.expiresAt / 1_000) * 1_000,
    ],
  );
  if (!/^INV-\d{14}-[A-Z]{8}$/.test(orderId)) throw new Mismatch(`${orderId} is no order id`);
}

/** Returns the model after a request whose key belongs to another order (open points: idempotency). */
function repeated(
  model: Model,
  { account, key, seen, fresh, isRace }: SeenOrder,
  { known, payload, rejected }: { known: ModelKey; payload: string; rejected: (code: string) => Model },
): Model {
  if (known.payload !== payload) return rejected('IDEMPOTENCY_CONFLICT');
  if (known.body === 'in flight') return rejected('IDEMPOTENCY_IN_FLIGHT');
  if (known.until <= model.now) {
    if (seen) expectSame('the order of the used key', JSON.parse(seen.text).orderId, known.orderId);
    return rejected('IDEMPOTENCY_KEY_USED');
  }
  if (isRace && seen?.status === 409) return rejected('IDEMPOTENCY_IN_FLIGHT');
  expectSame('what is stored of a repeated order', fresh, null);
  if (!seen) return model;
  expectSame(
    'the replay',
    [seen.status, seen.replayed, JSON.parse(seen.text).orderId],
    [201, true, known.orderId],
  );
  if (known.body !== 'unseen') expectSame('the bytes of the replay', seen.text, known.body.text);
  return {
    ...model,
    keys: new Map(model.keys).set(`${account} ${key}`, { ...known, body: { text: seen.text } }),
  };
}

/** Checks the response for a price with a promo code (open points: routes); no use is claimed. */
export function promoValidated(model: Model, body: Body, seen: Seen): void {
  // Only an order accepts the other name of the phone number.
  const { messenger_number: _, ...known } = body;
  const { input, errors } = readBody({ ...known, id: '-', game: body.game_slug, promo_code: body.code });
  const wrong = [
    ...(input.promo === undefined ? ['code'] : []),
    ...errors.filter((name) => name !== 'whatsapp').map((name) => (name === 'game' ? 'game_slug' : name)),
  ];
  const choice = wrong.length > 0 ? ['VALIDATION_ERROR', ...wrong].join(' ') : choose(model, input, false);
  if (typeof choice === 'string') {
    expectError(seen, choice);
    return;
  }
  const { unit_price_before_promo, unit_discount, unit_price_after_promo } = priceOf(choice, 1, 0);
  expectSame('the status', seen.status, 200);
  expectSame('the price with the promo', JSON.parse(seen.text).data.pricing, {
    base_price: unit_price_before_promo,
    discount: unit_discount,
    final_price: unit_price_after_promo,
  });
}

/** Returns the model after the payment of a reserved order was found, or found to be missing. */
export function recovered(model: Model, order: ModelOrder, isFound: boolean): Model {
  const keys = [...model.keys].flatMap(([name, key]): [string, ModelKey][] => {
    if (key.orderId !== order.id) return [[name, key]];
    return isFound ? [[name, { ...key, body: 'unseen' }]] : [];
  });
  const next = { ...model, keys: new Map(keys) };
  if (isFound) return withOrder(next, { ...order, isReserved: false });
  return { ...next, orders: model.orders.filter(({ id }) => id !== order.id) };
}
