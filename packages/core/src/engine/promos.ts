import type { Promo, PromoUses } from '../store/index.ts';
import { Refusal } from './refusal.ts';

/** What a promo code is to be used for. Moments are unix milliseconds of world time. */
export interface PromoUse {
  now: number;
  game: string;
  productId: number;
  paymentMethodId: number;
  subtotalBeforePromo: number;
  /** How often the code was used before. */
  uses: PromoUses;
}

const outside = <Item>(list: readonly Item[], item: Item): boolean => list.length > 0 && !list.includes(item);
const notEligible = (subject: 'game' | 'product' | 'paymentMethod'): Refusal =>
  new Refusal('PROMO_NOT_ELIGIBLE', { words: { subject: { subject } } });

/** Why a promo can't be used, in the order of the error table; undefined when it can. */
export function promoRefusal(promo: Promo, use: PromoUse): Refusal | undefined {
  if (!promo.status) return new Refusal('PROMO_INACTIVE');
  if (promo.starts_at !== null && use.now < Date.parse(promo.starts_at))
    return new Refusal('PROMO_NOT_STARTED');
  if (promo.ends_at !== null && use.now >= Date.parse(promo.ends_at)) return new Refusal('PROMO_EXPIRED');
  if (promo.quota !== null && use.uses.total >= promo.quota) return new Refusal('PROMO_QUOTA');
  if (promo.per_customer !== null && use.uses.byCustomer >= promo.per_customer)
    return new Refusal('PROMO_USED');
  if (use.subtotalBeforePromo < promo.minimum_purchase)
    return new Refusal('PROMO_MINIMUM', { words: { minimum: { money: promo.minimum_purchase } } });
  if (outside(promo.games, use.game)) return notEligible('game');
  if (outside(promo.products, use.productId)) return notEligible('product');
  if (outside(promo.payment_methods, use.paymentMethodId)) return notEligible('paymentMethod');
  return undefined;
}
