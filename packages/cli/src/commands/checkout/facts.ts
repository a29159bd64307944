import type { PaymentMethod, Product } from '@topup-kit/sdk';
import { money } from '../../output/format.ts';
import { feeOf } from '../games/game-screen.ts';

/** What one costs now, before a promo code. */
export const priceOf = ({ is_promo, promo_price, selling_price }: Product): number =>
  is_promo && promo_price !== null ? promo_price : selling_price;

/** The fee and the limits of a way to pay, in words. */
export const termsOf = (method: PaymentMethod): [fee: string, limits: string] => [
  method.fee === 0 && method.fee_percent === 0 ? 'no fee' : `fee ${feeOf(method)}`,
  `${money(method.minimum_amount)} to ${money(method.maximum_amount)}`,
];
