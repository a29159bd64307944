import {
  defaultFieldLimits,
  hasUniqueCode,
  normaliseFields,
  orderFields,
  requiredMessage,
  validateFields,
} from '@topup-kit/core/contract';
import type {
  CreateOrderRequest,
  GameDetail,
  GetCheckoutResponse,
  PaymentMethod,
  Product,
} from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { money } from '../../output/format.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable, slugWord } from '../../output/text.ts';
import { ifOffered, type Service } from '../../service/client.ts';
import { priceOf } from '../games.ts';
import { isComplete, type OrderDraft } from './draft.ts';

/** What a promo code takes off the price of one; undefined without a code, and where the service doesn't say. */
export async function tryPromo(draft: OrderDraft, service: Service) {
  const { promo_code: code, game: game_slug, product_id, payment_method_id, whatsapp } = draft;
  if (!code?.trim() || game_slug === undefined) return undefined;
  if (product_id === undefined || payment_method_id === undefined) return undefined;
  const request = {
    ...{ code, game_slug, product_id, payment_method_id },
    ...(whatsapp !== undefined && { whatsapp }),
  };
  const response = await ifOffered(() =>
    service.ask((client, options) => client.promos.validate(request, options)),
  );
  return response?.data;
}

/** What is wrong with an order, by field. */
type FieldErrors = Partial<Record<keyof CreateOrderRequest, string[]>>;

/** What a service would say about an order, as far as its other routes tell. */
interface OrderCheck {
  fieldErrors: FieldErrors;
  /** What the service has no route to check with. */
  unchecked: string[];
}

/** The errors of fields that are given; a field that is not given yet is no error. */
function onlyGiven(fieldErrors: FieldErrors, draft: OrderDraft): FieldErrors {
  const isGiven = ([field]: [string, unknown]): boolean =>
    Object.entries(draft).some(([name, value]) => name === field && value !== undefined);
  return Object.fromEntries(Object.entries(fieldErrors).filter(isGiven));
}

/** The errors of the given fields by themselves, whatever the service sells. */
export const checkGiven = (draft: OrderDraft): FieldErrors => onlyGiven(checkFields(draft), draft);

/** The field rules of the interface; the highest quantity is each service's own. */
function checkFields(draft: OrderDraft): FieldErrors {
  const limits = { ...defaultFieldLimits, quantity: Number.MAX_SAFE_INTEGER };
  const checked = validateFields(orderFields, normaliseFields(orderFields, { ...draft }), limits);
  return 'errors' in checked ? checked.errors : {};
}

function checkTarget(draft: OrderDraft, { fields }: GameDetail): FieldErrors {
  // An empty text is as good as none (open points, Errors).
  const server = draft.server?.trim() || undefined;
  const field = fields.find(({ name }) => name === 'server');
  if (field?.required && server === undefined) return { server: [requiredMessage('server')] };
  const options = field?.options ?? [];
  if (server === undefined || options.length === 0 || options.includes(server)) return {};
  return { server: [`It takes one of ${options.join(', ')}.`] };
}

function checkProduct({ title }: GameDetail, product: Product | undefined): FieldErrors {
  if (!product) return { product_id: [`${title} has no such product.`] };
  return product.status ? {} : { product_id: [`${product.title} is closed.`] };
}

/** Whether a payment method takes an amount. Only what is sure: a service doesn't say how it adds percentages and unique codes. */
export function checkLimits(subtotal: number, method: PaymentMethod): string[] {
  const { name, fee, fee_percent, group, minimum_amount, maximum_amount } = method;
  const least = subtotal + fee;
  const isExact = fee_percent === 0 && !hasUniqueCode(group);
  if (least > maximum_amount) return [`${name} accepts at most ${money(maximum_amount)}.`];
  return isExact && least < minimum_amount ? [`${name} accepts at least ${money(minimum_amount)}.`] : [];
}

function checkMethod(method: PaymentMethod | undefined): FieldErrors {
  if (!method) return { payment_method_id: ['There is no such payment method.'] };
  return method.status ? {} : { payment_method_id: [`${method.name} is closed.`] };
}

