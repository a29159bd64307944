import { type Pricing, unitPrice } from '../contract/index.ts';
import type { CatalogPaymentMethod, CatalogProduct, Discount, Promo, PromoUses } from '../store/index.ts';
import { DomainError } from './errors.ts';

/** The whole amount in basis points. */
const wholePoints = 10_000;

/** Returns the discount of one unit, at most the unit's price. `max_discount` applies to each unit. */
export function unitDiscount(price: number, discount: Discount): number {
  const full =
    discount.type === 'PERCENT' ? Math.floor((price * discount.basis_points) / wholePoints) : discount.value;
  return Math.min(price, discount.max_discount ?? Number.POSITIVE_INFINITY, full);
}

/** Returns the price of one unit with and without a discount. */
export function priceUnit(
  product: CatalogProduct,
  discount: Discount | null,
): { before: number; discount: number; after: number } {
  const before = unitPrice(product);
  const off = discount ? unitDiscount(before, discount) : 0;
  return { before, discount: off, after: before - off };
}

/** Returns the fee of a payment method, which the customer pays in addition to a subtotal. */
export const paymentFee = (subtotal: number, method: CatalogPaymentMethod): number =>
  Math.max(method.minimum_fee, method.fee + Math.ceil((subtotal * method.fee_basis_points) / wholePoints));

/** Computes the price of an order (interface 2.4; formulas: open points, pricing). All amounts are integers in the smallest unit. */
export function priceOrder(sale: {
  product: CatalogProduct;
  quantity: number;
  promo: { code: string; discount: Discount } | null;
  method: CatalogPaymentMethod;
  uniqueCode: number;
}): Pricing {
  const { quantity, promo, uniqueCode } = sale;
  const { before, discount, after } = priceUnit(sale.product, promo?.discount ?? null);
  const subtotal = after * quantity;
  const fee = paymentFee(subtotal, sale.method);
  return {
    quantity,
    has_promo: promo !== null,
    promo_code: promo?.code ?? null,
    unit_price_before_promo: before,
    unit_discount: discount,
    unit_price_after_promo: after,
    subtotal_before_promo: before * quantity,
    promo_discount: discount * quantity,
    subtotal_after_promo: subtotal,
    payment_fee: fee,
    unique_code: uniqueCode,
    total_price: subtotal + fee + uniqueCode,
  };
}

/** The use of a promo code that is checked. `now` is unix milliseconds of world time. */
interface PromoUse {
  now: number;
  game: string;
  productId: number;
  paymentMethodId: number;
  subtotalBeforePromo: number;
  /** The loss per unit with the promo (cost minus price); null if the cost is unknown. */
  unitLoss: number | null;
  /** Maximum loss per unit that the shop accepts. */
  maxUnitLoss: number;
  /** Earlier uses of the code. */
  uses: PromoUses;
}

const outside = <Item>(list: readonly Item[], item: Item): boolean => list.length > 0 && !list.includes(item);

/** Tells whether a promo covers a product of a game. */
export const coversProduct = ({ games, products }: Promo, slug: string, productId: number): boolean =>
  !outside(games, slug) && !outside(products, productId);

const notEligible = (subject: 'game' | 'product' | 'paymentMethod'): DomainError =>
  new DomainError('PROMO_NOT_ELIGIBLE', { params: { subject: { subject } } });

/** Returns the error for the first broken rule, in the sequence of the error table; undefined if the promo can be used. */
export function promoError(promo: Promo, use: PromoUse): DomainError | undefined {
  if (!promo.status) return new DomainError('PROMO_INACTIVE');
  if (promo.starts_at !== null && use.now < Date.parse(promo.starts_at))
    return new DomainError('PROMO_NOT_STARTED');
  if (promo.ends_at !== null && use.now >= Date.parse(promo.ends_at)) return new DomainError('PROMO_EXPIRED');
  if (promo.quota !== null && use.uses.total >= promo.quota) return new DomainError('PROMO_QUOTA');
  if (promo.per_customer !== null && use.uses.byCustomer >= promo.per_customer)
    return new DomainError('PROMO_USED');
  if (use.subtotalBeforePromo < promo.minimum_purchase)
    return new DomainError('PROMO_MINIMUM', { params: { minimum: { money: promo.minimum_purchase } } });
  if (outside(promo.games, use.game)) return notEligible('game');
  if (outside(promo.products, use.productId)) return notEligible('product');
  if (use.unitLoss !== null && use.unitLoss > use.maxUnitLoss) return notEligible('product');
  if (outside(promo.payment_methods, use.paymentMethodId)) return notEligible('paymentMethod');
  return undefined;
}
