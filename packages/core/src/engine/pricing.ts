import type { Pricing } from '../contract/index.ts';
import type { CatalogPaymentMethod, CatalogProduct, Discount } from '../store/index.ts';

/** A share of an amount in basis points: 10,000 are the whole. */
const wholePoints = 10_000;

/** What one unit costs before a promo code (open points: products). */
export const unitPrice = ({ is_promo, promo_price, selling_price }: CatalogProduct): number =>
  is_promo && promo_price !== null ? promo_price : selling_price;

/** What a promo takes off one unit; never more than the unit costs. The cap is per unit. */
export function unitDiscount(price: number, discount: Discount): number {
  const wanted =
    discount.type === 'PERCENT' ? Math.floor((price * discount.basis_points) / wholePoints) : discount.value;
  return Math.min(price, discount.max_discount ?? Number.POSITIVE_INFINITY, wanted);
}

/** What a payment method charges the customer on top of a subtotal. */
export const paymentFee = (subtotal: number, method: CatalogPaymentMethod): number =>
  Math.max(method.minimum_fee, method.fee + Math.ceil((subtotal * method.fee_basis_points) / wholePoints));

/**
 * The price of an order (interface 2.4; the formulas: open points, pricing). All amounts are integers in the
 * smallest unit.
 */
export function priceOrder(sale: {
  product: CatalogProduct;
  quantity: number;
  promo: { code: string; discount: Discount } | null;
  method: CatalogPaymentMethod;
  uniqueCode: number;
}): Pricing {
  const { quantity, promo, uniqueCode } = sale;
  const before = unitPrice(sale.product);
  const discount = promo ? unitDiscount(before, promo.discount) : 0;
  const subtotal = (before - discount) * quantity;
  const fee = paymentFee(subtotal, sale.method);
  return {
    quantity,
    has_promo: promo !== null,
    promo_code: promo?.code ?? null,
    unit_price_before_promo: before,
    unit_discount: discount,
    unit_price_after_promo: before - discount,
    subtotal_before_promo: before * quantity,
    promo_discount: discount * quantity,
    subtotal_after_promo: subtotal,
    payment_fee: fee,
    unique_code: uniqueCode,
    total_price: subtotal + fee + uniqueCode,
  };
}