/** The result of `work`, or the message of a rejection. */
async function orRejection<Value>(work: () => Promise<Value>): Promise<Value | { rejection: string }> {
  try {
    return await work();
  } catch (error) {
    const rejections: number[] = [exitCodes.rejected, exitCodes.notFound];
    if (error instanceof CliError && rejections.includes(error.details.exitCode))
      return { rejection: error.message };
    throw error;
  }
}

/** What is wrong with the promo code, and the price with it, as far as the service tells. */
async function checkPromo(draft: OrderDraft, service: Service) {
  const promo = await orRejection(() => tryPromo(draft, service));
  if (!promo) return { fieldErrors: {}, isKnown: !draft.promo_code?.trim() };
  return 'rejection' in promo
    ? { fieldErrors: { promo_code: [promo.rejection] }, isKnown: true }
    : { fieldErrors: {}, isKnown: true, unitPrice: promo.pricing.final_price };
}

interface Chosen {
  game: GameDetail;
  product: Product | undefined;
  method: PaymentMethod | undefined;
}

/** Whether what is chosen is open, and fits the game. */
const checkChoice = (draft: OrderDraft, { game, product, method }: Chosen): FieldErrors => ({
  ...(game.status ? {} : { game: [`${game.title} is closed.`] }),
  ...checkProduct(game, product),
  ...checkMethod(method),
  ...checkTarget(draft, game),
});

/** Checks an order, which may be incomplete, against the checkout of its game. */
export async function checkShown(
  draft: OrderDraft,
  { game, paymentMethods }: GetCheckoutResponse,
  service: Service,
): Promise<OrderCheck> {
  const product = game.products.find(({ id }) => id === draft.product_id);
  const method = paymentMethods.find(({ id }) => id === draft.payment_method_id);
  const found = { ...checkChoice(draft, { game, product, method }), ...checkFields(draft) };
  const fieldErrors = isComplete(draft) ? found : onlyGiven(found, draft);
  // The service validates a code for an open product and payment method, and else rejects those.
  if (!game.status || !product?.status || !method?.status) return { fieldErrors, unchecked: [] };
  const promo = await checkPromo(draft, service);
  const all = { ...promo.fieldErrors, ...fieldErrors };
  const unitPrice = promo.unitPrice ?? priceOf(product);
  // What an invalid order would cost is not known.
  const limits = Object.keys(all).length > 0 ? [] : checkLimits(unitPrice * (draft.quantity ?? 1), method);
  return {
    fieldErrors: { ...all, ...(limits.length > 0 && { payment_method_id: limits }) },
    unchecked: promo.isKnown ? [] : ['the promo code'],
  };
}

/** Checks an order without placing it. */
async function checkOrder(request: CreateOrderRequest, service: Service): Promise<OrderCheck> {
  const shown = await ifOffered(() =>
    service.ask((client, options) => client.checkout.get(request.game, options)),
  );
  if (shown) return checkShown(request, shown, service);
  const unchecked = ['game, product, account, payment method and promo code'];
  return { fieldErrors: checkFields(request), unchecked };
}

/** Reports all fields that the service would reject at once, named by their flags. */
export function rejectInvalid(fieldErrors: FieldErrors, game: string | undefined, service: Service): void {
  if (Object.keys(fieldErrors).length === 0) return;
  const show = service.commandLine(`games show ${slugWord(game)}`);
  throw new CliError('This order would be rejected. Nothing was sent.', {
    code: 'WOULD_BE_REFUSED',
    exitCode: exitCodes.rejected,
    fields: fieldErrors,
    hint: `What an order of a game needs:\n  ${show}`,
  });
}

/** Checks an order and shows the request; nothing is ordered. */
export async function dryRun(
  context: CommandContext,
  service: Service,
  request: CreateOrderRequest,
): Promise<void> {
  const { fieldErrors, unchecked } = await checkOrder(request, service);
  rejectInvalid(fieldErrors, request.game, service);
  const { baseUrl } = service.connection;
  await context.print({
    document: request,
    screen: () => `POST ${printable(baseUrl.replace(/\/+$/, ''))}/order\n${jsonDocument(request)}`,
  });
  const left = unchecked.length === 0 ? '' : ` The service doesn't show ${unchecked.join(' and ')}.`;
  context.remark(`\nNothing was sent. As far as the service shows, this order would be accepted.${left}`);
}
