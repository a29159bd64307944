import type { Pricing } from '@topup-kit/core/contract';
import type { Catalog, CatalogProduct, Promo, ReservedOrder, StoredOrder } from '@topup-kit/core/store';

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

export interface ModelOrder {
  id: string;
  account: number;
  /** Not visible yet, because its payment is being created. */
  isReserved: boolean;
  payment: 'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND';
  /** When it was paid; null for one that an operator settled. */
  paidAt: number | null;
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

interface ModelKey {
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
  if (!allowed.includes(actual)) throw new Mismatch(`${what} is ${actual}, and should be ${allowed.join(' or ')}`);
}

/** Open points, errors. */
const statuses: Readonly<Record<string, number>> = {
  ...{ GAME_NOT_FOUND: 404, PRODUCT_NOT_FOUND: 404, PAYMENT_METHOD_NOT_FOUND: 404, INVOICE_NOT_FOUND: 404 },
  ...{ IDEMPOTENCY_CONFLICT: 409, IDEMPOTENCY_IN_FLIGHT: 409, PAYMENT_FAILED: 500 },
};

/** Open points, limits. */
const minutesToPay: Readonly<Record<string, number>> = {
  ...{ QRIS: 30, 'E-Wallet': 60, 'Virtual Account': 1_440, Retail: 1_440, 'Bank Transfer': 1_440 },
};

const keyTime = 24 * 60 * 60_000;

type Body = Readonly<Record<string, unknown>>;

interface Input {
  id: string;
  server: string | undefined;
  game: string;
  product: number;
  method: number;
  customer: string;
  promo: string | undefined;
  quantity: number;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const integer = (value: unknown): number => (value === undefined ? Number.NaN : Number(value));
export const digits = (phone: string): string => phone.replace(/\D/g, '').replace(/^0/, '62');

/** The fields of an order (open points: validation), and the names of those that are wrong. */
function readBody(body: Body): { input: Input; errors: string[] } {
  const phone = text(body.whatsapp) ?? text(body.messenger_number);
  const quantity = body.quantity === undefined ? 1 : Number(body.quantity);
  const input: Input = {
    id: text(body.id) ?? '',
    server: text(body.server),
    game: text(body.game) ?? '',
    product: integer(body.product_id),
    method: integer(body.payment_method_id),
    customer: digits(phone ?? ''),
    promo: text(body.promo_code),
    quantity,
  };
  const errors = [
    ...(input.id === '' ? ['id'] : []),
    ...(input.game === '' ? ['game'] : []),
    ...(Number.isInteger(input.product) ? [] : ['product_id']),
    ...(Number.isInteger(input.method) ? [] : ['payment_method_id']),
    ...(phone === undefined ? ['whatsapp'] : []),
    ...(quantity >= 1 && quantity <= 100 ? [] : ['quantity']),
  ];
  return { input, errors };
}

const usersOf = (model: Model, promo: string): ModelOrder[] =>
  model.orders.filter((one) => one.promo === promo && one.holds !== false);

/** The first rule of a promo that an order breaks (open points: the order of the error table). */
function promoRejection(
  model: Model,
  promo: Promo,
  { input, subtotal }: { input: Input; subtotal: number },
): string | null {
  const used = usersOf(model, promo.code);
  const outside = <Item>(list: readonly Item[], item: Item): boolean => list.length > 0 && !list.includes(item);
  if (!promo.status) return 'PROMO_INACTIVE';
  if (promo.starts_at !== null && model.now < Date.parse(promo.starts_at)) return 'PROMO_NOT_STARTED';
  if (promo.ends_at !== null && model.now >= Date.parse(promo.ends_at)) return 'PROMO_EXPIRED';
  if (promo.quota !== null && used.length >= promo.quota) return 'PROMO_QUOTA';
  const own = used.filter(({ customer }) => customer === input.customer);
  if (promo.per_customer !== null && own.length >= promo.per_customer) return 'PROMO_USED';
  if (subtotal < promo.minimum_purchase) return 'PROMO_MINIMUM';
  const isOutside =
    outside(promo.games, input.game) ||
    outside(promo.products, input.product) ||
    outside(promo.payment_methods, input.method);
  return isOutside ? 'PROMO_NOT_ELIGIBLE' : null;
}

const unitPrice = ({ is_promo, promo_price, selling_price }: CatalogProduct): number =>
  is_promo && promo_price !== null ? promo_price : selling_price;

function discountOf(unit: number, promo: Promo | null): number {
  if (!promo) return 0;
  const { discount } = promo;
  const full = discount.type === 'PERCENT' ? Math.floor((unit * discount.basis_points) / 10_000) : discount.value;
  return Math.min(unit, discount.max_discount ?? Number.POSITIVE_INFINITY, full);
}

/** Open points, pricing. */
function priceOf(choice: Choice, quantity: number, uniqueCode: number): Pricing {
  const { product, promo, method } = choice;
  const unit = unitPrice(product);
  const discount = discountOf(unit, promo);
  const subtotal = (unit - discount) * quantity;
  const fee = Math.max(method.minimum_fee, method.fee + Math.ceil((subtotal * method.fee_basis_points) / 10_000));
  return {
    quantity,
    has_promo: promo !== null,
    promo_code: promo?.code ?? null,
    unit_price_before_promo: unit,
    unit_discount: discount,
    unit_price_after_promo: unit - discount,
    subtotal_before_promo: unit * quantity,
    promo_discount: discount * quantity,
    subtotal_after_promo: subtotal,
    payment_fee: fee,
    unique_code: uniqueCode,
    total_price: subtotal + fee + uniqueCode,
  };
}

interface Choice {
  product: CatalogProduct;
  promo: Promo | null;
  method: Catalog['payment_methods'][number];
}

/** What an order names, or the code of the first check that it fails. */
function choose(model: Model, input: Input, isOrder: boolean): Choice | string {
  const { games, payment_methods, promos } = model.catalog;
  const game = games.find(({ slug }) => slug === input.game);
  if (!game?.status) return 'GAME_NOT_FOUND';
  const field = game.fields.find(({ name }) => name === 'server');
  if (isOrder && field?.required && input.server === undefined) return 'VALIDATION_ERROR server';
  const owner = games.find(({ products }) => products.some(({ id }) => id === input.product));
  const product = owner?.products.find(({ id }) => id === input.product);
  if (!owner || !product?.status) return 'PRODUCT_NOT_FOUND';
  if (owner.slug !== game.slug) return 'PRODUCT_GAME_MISMATCH';
  const method = payment_methods.find(({ id }) => id === input.method);
  if (!method?.status) return 'PAYMENT_METHOD_NOT_FOUND';
  const promo = promos.find(({ code }) => code === input.promo) ?? null;
  if (input.promo !== undefined && !promo) return 'PROMO_NOT_FOUND';
  const subtotal = unitPrice(product) * input.quantity;
  return (promo && promoRejection(model, promo, { input, subtotal })) ?? { product, promo, method };
}

/** Which unique codes an order can get: 0 but for bank transfers. Null when its total fits the method with none. */
function uniqueCodes(model: Model, choice: Choice, quantity: number): ReadonlySet<number> | null {
  const { method } = choice;
  const all = method.group === 'Bank Transfer' ? Array.from({ length: 999 }, (_, index) => index + 1) : [0];
  const { total_price } = priceOf(choice, quantity, 0);
  const fits = all.filter(
    (code) => total_price + code >= method.minimum_amount && total_price + code <= method.maximum_amount,
  );
  if (fits.length === 0) return null;
  const taken = new Set(
    model.orders
      .filter((one) => one.payment === 'UNPAID' && one.methodId === method.id && one.uniqueCode > 0)
      .map(({ total }) => total - total_price),
  );
  return new Set(fits.filter((code) => !taken.has(code)));
}

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

/** What was seen of a request for an order. */
export interface SeenOrder {
  account: number;
  key: number | null;
  body: Body;
  /** Null when the service was killed before it responded. */
  seen: Seen | null;
  /** The new order in the store: with its payment, or reserved. */
  fresh: { order: ReservedOrder | StoredOrder; isReserved: boolean } | null;
  /** What may come of a creation: `201 visible`, for example. */
  creations: readonly string[];
  /** Whether another request with the same key may be in flight. */
  isRace: boolean;
}

/** An order, placed or rejected (open points: order of checks). */
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
  if (known && known.until > model.now) return repeated(model, request, { known, payload, rejected });
  if (errors.length > 0) return rejected(['VALIDATION_ERROR', ...errors].join(' '));
  const choice = choose(model, input, true);
  if (typeof choice === 'string') return rejected(choice);
  const codes = uniqueCodes(model, choice, input.quantity);
  if (!codes) return rejected('PAYMENT_LIMIT');
  if (codes.size === 0) return rejected('PAYMENT_METHOD_BUSY');
  const where = fresh ? (fresh.isReserved ? 'reserved' : 'visible') : 'nowhere';
  expectOneOf('the outcome of a valid order', `${seen?.status ?? 'killed'} ${where}`, request.creations);
  if (seen && seen.status !== 201) expectError(seen, 'PAYMENT_FAILED');
  if (!fresh) return model;
  const { order, isReserved } = fresh;
  const uniqueCode = order.pricing.unique_code;
  if (!codes.has(uniqueCode)) throw new Mismatch(`the unique code ${uniqueCode} is none of the free ones`);
  const pricing = priceOf(choice, input.quantity, uniqueCode);
  const expiresAt = model.now + (minutesToPay[choice.method.group] ?? 0) * 60_000;
  expectSame('the stored price', order.pricing, pricing);
  expectSame('the expiry', order.expiresAt, expiresAt);
  expectSame('the account', order.target.id, input.id);
  if (seen?.status === 201) expectCreated(seen, order, pricing);
  const added: ModelOrder = {
    ...{ id: order.orderId, account, isReserved, payment: 'UNPAID', paidAt: null, methodId: input.method },
    ...{ quantity: input.quantity, total: pricing.total_price, uniqueCode, createdAt: model.now, expiresAt },
    ...{ promo: input.promo ?? null, customer: input.customer, holds: input.promo !== undefined },
  };
  const body = isReserved ? 'in flight' : seen?.status === 201 ? { text: seen.text } : 'unseen';
  const entry: ModelKey = { payload, orderId: order.orderId, body, until: model.now + keyTime };
  return {
    ...model,
    orders: [...model.orders, added],
    keys: key === null ? model.keys : new Map(model.keys).set(`${account} ${key}`, entry),
  };
}

/** Interface 2.3 and 4.2. */
function expectCreated(seen: Seen, order: ReservedOrder, pricing: Pricing): void {
  const { success, orderId, data } = JSON.parse(seen.text);
  expectSame('the response', { success, orderId, replayed: seen.replayed }, { success: true, orderId: order.orderId, replayed: false });
  expectSame('the price in the response', data.pricing, pricing);
  expectSame('the order in the response', [data.order_id, data.payment_status, data.buy_status, data.quantity, data.total_price, Date.parse(data.expired_at)],
    [orderId, 'UNPAID', 'Pending', pricing.quantity, pricing.total_price, Math.floor(order.expiresAt / 1_000) * 1_000]);
  if (!/^INV-\d{14}-[A-Z]{8}$/.test(orderId)) throw new Mismatch(`${orderId} is no order id`);
}

/** An order whose key is in use (open points: idempotency). */
function repeated(
  model: Model,
  { account, key, seen, fresh, isRace }: SeenOrder,
  { known, payload, rejected }: { known: ModelKey; payload: string; rejected: (code: string) => Model },
): Model {
  if (known.payload !== payload) return rejected('IDEMPOTENCY_CONFLICT');
  if (known.body === 'in flight' || (isRace && seen?.status === 409)) return rejected('IDEMPOTENCY_IN_FLIGHT');
  expectSame('what is stored of a repeated order', fresh, null);
  if (!seen) return model;
  expectSame('the replay', [seen.status, seen.replayed, JSON.parse(seen.text).orderId], [201, true, known.orderId]);
  if (known.body !== 'unseen') expectSame('the bytes of the replay', seen.text, known.body.text);
  return { ...model, keys: new Map(model.keys).set(`${account} ${key}`, { ...known, body: { text: seen.text } }) };
}

/** A price with a promo code (open points: routes); nothing is used up. */
export function promoValidated(model: Model, body: Body, seen: Seen): void {
  const { input, errors } = readBody({ ...body, id: '-', game: body.game_slug, promo_code: body.code });
  const wrong = [
    ...(input.promo === undefined ? ['code'] : []),
    ...errors.filter((name) => name !== 'whatsapp').map((name) => (name === 'game' ? 'game_slug' : name)),
  ];
  if (wrong.length > 0) return expectError(seen, ['VALIDATION_ERROR', ...wrong].join(' '));
  const choice = choose(model, input, false);
  if (typeof choice === 'string') return expectError(seen, choice);
  const { unit_price_before_promo, unit_discount, unit_price_after_promo } = priceOf(choice, 1, 0);
  expectSame('the status', seen.status, 200);
  expectSame('the price with the promo', JSON.parse(seen.text).data.pricing, {
    ...{ base_price: unit_price_before_promo, discount: unit_discount, final_price: unit_price_after_promo },
  });
}

const withOrder = (model: Model, order: ModelOrder): Model => ({
  ...model,
  orders: model.orders.map((one) => (one.id === order.id ? order : one)),
});

const hasRoom = (model: Model, { promo }: ModelOrder): boolean => {
  const quota = model.catalog.promos.find(({ code }) => code === promo)?.quota ?? null;
  return promo !== null && (quota === null || usersOf(model, promo).length < quota);
};

const closed = (order: ModelOrder, payment: 'EXPIRED' | 'FAILED'): ModelOrder => ({ ...order, payment, holds: false });

/** A use that was released is claimed again if there is room for it. */
const paid = (model: Model, order: ModelOrder, paidAt: number | null): Model =>
  withOrder(model, { ...order, payment: 'PAID', paidAt, holds: order.holds || hasRoom(model, order) });

/** Whoever reads an order whose time is over finds it expired. */
export const expired = (model: Model, order: ModelOrder): Model =>
  !order.isReserved && order.payment === 'UNPAID' && model.now >= order.expiresAt
    ? withOrder(model, closed(order, 'EXPIRED'))
    : model;

export interface PaymentNews {
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  amount: number;
  at: number;
}

function toReconcile(model: Model, order: ModelOrder, news: PaymentNews, reason: ModelReconciliation['reason']): Model {
  const { amount, at } = news;
  const isKnown = model.reconciliations.some(
    (one) =>
      one.orderId === order.id &&
      one.amount === amount &&
      one.at === at &&
      (one.reason === 'refunded') === (reason === 'refunded'),
  );
  if (isKnown) return model;
  const added = { orderId: order.id, amount, at, reason, state: 'open' } as const;
  return { ...model, reconciliations: [...model.reconciliations, added] };
}

/** What a gateway says of a payment (open points: states). `isFailedDelivery`: the order is Gagal. */
export function reported(model: Model, order: ModelOrder, news: PaymentNews, isFailedDelivery: boolean): Model {
  const isUnpaid = order.payment === 'UNPAID';
  switch (news.status) {
    case 'failed':
      return isUnpaid ? withOrder(model, closed(order, 'FAILED')) : model;
    case 'expired':
      return isUnpaid ? withOrder(model, closed(order, 'EXPIRED')) : model;
    case 'refunded':
      if (isUnpaid) return withOrder(model, closed(order, 'FAILED'));
      if (order.payment !== 'PAID') return model;
      return isFailedDelivery
        ? withOrder(model, { ...order, payment: 'REFUND' })
        : toReconcile(model, order, news, 'refunded');
    case 'paid':
      if (news.amount !== order.total) return toReconcile(model, order, news, 'amount');
      if (isUnpaid || order.payment === 'EXPIRED')
        return news.at < order.expiresAt ? paid(model, order, news.at) : toReconcile(model, order, news, 'late');
      return order.payment !== 'FAILED' && order.paidAt === news.at ? model : toReconcile(model, order, news, 'closed');
  }
}

/** An operator accepts a payment that did not fit; null when the order's state does not allow it. */
export function settled(model: Model, index: number): Model | null {
  const found = model.reconciliations[index];
  const order = model.orders.find(({ id }) => id === found?.orderId);
  if (!found || !order || found.state !== 'open') return null;
  if (!['UNPAID', 'EXPIRED', 'FAILED'].includes(order.payment)) return null;
  return paid(closeReconciliation(model, index, 'settled'), order, null);
}

export const closeReconciliation = (model: Model, index: number, state: 'settled' | 'returned'): Model => ({
  ...model,
  reconciliations: model.reconciliations.map((one, at) => (at === index ? { ...one, state } : one)),
});

/** An operator, or the gateway, paid an order back. */
export const refunded = (model: Model, order: ModelOrder): Model => withOrder(model, { ...order, payment: 'REFUND' });

/** What an order may be after the due work: `first` is what the gateway says of its payment, if it can be asked. */
export function worked(model: Model, order: ModelOrder, first: PaymentNews | null, isKilled: boolean): Model[] {
  const current = (after: Model): ModelOrder => after.orders.find(({ id }) => id === order.id) ?? order;
  function asked(before: Model): Model[] {
    const one = current(before);
    if (!first || (one.payment !== 'UNPAID' && one.payment !== 'EXPIRED')) return [before];
    return [before, reported(before, one, first, false)];
  }
  const expire = (before: Model): Model => expired(before, current(before));
  const ends = [...asked(expire(model)), ...asked(model).map(expire)];
  const all = isKilled ? [...asked(model), ...ends] : ends;
  // Other orders change in the same run, so that it can't be seen whether there was room for the use.
  return all.map((after) => {
    const one = current(after);
    const isReclaimed = one.payment === 'PAID' && one.promo !== null && order.holds !== true;
    return isReclaimed ? withOrder(after, { ...one, holds: null }) : after;
  });
}

/** A reserved order whose payment was found, or that has none. */
export function recovered(model: Model, order: ModelOrder, isFound: boolean): Model {
  const keys = [...model.keys].flatMap(([name, key]): [string, ModelKey][] => {
    if (key.orderId !== order.id) return [[name, key]];
    return isFound ? [[name, { ...key, body: 'unseen' }]] : [];
  });
  const next = { ...model, keys: new Map(keys) };
  if (isFound) return withOrder(next, { ...order, isReserved: false });
  return { ...next, orders: model.orders.filter(({ id }) => id !== order.id) };
}
