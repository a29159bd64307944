import {
  defaultFieldLimits,
  fieldMessage,
  hasUniqueCode,
  messagesByField,
  normaliseFields,
  orderFields,
  rulesIn,
  unitPrice,
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
import { isComplete, type OrderDraft } from './draft.ts';

/** The effect of a promo code on the unit price; undefined without a code, or if the service has no route for it. */
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

/** Problems of an order, by field. */
type FieldErrors = Partial<Record<keyof CreateOrderRequest, string[]>>;

/** What the service would probably say about an order, judged by its other routes. */
interface OrderCheck {
  fieldErrors: FieldErrors;
  /** What can't be checked, because the service has no route for it. */
  unchecked: string[];
}

/** Drops errors of fields that are not given yet. */
function onlyGiven(fieldErrors: FieldErrors, draft: OrderDraft): FieldErrors {
  const isGiven = ([field]: [string, unknown]): boolean =>
    Object.entries(draft).some(([name, value]) => name === field && value !== undefined);
  return Object.fromEntries(Object.entries(fieldErrors).filter(isGiven));
}

/** Checks the given fields by the rules of the interface alone. */
export const checkGiven = (draft: OrderDraft): FieldErrors => onlyGiven(checkFields(draft), draft);

/** The rules of every service: each has its own highest quantity, and its own idea of a phone number. */
const rules = rulesIn(orderFields, { phoneNumbers: 'text' });

function checkFields(draft: OrderDraft): FieldErrors {
  const limits = { ...defaultFieldLimits, quantity: Number.MAX_SAFE_INTEGER };
  const checked = validateFields(rules, normaliseFields(rules, { ...draft }), limits);
  return 'errors' in checked ? messagesByField(checked.errors, 'en') : {};
}

function checkTarget(draft: OrderDraft, { fields }: GameDetail): FieldErrors {
  // An empty text counts as missing (open points, Errors).
  const server = draft.server?.trim() || undefined;
  const field = fields.find(({ name }) => name === 'server');
  if (field?.required && server === undefined)
    return { server: [fieldMessage('server', { rule: 'required' }, 'en')] };
  const options = field?.options ?? [];
  if (server === undefined || options.length === 0 || options.includes(server)) return {};
  return { server: [`It takes one of ${options.join(', ')}.`] };
}

function checkProduct({ title }: GameDetail, product: Product | undefined): FieldErrors {
  if (!product) return { product_id: [`${title} has no such product.`] };
  return product.status ? {} : { product_id: [`${product.title} is closed.`] };
}

/** Reports only certain violations: services don't say how they round percentages, or which unique code they add. */
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

/** The result of `work`, or the message of its rejection. */
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

/** Checks the promo code with the service, which also returns the price with it. */
async function checkPromo(draft: OrderDraft, service: Service) {
  const promo = await orRejection(() => tryPromo(draft, service));
  if (!promo) return { fieldErrors: {}, isKnown: !draft.promo_code?.trim() };
  return 'rejection' in promo
    ? { fieldErrors: { promo_code: [promo.rejection] }, isKnown: true }
    : { fieldErrors: {}, isKnown: true, price: promo.pricing.final_price };
}

interface Chosen {
  game: GameDetail;
  product: Product | undefined;
  method: PaymentMethod | undefined;
}

/** Whether everything chosen is open and fits the game. */
const checkChoice = (draft: OrderDraft, { game, product, method }: Chosen): FieldErrors => ({
  ...(game.status ? {} : { game: [`${game.title} is closed.`] }),
  ...checkProduct(game, product),
  ...checkMethod(method),
  ...checkTarget(draft, game),
});

/** Checks an order, complete or not, against the checkout of its game. */
export async function checkShown(
  draft: OrderDraft,
  { game, paymentMethods }: GetCheckoutResponse,
  service: Service,
): Promise<OrderCheck> {
  const product = game.products.find(({ id }) => id === draft.product_id);
  const method = paymentMethods.find(({ id }) => id === draft.payment_method_id);
  const found = { ...checkChoice(draft, { game, product, method }), ...checkFields(draft) };
  const fieldErrors = isComplete(draft) ? found : onlyGiven(found, draft);
  // Services validate a code only for an open product and payment method.
  if (!game.status || !product?.status || !method?.status) return { fieldErrors, unchecked: [] };
  const promo = await checkPromo(draft, service);
  const all = { ...promo.fieldErrors, ...fieldErrors };
  const price = promo.price ?? unitPrice(product);
  // The price of an invalid order is unknown.
  const limits = Object.keys(all).length > 0 ? [] : checkLimits(price * (draft.quantity ?? 1), method);
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

/** Throws one error with all fields that the service would reject, named by their flags. */
export function rejectInvalid(fieldErrors: FieldErrors, game: string | undefined, service: Service): void {
  if (Object.keys(fieldErrors).length === 0) return;
  const show = service.commandLine(`games show ${slugWord(game)}`);
  throw new CliError('This order would be rejected. Nothing was sent.', {
    code: 'WOULD_BE_REJECTED',
    exitCode: exitCodes.rejected,
    fields: fieldErrors,
    hint: `What an order of a game needs:\n  ${show}`,
  });
}

/** Checks an order and prints the request, without placing it. */
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
