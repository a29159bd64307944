import {
  cleanText,
  defaultFieldLimits,
  type FieldLimits,
  fieldMessage,
  hasUniqueCode,
  isPhone,
  messagesByField,
  normaliseFields,
  orderFields,
  splitAccountId,
  unitPrice,
  validateFields,
} from '@topup-kit/core/contract';
import type {
  CreateOrderRequest,
  GameDetail,
  GetCheckoutResponse,
  PaymentMethod,
  Product,
  TargetField,
} from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { isComplete, type OrderDraft } from '../../errors/order-flags.ts';
import { money } from '../../output/format.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable, slugWord } from '../../output/text.ts';
import { ifOffered, type Service } from '../../service/client.ts';

/**
 * Returns the effect of a promo code on the unit price; undefined without a code, or if the service has no route for it. Omits an invalid
 * phone number: it is optional here, and its rejection would look like a rejection of the code.
 */
export async function tryPromo(draft: OrderDraft, service: Service) {
  const { promo_code: code, game: game_slug, product_id, payment_method_id, whatsapp } = draft;
  if (!code?.trim() || game_slug === undefined) return undefined;
  if (product_id === undefined || payment_method_id === undefined) return undefined;
  const request = {
    code,
    game_slug,
    product_id,
    payment_method_id,
    ...(whatsapp !== undefined && isPhone(whatsapp) && { whatsapp }),
  };
  const response = await ifOffered(() =>
    service.ask((client, options) => client.promos.validate(request, options)),
  );
  return response?.data;
}

type FieldErrors = Partial<Record<keyof CreateOrderRequest, string[]>>;

/** Probable result of an order, according to the service's other routes. */
interface OrderCheck {
  fieldErrors: FieldErrors;
  /** Fields that can't be checked, because the service has no route for them, or other fields must be valid first. */
  unchecked: string[];
}

/** Drops errors of fields that are not given yet. */
function onlyGiven(fieldErrors: FieldErrors, draft: OrderDraft): FieldErrors {
  const isGiven = ([field]: [string, unknown]): boolean =>
    Object.entries(draft).some(([name, value]) => name === field && value !== undefined);
  return Object.fromEntries(Object.entries(fieldErrors).filter(isGiven));
}

/** Limits for prompts. The service decides about the quantity, because it may allow more than the contract's default. */
const limitsOfAnyService: FieldLimits = { ...defaultFieldLimits, quantity: Number.MAX_SAFE_INTEGER };

/** Checks the given fields by the rules of the contract alone. */
export const checkGiven = (draft: OrderDraft): OrderCheck => ({
  fieldErrors: onlyGiven(checkFields(draft, limitsOfAnyService), draft),
  unchecked: [],
});

/** Checks the fields by the rules of the contract, as a server does. */
function checkFields(draft: OrderDraft, limits: FieldLimits): FieldErrors {
  const checked = validateFields(orderFields, normaliseFields(orderFields, { ...draft }), limits);
  return 'errors' in checked ? messagesByField(checked.errors, 'en') : {};
}

/** Returns the order's server or zone: as a separate field, or in brackets after the id if the game doesn't list servers. */
export const serverOf = (
  { id = '', server }: Pick<OrderDraft, 'id' | 'server'>,
  field: TargetField | undefined,
): string | undefined =>
  // An empty text counts as missing (open points, Errors).
  server?.trim() ||
  (field && !field.options?.length ? splitAccountId(cleanText(id, 'account'))?.server : undefined);

