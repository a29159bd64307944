import { type PaymentMethod, type Product, unitPrice, type ValidatePromoResponse } from '@topup-kit/sdk';
import { hasUniqueCode } from './payment-kinds.ts';

/** An estimate before the order exists, in integer rupiah. The order's own pricing is what counts. */
export interface Estimate {
  unitPrice: number;
  subtotal: number;
  discount: number;
  fee: number;
  total: number;
  /** Whether the order may cost a little more: minimum fees and unique codes are known only once it is placed. */
  isRough: boolean;
}

/** A percentage of an amount, rounded up. Percentages have at most three decimals. */
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
