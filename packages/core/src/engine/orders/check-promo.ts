import type { Promo, PromoUses, Store } from '../../store/index.ts';
import { unitPrice } from '../pricing.ts';
import { promoRefusal } from '../promos.ts';
import type { Choice } from './choose.ts';

const unused: PromoUses = { total: 0, byCustomer: 0 };

/** How often a promo was used; not counted for one that may be used any number of times. */
async function usesOf(
  store: Store,
  { code, quota, per_customer }: Promo,
  customer: string,
): Promise<PromoUses> {
  return quota === null && per_customer === null ? unused : store.countPromoUses(code, customer);
}

/**
 * Whether the chosen promo, if any, can be used for what was chosen.
 *
 * @throws Refusal with the first rule of it that is broken.
 */
export async function checkPromo(
  store: Store,
  { promo, product, game, method }: Choice,
  { quantity, customer, now }: { quantity: number; customer: string; now: number },
): Promise<void> {
  if (!promo) return;
  const refusal = promoRefusal(promo, {
    now,
    game: game.slug,
    productId: product.id,
    paymentMethodId: method.id,
    subtotalBeforePromo: unitPrice(product) * quantity,
    uses: await usesOf(store, promo, customer),
  });
  if (refusal) throw refusal;
}