function checkTarget(draft: OrderDraft, { fields }: GameDetail): FieldErrors {
  const field = fields.find(({ name }) => name === 'server');
  const server = serverOf(draft, field);
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

/** Reports only violations that are certain: services don't say how they round percentages, or which unique code they add. */
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

/** Returns the error of a request that the service rejected. Throws any other error. */
function rejectionOf(error: unknown): CliError {
  const rejections: number[] = [exitCodes.rejected, exitCodes.notFound];
  if (error instanceof CliError && rejections.includes(error.details.exitCode)) return error;
  throw error;
}

/** Checks the promo code with the service, which also returns the price with the code. */
async function checkPromo(draft: OrderDraft, service: Service) {
  const promo = await tryPromo(draft, service).catch(rejectionOf);
  if (!promo) return { fieldErrors: {}, isKnown: !draft.promo_code?.trim() };
  return promo instanceof CliError
    ? { fieldErrors: { promo_code: [promo.message] }, isKnown: true }
    : { fieldErrors: {}, isKnown: true, price: promo.pricing.final_price };
}

interface Chosen {
  game: GameDetail;
  product: Product | undefined;
  method: PaymentMethod | undefined;
}

/** Tells whether all choices are open and fit the game. */
const checkChoice = (draft: OrderDraft, { game, product, method }: Chosen): FieldErrors => ({
  ...(game.status ? {} : { game: [`${game.title} is closed.`] }),
  ...checkProduct(game, product),
  ...checkMethod(method),
  ...checkTarget(draft, game),
});

/** Fields that determine the price. */
const priceFields = ['game', 'product_id', 'payment_method_id', 'promo_code', 'quantity'] as const;

/** Checks an order, complete or not, against the checkout of its game. */
export async function checkShown(
  draft: OrderDraft,
  { game, paymentMethods }: GetCheckoutResponse,
  service: Service,
  limits: FieldLimits = limitsOfAnyService,
): Promise<OrderCheck> {
  const product = game.products.find(({ id }) => id === draft.product_id);
  const method = paymentMethods.find(({ id }) => id === draft.payment_method_id);
  const problems = { ...checkChoice(draft, { game, product, method }), ...checkFields(draft, limits) };
  const fieldErrors = isComplete(draft) ? problems : onlyGiven(problems, draft);
  // Services validate a code only if product and payment method are open.
  if (!game.status || !product?.status || !method?.status) {
    return { fieldErrors, unchecked: draft.promo_code?.trim() ? ['the promo code'] : [] };
  }
  const promo = await checkPromo(draft, service);
  const all = { ...promo.fieldErrors, ...fieldErrors };
  const price = promo.price ?? unitPrice(product);
  const isPriceKnown = priceFields.every((field) => all[field] === undefined);
  const amount = isPriceKnown ? checkLimits(price * (draft.quantity ?? 1), method) : [];
  return {
    fieldErrors: { ...all, ...(amount.length > 0 && { payment_method_id: amount }) },
    unchecked: promo.isKnown ? [] : ['the promo code'],
  };
}

async function checkOrder(request: CreateOrderRequest, service: Service): Promise<OrderCheck> {
  const fieldErrors = checkFields(request, defaultFieldLimits);
  const unchecked = ['game, product, account, payment method and promo code'];
  const shown = await ifOffered(() =>
    service.ask((client, options) => client.checkout.get(request.game, options)),
  ).catch((error: unknown) => {
    // An unknown game is reported together with other problems; alone, it has its own error.
    if (Object.keys(fieldErrors).length === 0) throw error;
    return rejectionOf(error);
  });
  if (shown instanceof CliError) return { fieldErrors: { game: [shown.message], ...fieldErrors }, unchecked };
  return shown ? checkShown(request, shown, service, defaultFieldLimits) : { fieldErrors, unchecked };
}

/** Throws one error with all fields that the service would reject. It names them by their flags. */
export function rejectInvalid(
  { fieldErrors, unchecked }: OrderCheck,
  game: string | undefined,
  service: Service,
): void {
  if (Object.keys(fieldErrors).length === 0) return;
  const show = service.commandLine(`games show ${slugWord(game)}`);
  const later =
    unchecked.length === 0 ? '' : `Not checked until these are correct: ${unchecked.join(' and ')}.\n`;
  throw new CliError('This order would be rejected. Nothing was sent.', {
    code: 'WOULD_BE_REJECTED',
    exitCode: exitCodes.rejected,
    fields: fieldErrors,
    hint: `${later}What an order of a game needs:\n  ${show}`,
  });
}

export async function dryRun(
  context: CommandContext,
  service: Service,
  request: CreateOrderRequest,
): Promise<void> {
  const checked = await checkOrder(request, service);
  rejectInvalid(checked, request.game, service);
  const { unchecked } = checked;
  const { baseUrl } = service.connection;
  await context.print({
    document: request,
    screen: () => `POST ${printable(baseUrl.replace(/\/+$/, ''))}/order\n${jsonDocument(request)}`,
  });
  const left = unchecked.length === 0 ? '' : ` The service doesn't show ${unchecked.join(' and ')}.`;
  context.remark(`\nNothing was sent. As far as the service shows, this order would be accepted.${left}`);
}
