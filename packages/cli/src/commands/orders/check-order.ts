import {
  defaultFieldLimits,
  normaliseFields,
  orderFields,
  requiredMessage,
  validateFields,
} from '@topup-kit/core/contract';
import type { CheckoutAnswer, GameDetail, OrderRequest, PaymentMethod, Product } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { money } from '../../output/format.ts';
import { priceOf } from '../checkout/facts.ts';
import { ifOffered } from './if-offered.ts';
import { isComplete, type OrderDraft } from './order-options.ts';
import { tryPromo } from './order-summary.ts';

/** What is wrong with an order, by field. */
export type Objections = Partial<Record<keyof OrderRequest, string[]>>;

/** What a service would say of an order, as far as it shows. */
export interface OrderCheck {
  objections: Objections;
  /** What the service doesn't show, so that nobody could look. */
  unchecked: string[];
}

/** What is wrong with what an order says; what it doesn't say yet is not wrong. */
function onlyGiven(objections: Objections, draft: OrderDraft): Objections {
  const isGiven = ([field]: [string, unknown]): boolean =>
    Object.entries(draft).some(([name, value]) => name === field && value !== undefined);
  return Object.fromEntries(Object.entries(objections).filter(isGiven));
}

/** What is wrong with what an order says by itself, whatever the service sells. */
export const checkGiven = (draft: OrderDraft): Objections => onlyGiven(checkFields(draft), draft);

/** The field rules of the interface; how many a service takes at most is its own. */
function checkFields(draft: OrderDraft): Objections {
  const limits = { ...defaultFieldLimits, quantity: Number.MAX_SAFE_INTEGER };
  const checked = validateFields(orderFields, normaliseFields(orderFields, { ...draft }), limits);
  return 'errors' in checked ? checked.errors : {};
}

function checkTarget(draft: OrderDraft, { fields }: GameDetail): Objections {
  // An empty text is as good as none (open points, Errors).
  const server = draft.server?.trim() || undefined;
  const field = fields.find(({ name }) => name === 'server');
  if (field?.required && server === undefined) return { server: [requiredMessage('server')] };
  const options = field?.options ?? [];
  if (server === undefined || options.length === 0 || options.includes(server)) return {};
  return { server: [`It takes one of ${options.join(', ')}.`] };
}

function checkProduct({ title }: GameDetail, product: Product | undefined): Objections {
  if (!product) return { product_id: [`${title} has no such product.`] };
  return product.status ? {} : { product_id: [`${product.title} is closed.`] };
}

/** Whether a way to pay takes as much. Only what is sure: percentages and unique codes are added to a total by rules that a service doesn't show. */
export function checkLimits(subtotal: number, method: PaymentMethod): string[] {
  const { name, fee, fee_percent, group, minimum_amount, maximum_amount } = method;
  const least = subtotal + fee;
  const isExact = fee_percent === 0 && group !== 'Bank Transfer';
  if (least > maximum_amount) return [`${name} takes at most ${money(maximum_amount)}.`];
  return isExact && least < minimum_amount ? [`${name} takes at least ${money(minimum_amount)}.`] : [];
}

function checkMethod(method: PaymentMethod | undefined): Objections {
  if (!method) return { payment_method_id: ['There is no such way to pay.'] };
  return method.status ? {} : { payment_method_id: [`${method.name} is closed.`] };
}

/** What `work` gives, or the message of a refusal. */
async function orRefusal<Value>(work: () => Promise<Value>): Promise<Value | { refusal: string }> {
  try {
    return await work();
  } catch (error) {
    const refused: number[] = [exitCodes.rejected, exitCodes.notFound];
    if (error instanceof Problem && refused.includes(error.details.exitCode))
      return { refusal: error.message };
    throw error;
  }
}

/** What is wrong with the promo code, and what the code makes of the price, as far as the service tells. */
async function checkPromo(draft: OrderDraft, service: Service) {
  const promo = await orRefusal(() => tryPromo(draft, service));
  if (!promo) return { objections: {}, isKnown: !draft.promo_code?.trim() };
  return 'refusal' in promo
    ? { objections: { promo_code: [promo.refusal] }, isKnown: true }
    : { objections: {}, isKnown: true, unitPrice: promo.pricing.final_price };
}

interface Chosen {
  game: GameDetail;
  product: Product | undefined;
  method: PaymentMethod | undefined;
}

/** A choice as the service shows it, whatever an order of it says besides. */
const checkChoice = (draft: OrderDraft, { game, product, method }: Chosen): Objections => ({
  ...(game.status ? {} : { game: [`${game.title} is closed.`] }),
  ...checkProduct(game, product),
  ...checkMethod(method),
  ...checkTarget(draft, game),
});

/** An order of a game that the service shows, as far as it is said already. */
export async function checkShown(
  draft: OrderDraft,
  { game, paymentMethods }: CheckoutAnswer,
  service: Service,
): Promise<OrderCheck> {
  const product = game.products.find(({ id }) => id === draft.product_id);
  const method = paymentMethods.find(({ id }) => id === draft.payment_method_id);
  const wrong = { ...checkChoice(draft, { game, product, method }), ...checkFields(draft) };
  const objections = isComplete(draft) ? wrong : onlyGiven(wrong, draft);
  // A code is judged for a product and a way to pay that are open: else the service refuses those.
  if (!game.status || !product?.status || !method?.status) return { objections, unchecked: [] };
  const promo = await checkPromo(draft, service);
  const all = { ...promo.objections, ...objections };
  const unitPrice = promo.unitPrice ?? priceOf(product);
  // What a wrong order would cost is not known.
  const limits = Object.keys(all).length > 0 ? [] : checkLimits(unitPrice * (draft.quantity ?? 1), method);
  return {
    objections: { ...all, ...(limits.length > 0 && { payment_method_id: limits }) },
    unchecked: promo.isKnown ? [] : ['the promo code'],
  };
}

/** Checks an order against what the service shows, without placing it. */
export async function checkOrder(request: OrderRequest, service: Service): Promise<OrderCheck> {
  const shown = await ifOffered(() =>
    service.ask((client, options) => client.checkout.get(request.game, options)),
  );
  if (shown) return checkShown(request, shown, service);
  const unchecked = ['game, product, account, way to pay and promo code'];
  return { objections: checkFields(request), unchecked };
}
