import { type OrderInput, type PromoInput, requiredMessage } from '../../contract/index.ts';
import type { CatalogPaymentMethod, CatalogProduct, Promo } from '../../store/index.ts';
import type { CatalogView, ShownGame } from '../catalog/catalog-view.ts';
import { invalidFields, Refusal } from '../refusal.ts';

/** What an order asks for, found in the catalogue. */
export interface Choice {
  game: ShownGame;
  product: CatalogProduct;
  method: CatalogPaymentMethod;
  promo: Promo | null;
}

function chooseGame(view: CatalogView, slug: string): ShownGame {
  const game = view.findGame(slug);
  if (!game?.status) throw new Refusal('GAME_NOT_FOUND');
  return game;
}

function checkServer(game: ShownGame, input: OrderInput): void {
  const field = game.fields.find(({ name }) => name === 'server');
  if (!field) return;
  if (field.required && input.server === undefined)
    throw invalidFields({ server: [requiredMessage('server')] });
  if (input.server !== undefined && field.options && !field.options.includes(input.server))
    throw invalidFields({ server: ['The selected server is invalid.'] });
}

function chooseProduct(view: CatalogView, game: ShownGame, productId: number): CatalogProduct {
  const found = view.findProduct(productId);
  if (!found?.product.status) throw new Refusal('PRODUCT_NOT_FOUND');
  if (found.game.id !== game.id) throw new Refusal('PRODUCT_GAME_MISMATCH');
  return found.product;
}

function choosePaymentMethod(view: CatalogView, paymentMethodId: number): CatalogPaymentMethod {
  const method = view.findPaymentMethod(paymentMethodId);
  if (!method?.status) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  return method;
}

function choosePromo(view: CatalogView, code: string | undefined): Promo | null {
  if (code === undefined) return null;
  const promo = view.findPromo(code);
  if (!promo) throw new Refusal('PROMO_NOT_FOUND');
  return promo;
}

/**
 * Finds what an order asks for, in the order of checks of the open points: game, the game's server field, product,
 * product of the game, payment method, promo code.
 *
 * @throws Refusal for the first that is not to be had.
 */
export function choose(view: CatalogView, input: OrderInput): Choice {
  const game = chooseGame(view, input.game);
  checkServer(game, input);
  return {
    game,
    product: chooseProduct(view, game, input.product_id),
    method: choosePaymentMethod(view, input.payment_method_id),
    promo: choosePromo(view, input.promo_code),
  };
}

/** Finds what a promo code is to be tried on; as for an order, but for the account to top up. */
export function chooseForPromo(view: CatalogView, input: PromoInput): Choice {
  const game = chooseGame(view, input.game_slug);
  return {
    game,
    product: chooseProduct(view, game, input.product_id),
    method: choosePaymentMethod(view, input.payment_method_id),
    promo: choosePromo(view, input.code),
  };
}
