import {
  type AccountCheck,
  type AccountInput,
  type OrderInput,
  phoneDigits,
  splitAccountId,
  unitPrice,
} from '../../contract/index.ts';
import type {
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  HashCustomer,
  Promo,
  Store,
  SupplierProduct,
} from '../../store/index.ts';
import type { Sale } from '../catalog/listing.ts';
import type { CatalogView, ShownGame } from '../catalog/view.ts';
import { DomainError, invalidFields } from '../errors.ts';
import { priceUnit, promoError } from '../pricing.ts';
import { checkSupplierLimits, type LimitDependencies } from './supplier-limits.ts';

type Target = Pick<OrderInput, 'id' | 'server'>;
type Field = CatalogGame['fields'][number];

/**
 * Returns a field's value. If it matches the pattern only without spaces, hyphens or brackets, they are removed. In all other cases, the
 * value is kept, and the game's own service decides.
 */
function inForm({ pattern }: Field, text: string): string {
  if (pattern === undefined) return text;
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  if (whole.test(text)) return text;
  const compact = text.replace(/[\s()[\]-]/g, '');
  return whole.test(compact) ? compact : text;
}

/**
 * Reads the account to top up from the game's fields.
 *
 * @throws DomainError VALIDATION_ERROR if the server is missing, unknown, or differs from the one in the id.
 */
export function readTarget({ fields }: Pick<CatalogGame, 'fields'>, sent: Target): Target {
  const field = (wanted: Field['name']): Field | undefined => fields.find(({ name }) => name === wanted);
  const [idField, serverField] = [field('id'), field('server')];
  let { id, server } = sent;
  if (serverField) {
    const patterns = { id: idField?.pattern, server: serverField.pattern };
    const split = serverField.options ? null : splitAccountId(id, patterns);
    if (server !== undefined) server = inForm(serverField, server);
    const isOther = split && server !== undefined && server !== split.server;
    if (split) ({ id, server } = split);
    if (serverField.required && server === undefined) throw invalidFields({ server: [{ rule: 'required' }] });
    if (isOther || (server !== undefined && serverField.options && !serverField.options.includes(server)))
      throw invalidFields({ server: [{ rule: 'option' }] });
  }
  return { id: idField ? inForm(idField, id) : id, ...(server !== undefined && { server }) };
}

/** The catalogue's entries that an order names. */
export interface Choice {
  game: ShownGame;
  product: CatalogProduct;
  /** The supplier's entry for the product; undefined if unknown. */
  listed: SupplierProduct | undefined;
  /** Suppliers in the order of attempts; null for a product that names no supplier. */
  offers: Sale['offers'];
  method: CatalogPaymentMethod;
  promo: Promo | null;
}

export function chooseGame(view: CatalogView, slug: string): ShownGame {
  const game = view.gameBySlug.get(slug);
  if (!game) throw new DomainError('GAME_NOT_FOUND');
  if (!game.status) throw new DomainError('GAME_CLOSED');
  return game;
}

export function chooseProduct(
  view: CatalogView,
  game: ShownGame,
  productId: number,
): Pick<Choice, 'product' | 'listed' | 'offers'> {
  const entry = view.productById.get(productId);
  if (!entry) throw new DomainError('PRODUCT_NOT_FOUND');
  const { product } = entry;
  const sale = view.listing.saleOf(product);
  if (product.status && sale.listed?.stock === 0) throw new DomainError('PRODUCT_OUT_OF_STOCK');
  if (!product.status || !sale.isForSale) throw new DomainError('PRODUCT_CLOSED');
  if (entry.game.id !== game.id) throw new DomainError('PRODUCT_GAME_MISMATCH');
  return { product, listed: sale.listed, offers: sale.offers };
}

export function choosePaymentMethod(view: CatalogView, paymentMethodId: number): CatalogPaymentMethod {
  const method = view.paymentMethodById.get(paymentMethodId);
  if (!method) throw new DomainError('PAYMENT_METHOD_NOT_FOUND');
  if (!method.status) throw new DomainError('PAYMENT_METHOD_CLOSED');
  return method;
}

export function choosePromo(view: CatalogView, code: string): Promo {
  const promo = view.findPromo(code);
  if (!promo) throw new DomainError('PROMO_NOT_FOUND');
  return promo;
}

/**
 * Finds the entries that an order names. It checks them in the sequence of the open points: game, the game's server field, product, product
 * of the game, payment method, promo code.
 *
 * @throws DomainError for the first entry that is missing or closed.
 */
export function choose(
  view: CatalogView,
  input: OrderInput,
): Choice & { target: ReturnType<typeof readTarget> } {
  const game = chooseGame(view, input.game);
  const target = readTarget(game, input);
  return {
    game,
    target,
    ...chooseProduct(view, game, input.product_id),
    method: choosePaymentMethod(view, input.payment_method_id),
    promo: input.promo_code === undefined ? null : choosePromo(view, input.promo_code),
  };
}

export interface PromoDependencies {
  store: Store;
  /** Maximum loss per unit of a sale with a promo: integer in the smallest unit. */
  promoMaxLoss: number;
  /** Identifies customers of erased orders in promo uses; left out if no orders are erased. */
  hashCustomer?: HashCustomer | undefined;
}

/**
 * Checks that the chosen promo, if any, can be used.
 *
 * @throws DomainError for the first rule that is broken.
 */
export async function checkPromo(
  deps: PromoDependencies,
  { promo, product, listed, game, method }: Choice,
  { quantity, customer, now }: { quantity: number; customer: string; now: number },
): Promise<void> {
  if (!promo) return;
  const { code, quota, per_customer: perCustomer } = promo;
  const hash = perCustomer === null ? undefined : deps.hashCustomer?.(customer);
  // A promo without limits is not counted.
  const isCounted = quota !== null || perCustomer !== null;
  const rejection = promoError(promo, {
    now,
    game: game.slug,
    productId: product.id,
    paymentMethodId: method.id,
    subtotalBeforePromo: unitPrice(product) * quantity,
    unitLoss: listed?.price === undefined ? null : listed.price - priceUnit(product, promo.discount).after,
    maxUnitLoss: deps.promoMaxLoss,
    uses: isCounted ? await deps.store.countPromoUses(code, customer, hash) : { total: 0, byCustomer: 0 },
  });
  if (rejection) throw rejection;
}

export interface ChoiceDependencies extends PromoDependencies, LimitDependencies {
  store: Store;
  /** Looks up accounts before an order; null to skip the look-up. */
  accounts: { check(input: AccountInput): Promise<Pick<AccountCheck, 'status'>> } | null;
}

/**
 * Checks that earlier orders have not used up the promo, or a product that is sold once per day and player. Checks the player, too.
 *
 * @throws DomainError for the first rule that is broken.
 */
export async function checkUses(
  deps: ChoiceDependencies,
  choice: Choice,
  input: OrderInput,
  now: number,
): Promise<void> {
  const { product, listed, promo } = choice;
  const { game, id, server, quantity, whatsapp } = input;
  if (listed) await checkSupplierLimits(deps, { product, listed }, input);
  if (promo) await checkPromo(deps, choice, { quantity, customer: phoneDigits(whatsapp), now });
  const account = await deps.accounts?.check({ game, id, ...(server !== undefined && { server }) });
  // An account that can't be looked up is accepted.
  if (account?.status === 'not_found') throw invalidFields({ id: [{ rule: 'account' }] });
}
