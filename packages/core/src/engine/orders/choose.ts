import {
  type AccountCheck,
  type AccountInput,
  type OrderInput,
  type PromoInput,
  type PromoValidation,
  phoneDigits,
  unitPrice,
} from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type {
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  HashCustomer,
  Promo,
  PromoUses,
  ReservedOrder,
  Store,
  SupplierProduct,
} from '../../store/index.ts';
import type { CatalogView, ShownGame } from '../catalog/view.ts';
import { DomainError, invalidFields } from '../errors.ts';
import { priceUnit, promoError } from '../pricing.ts';
import { type Offer, supplierCodeOf } from '../suppliers.ts';
import { readTarget } from './target.ts';

/** The catalogue's entries that an order names. */
export interface Choice {
  game: ShownGame;
  product: CatalogProduct;
  /** What the supplier says of the product; undefined while nothing is known. */
  listed: SupplierProduct | undefined;
  /** Where it is bought, in the order in which it is tried; null for one that names no supplier. */
  offers: Offer[] | null;
  method: CatalogPaymentMethod;
  promo: Promo | null;
}

function chooseGame(view: CatalogView, slug: string): ShownGame {
  const game = view.findGame(slug);
  if (!game) throw new DomainError('GAME_NOT_FOUND');
  if (!game.status) throw new DomainError('GAME_CLOSED');
  return game;
}

function chooseProduct(
  view: CatalogView,
  game: ShownGame,
  productId: number,
): Pick<Choice, 'product' | 'listed' | 'offers'> {
  const entry = view.findProduct(productId);
  if (!entry) throw new DomainError('PRODUCT_NOT_FOUND');
  const { product } = entry;
  const listed = view.listing.find(product);
  if (product.status && listed?.stock === 0) throw new DomainError('PRODUCT_OUT_OF_STOCK');
  if (!product.status || !view.listing.isForSale(product)) throw new DomainError('PRODUCT_CLOSED');
  if (entry.game.id !== game.id) throw new DomainError('PRODUCT_GAME_MISMATCH');
  return { product, listed, offers: product.suppliers?.length ? view.listing.offersOf(product) : null };
}

function choosePaymentMethod(view: CatalogView, paymentMethodId: number): CatalogPaymentMethod {
  const method = view.findPaymentMethod(paymentMethodId);
  if (!method) throw new DomainError('PAYMENT_METHOD_NOT_FOUND');
  if (!method.status) throw new DomainError('PAYMENT_METHOD_CLOSED');
  return method;
}

function choosePromo(view: CatalogView, code: string): Promo {
  const promo = view.findPromo(code);
  if (!promo) throw new DomainError('PROMO_NOT_FOUND');
  return promo;
}

/**
 * Finds the entries that an order names, in the order of checks of the open points: game, the game's server field,
 * product, product of the game, payment method, promo code.
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

/** Finds the entries for the validation of a promo code, which has no account to top up. */
function chooseForPromo(view: CatalogView, input: PromoInput): Choice & { promo: Promo } {
  const game = chooseGame(view, input.game_slug);
  return {
    game,
    ...chooseProduct(view, game, input.product_id),
    method: choosePaymentMethod(view, input.payment_method_id),
    promo: choosePromo(view, input.code),
  };
}

const unused: PromoUses = { total: 0, byCustomer: 0 };

/** Counts the uses of a promo; a promo without limits is not counted. */
async function usesOf(
  { store, hashCustomer }: PromoDependencies,
  { code, quota, per_customer }: Promo,
  customer: string,
): Promise<PromoUses> {
  if (quota === null && per_customer === null) return unused;
  return store.countPromoUses(code, customer, per_customer === null ? undefined : hashCustomer?.(customer));
}

/** What checks of promos need. */
export interface PromoDependencies {
  store: Store;
  /** How much a unit may cost more than it brings with a promo: integer in the smallest unit. */
  promoMaxLoss: number;
  /** What stands for a customer in uses by erased orders; left out, none are erased. */
  hashCustomer?: HashCustomer | undefined;
}

/**
 * Checks that the chosen promo, if any, can be used for this choice.
 *
 * @throws DomainError for the first rule that is broken.
 */
