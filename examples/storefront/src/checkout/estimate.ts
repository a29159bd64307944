import { type PaymentMethod, type Product, unitPrice, type ValidatePromoResponse } from '@topup-kit/sdk';
import { hasUniqueCode } from './payment-kinds.ts';

/** Estimate before the order exists, in integer rupiah. Only the order's own price is binding. */
export interface Estimate {
  unitPrice: number;
  subtotal: number;
  discount: number;
  fee: number;
  total: number;
  /** True if the order may cost a little more, because minimum fees and unique codes are known only after it is placed. */
  isRough: boolean;
}

/** Returns a percentage of an amount, rounded up. Percentages have at most three decimals. */
const percentOf = (amount: number, percent: number): number =>
  Math.ceil((amount * Math.round(percent * 1_000)) / 100_000);

export function estimate(
  product: Product,
  quantity: number,
  method: PaymentMethod | undefined,
  promo: ValidatePromoResponse['data'] | undefined,
): Estimate {
  const price = unitPrice(product);
  const subtotal = price * quantity;
  const discount = (promo?.pricing.discount ?? 0) * quantity;
  const fee = method ? method.fee + percentOf(subtotal - discount, method.fee_percent) : 0;
  return {
    unitPrice: price,
    subtotal,
    discount,
    fee,
    total: subtotal - discount + fee,
    isRough: method !== undefined && (method.fee_percent > 0 || hasUniqueCode(method.group)),
  };
}
