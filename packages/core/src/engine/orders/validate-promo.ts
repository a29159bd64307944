import { type PromoInput, type PromoValidation, phoneDigits } from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Discount, Promo } from '../../store/index.ts';
import type { CatalogView } from '../catalog/view.ts';
import { priceUnit } from '../pricing.ts';
import {
  type Choice,
  checkPromo,
  chooseGame,
  choosePaymentMethod,
  chooseProduct,
  choosePromo,
  type PromoDependencies,
} from './choose.ts';

/** Finds the entries for which to validate a promo code, without an account to top up. */
function chooseForPromo(view: CatalogView, input: PromoInput): Choice & { promo: Promo } {
  const game = chooseGame(view, input.game_slug);
  return {
    game,
    ...chooseProduct(view, game, input.product_id),
    method: choosePaymentMethod(view, input.payment_method_id),
    promo: choosePromo(view, input.code),
  };
}

/** Returns the discount as per cent or as an amount (open points: routes). */
const discountValue = (discount: Discount): number =>
  discount.type === 'PERCENT' ? discount.basis_points / 100 : discount.value;

/**
 * Returns the price of one unit with a promo code, without using the code up.
 *
 * @throws DomainError the same as for an order with this code.
 */
export async function validatePromo(
  deps: PromoDependencies & { worldClock: Clock; catalog: () => Promise<CatalogView> },
  input: PromoInput,
): Promise<PromoValidation> {
  const choice = chooseForPromo(await deps.catalog(), input);
  const { promo, product } = choice;
  await checkPromo(deps, choice, {
    quantity: 1,
    customer: phoneDigits(input.whatsapp ?? ''),
    now: deps.worldClock(),
  });
  const unit = priceUnit(product, promo.discount);
  return {
    promo: {
      code: promo.code,
      discount_type: promo.discount.type,
      discount_value: discountValue(promo.discount),
    },
    pricing: { base_price: unit.before, discount: unit.discount, final_price: unit.after },
  };
}