export async function checkPromo(
  deps: PromoDependencies,
  { promo, product, listed, game, method }: Choice,
  { quantity, customer, now }: { quantity: number; customer: string; now: number },
): Promise<void> {
  if (!promo) return;
  const rejection = promoError(promo, {
    now,
    game: game.slug,
    productId: product.id,
    paymentMethodId: method.id,
    subtotalBeforePromo: unitPrice(product) * quantity,
    unitLoss: listed?.price === undefined ? null : listed.price - priceUnit(product, promo.discount).after,
    maxUnitLoss: deps.promoMaxLoss,
    uses: await usesOf(deps, promo, customer),
  });
  if (rejection) throw rejection;
}

/** Per cent, or an amount (open points: routes). */
const discountValue = (discount: Discount): number =>
  discount.type === 'PERCENT' ? discount.basis_points / 100 : discount.value;

/**
 * Returns the price of one unit with a promo code; the code is not used up.
 *
 * @throws DomainError as for an order with this code.
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

const dayMs = 86_400_000;
/** The suppliers of this field count days in Jakarta's time, which has no summer time, wherever a shop is. */
const supplierOffsetMs = 7 * 3_600_000;

const startOfDay = (moment: number): number =>
  Math.floor((moment + supplierOffsetMs) / dayMs) * dayMs - supplierOffsetMs;

interface LimitDependencies {
  store: Pick<Store, 'findUnits' | 'findOrdersOfTarget'>;
  worldClock: Clock;
}

/** Whether an order is one that the supplier would deliver, or has delivered, today. */
async function isForToday(
  { store }: LimitDependencies,
  { orderId, paymentStatus, buyStatus }: ReservedOrder,
  today: number,
): Promise<boolean> {
  if (paymentStatus === 'UNPAID') return true;
  if (paymentStatus !== 'PAID' || buyStatus === 'Gagal') return false;
  if (buyStatus !== 'Sukses') return true;
  return (await store.findUnits(orderId)).some(({ askedAt }) => askedAt !== null && askedAt >= today);
}

async function hasOneToday(
  deps: LimitDependencies,
  { product }: Pick<Choice, 'product'>,
  { id, server }: Pick<OrderInput, 'id' | 'server'>,
): Promise<boolean> {
  const today = startOfDay(deps.worldClock());
  // An order of yesterday may be paid and delivered today.
  for (const order of await deps.store.findOrdersOfTarget(id, today - 2 * dayMs))
    if (
      order.target.server === (server ?? null) &&
      supplierCodeOf(order.product) === supplierCodeOf(product) &&
      (await isForToday(deps, order, today))
    )
      return true;
  return false;
}

/**
 * Checks that the supplier has so many of a product for an account, so that nothing is paid that can't be delivered.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export async function checkSupplierLimits(
  deps: LimitDependencies,
  choice: Pick<Choice, 'product' | 'listed'>,
  input: Pick<OrderInput, 'id' | 'server' | 'quantity'>,
): Promise<void> {
  const { listed } = choice;
  if (!listed) return;
  const limit = Math.min(listed.stock ?? Number.POSITIVE_INFINITY, listed.isOncePerDay ? 1 : Infinity);
  if (input.quantity > limit) throw invalidFields({ quantity: [{ rule: 'maximum', params: { limit } }] });
  if (listed.isOncePerDay && (await hasOneToday(deps, choice, input)))
    throw invalidFields({ id: [{ rule: 'oncePerDay' }] });
}

/** What checks of a choice need. */
export interface ChoiceDependencies extends PromoDependencies, LimitDependencies {
  store: Store;
  /** Where accounts are looked up before an order; null to look none up. */
  accounts: { check(input: AccountInput): Promise<Pick<AccountCheck, 'status'>> } | null;
}

/** Rejects an order for an account that certainly doesn't exist. One that nobody can look up is no reason. */
async function checkAccount(
  { accounts }: ChoiceDependencies,
  { game, id, server }: OrderInput,
): Promise<void> {
  const found = await accounts?.check({ game, id, ...(server !== undefined && { server }) });
  if (found?.status === 'not_found') throw invalidFields({ id: [{ rule: 'account' }] });
}

/**
 * Checks what earlier orders may have used up, a product that is sold once a day to each player and the promo, and whether there is
 * such a player.
 *
 * @throws DomainError for the first rule that is broken.
 */
export async function checkUses(
  deps: ChoiceDependencies,
  choice: Choice,
  input: OrderInput,
  now: number,
): Promise<void> {
  await checkSupplierLimits(deps, choice, input);
  const customer = phoneDigits(input.whatsapp);
  await checkPromo(deps, choice, { quantity: input.quantity, customer, now });
  await checkAccount(deps, input);
}
