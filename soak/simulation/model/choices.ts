import type { Pricing } from '@topup-kit/core/contract';
import type { Catalog, CatalogProduct, Promo } from '@topup-kit/core/store';
import { type Model, usersOf } from './model.ts';

/** Minutes to pay by payment method (open points, limits). */
export const minutesToPay: Readonly<Record<string, number>> = {
  QRIS: 30,
  'E-Wallet': 60,
  'Virtual Account': 1_440,
  Retail: 1_440,
  'Bank Transfer': 1_440,
};

export type Body = Readonly<Record<string, unknown>>;

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

/** Reads the fields of an order (open points: validation), and the names of invalid fields. */
export function readBody(body: Body): { input: Input; errors: string[] } {
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

/** Returns the first rule of a promo that an order breaks (open points: the order of the error table). */
function promoRejection(
  model: Model,
  promo: Promo,
  { input, subtotal }: { input: Input; subtotal: number },
): string | null {
  const used = usersOf(model, promo.code);
  const outside = <Item>(list: readonly Item[], item: Item): boolean =>
    list.length > 0 && !list.includes(item);
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
  const full =
    discount.type === 'PERCENT' ? Math.floor((unit * discount.basis_points) / 10_000) : discount.value;
  return Math.min(unit, discount.max_discount ?? Number.POSITIVE_INFINITY, full);
}

/** Computes the price (open points, pricing). */
export function priceOf(choice: Choice, quantity: number, uniqueCode: number): Pricing {
  const { product, promo, method } = choice;
  const unit = unitPrice(product);
  const discount = discountOf(unit, promo);
  const subtotal = (unit - discount) * quantity;
  const fee = Math.max(
    method.minimum_fee,
    method.fee + Math.ceil((subtotal * method.fee_basis_points) / 10_000),
  );
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

/** Returns the items that an order names, or the code of the first check that it fails. */
export function choose(model: Model, input: Input, isOrder: boolean): Choice | string {
  const { games, payment_methods, promos } = model.catalog;
  const game = games.find(({ slug }) => slug === input.game);
  if (!game) return 'GAME_NOT_FOUND';
  if (!game.status) return 'GAME_CLOSED';
  const field = game.fields.find(({ name }) => name === 'server');
  if (isOrder && field?.required && input.server === undefined) return 'VALIDATION_ERROR server';
  const owner = games.find(({ products }) => products.some(({ id }) => id === input.product));
  const product = owner?.products.find(({ id }) => id === input.product);
  if (!owner || !product) return 'PRODUCT_NOT_FOUND';
  if (!product.status) return 'PRODUCT_CLOSED';
  if (owner.slug !== game.slug) return 'PRODUCT_GAME_MISMATCH';
  const method = payment_methods.find(({ id }) => id === input.method);
  if (!method) return 'PAYMENT_METHOD_NOT_FOUND';
  if (!method.status) return 'PAYMENT_METHOD_CLOSED';
  const promo = promos.find(({ code }) => code === input.promo) ?? null;
  if (input.promo !== undefined && !promo) return 'PROMO_NOT_FOUND';
  const subtotal = unitPrice(product) * input.quantity;
  return (promo && promoRejection(model, promo, { input, subtotal })) ?? { product, promo, method };
}

/** Unique codes that an order can get: 0, and 1 to 999 for bank transfers. */
export interface UniqueCodes {
  /** First and last code with which the total fits the method. No code fits if the last one is lower. */
  first: number;
  last: number;
  /** Codes of unpaid orders with the same total. */
  taken: readonly number[];
}

export function uniqueCodes({ orders }: Model, choice: Choice, quantity: number): UniqueCodes {
  const { method } = choice;
  const [lowest, highest] = method.group === 'Bank Transfer' ? [1, 999] : [0, 0];
  const { total_price } = priceOf(choice, quantity, 0);
  const first = Math.max(lowest, method.minimum_amount - total_price);
  const last = Math.min(highest, method.maximum_amount - total_price);
  const taken = orders
    .filter((one) => one.payment === 'UNPAID' && one.methodId === method.id && one.uniqueCode > 0)
    .map(({ total }) => total - total_price)
    .filter((code) => code >= first && code <= last);
  return { first, last, taken };
}
