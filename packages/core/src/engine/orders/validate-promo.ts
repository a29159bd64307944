import type { PromoInput, PromoValidation } from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Discount, Store } from '../../store/index.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';
import { unitDiscount, unitPrice } from '../pricing.ts';
import { Refusal } from '../refusal.ts';
import { checkPromo } from './check-promo.ts';
import { chooseForPromo } from './choose.ts';
import { customerOf } from './customer.ts';

/** Per cent, or an amount (open points: routes). */
const discountValue = (discount: Discount): number =>
  discount.type === 'PERCENT' ? discount.basis_points / 100 : discount.value;

/**
 * What a promo code would do to the price of one unit; nothing is claimed.
 *
 * @throws Refusal as an order with this code would be refused.
 */
export async function validatePromo(
  deps: { store: Store; worldClock: Clock; catalog: () => Promise<CatalogView> },
  input: PromoInput,
): Promise<PromoValidation> {
  const choice = chooseForPromo(await deps.catalog(), input);
  const { promo, product } = choice;
  if (!promo) throw new Refusal('PROMO_NOT_FOUND');
  await checkPromo(deps.store, choice, {
    quantity: 1,
    customer: customerOf(input.whatsapp ?? ''),
    now: deps.worldClock(),
  });
  const price = unitPrice(product);
  const discount = unitDiscount(price, promo.discount);
  return {
    promo: {
      code: promo.code,
      discount_type: promo.discount.type,
      discount_value: discountValue(promo.discount),
    },
    pricing: { base_price: price, discount, final_price: price - discount },
  };
}
