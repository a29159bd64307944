import {
  defaultFieldLimits,
  normaliseFields,
  orderFields,
  requiredMessage,
  validateFields,
} from '@topup-kit/core/contract';
import type { CheckoutAnswer, GameDetail, OrderRequest, PaymentMethod, Product } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem } from '../../errors/problem.ts';
import { money } from '../../output/money.ts';
import { priceOf } from '../checkout/facts.ts';
import { ifOffered } from './if-offered.ts';
import { tryPromo } from './order-summary.ts';

/** What is wrong with an order, by field. */
export type Objections = Partial<Record<keyof OrderRequest, string[]>>;

/** What a service would say of an order, as far as it shows. */
export interface OrderCheck {
  objections: Objections;
  /** What the service doesn't show, so that nobody could look. */
  unchecked: string[];
}

/** The field rules of the interface; how many a service takes at most is its own. */
function checkFields(request: OrderRequest): Objections {
  const limits = { ...defaultFieldLimits, quantity: Number.MAX_SAFE_INTEGER };
  const checked = validateFields(orderFields, normaliseFields(orderFields, { ...request }), limits);
  return 'errors' in checked ? checked.errors : {};
}

function checkTarget(request: OrderRequest, { fields }: GameDetail): Objections {
  // An empty text is as good as none (open points, Errors).
  const server = request.server?.trim() || undefined;
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

function checkMethod(method: PaymentMethod | undefined, subtotal: number | undefined): Objections {
  if (!method) return { payment_method_id: ['There is no such way to pay.'] };
  if (!method.status) return { payment_method_id: [`${method.name} is closed.`] };
  const messages = subtotal === undefined ? [] : checkLimits(subtotal, method);
  return messages.length > 0 ? { payment_method_id: messages } : {};
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
async function checkPromo(request: OrderRequest, service: Service) {
  const promo = await orRefusal(() => tryPromo(request, service));
  if (!promo) return { objections: {}, isKnown: !request.promo_code?.trim() };
  return 'refusal' in promo
    ? { objections: { promo_code: [promo.refusal] }, isKnown: true }
    : { objections: {}, isKnown: true, unitPrice: promo.pricing.final_price };
}

/** An order of a game that the service shows. */
async function checkShown(
  request: OrderRequest,
  shown: CheckoutAnswer,
  service: Service,
): Promise<OrderCheck> {
  const { game, paymentMethods } = shown;
  const product = game.products.find(({ id }) => id === request.product_id);
  const method = paymentMethods.find(({ id }) => id === request.payment_method_id);
  // A code is judged for a product and a way to pay that are open: else the service refuses those.
  const promo =
    game.status && product?.status && method?.status
      ? await checkPromo(request, service)
      : { objections: {}, isKnown: true };
  const unitPrice = 'unitPrice' in promo ? promo.unitPrice : product && priceOf(product);
  return {
    objections: {
      ...(game.status ? {} : { game: [`${game.title} is closed.`] }),
      ...checkProduct(game, product),
      ...checkMethod(method, unitPrice && unitPrice * (request.quantity ?? 1)),
      ...checkTarget(request, game),
      ...promo.objections,
    },
    unchecked: promo.isKnown ? [] : ['the promo code'],
  };
}

/** Checks an order against what the service shows, without placing it. */
export async function checkOrder(request: OrderRequest, service: Service): Promise<OrderCheck> {
  const fields = checkFields(request);
  const shown = await orRefusal(() =>
    ifOffered(() => service.ask((client, options) => client.checkout.get(request.game, options))),
  );
  if (!shown) return { objections: fields, unchecked: ['game, product, account, way to pay and promo code'] };
  if ('refusal' in shown) return { objections: { ...fields, game: [shown.refusal] }, unchecked: [] };
  const { objections, unchecked } = await checkShown(request, shown, service);
  return { objections: { ...objections, ...fields }, unchecked };
}
