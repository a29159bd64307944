import { isPhone, unitPrice } from '@topup-kit/core/contract';
import type { CreateOrderRequest, GetCheckoutResponse, PaymentMethod, TargetField } from '@topup-kit/sdk';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { OrderDraft } from '../../errors/order-flags.ts';
import type { Check, Choice, Prompts } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { money } from '../../output/format.ts';
import { list, table } from '../../output/table.ts';
import { ifOffered, type Service } from '../../service/client.ts';
import { termsOf } from '../games.ts';
import { checkGiven, checkLimits, checkShown, rejectInvalid, serverOf, tryPromo } from './check.ts';

/** Describes an order for confirmation, with its price if the service shows the price. */
async function draftSummary(
  request: CreateOrderRequest,
  shown: GetCheckoutResponse | undefined,
  service: Service,
): Promise<string> {
  const { game, product_id, payment_method_id, id, server, quantity = 1 } = request;
  const product = shown?.game.products.find((listed) => listed.id === product_id);
  const method = shown?.paymentMethods.find((listed) => listed.id === payment_method_id);
  const promo = await tryPromo(request, service);
  const price = promo?.pricing.final_price ?? (product && unitPrice(product));
  return list([
    ['Game', shown?.game.title ?? game],
    ['Product', product?.title ?? String(product_id)],
    ['Account', id + (server === undefined ? '' : ` (server ${server})`)],
    ['Nickname', request.nickname],
    ['Phone', request.whatsapp],
    ['E-mail', request.email],
    ['Promo', promo ? `${promo.promo.code}, ${money(-promo.pricing.discount)} each` : request.promo_code],
    [
      'Price',
      price === undefined ? `× ${quantity}` : `${money(price)} × ${quantity} = ${money(price * quantity)}`,
    ],
    ['Pay with', method ? `${method.name}, ${termsOf(method)[0]}` : `method ${payment_method_id}`],
  ]);
}

interface Asking {
  prompts: Prompts;
  service: Service;
  io: Io;
}

const needed: Check = (text) => (text === '' ? 'Required.' : undefined);
const wholeNumber: Check = (text) =>
  /^\d{1,15}$/.test(text) ? undefined : 'Enter a whole number, such as 901.';

const phoneNumber: Check = (text) =>
  isPhone(text) ? undefined : 'Enter a phone number, such as 081234567890 or +65 6123 4567.';

/** Aligns the texts of choices in columns. */
function asChoices<Value>(items: readonly { value: Value; cells: string[] }[]): Choice<Value>[] {
  const columns = (items[0]?.cells ?? []).map(() => ({}));
  const lines = table(
    columns,
    items.map(({ cells }) => cells),
  ).split('\n');
  return items.map(({ value }, index) => ({ value, label: lines[index] ?? '' }));
}

async function askGame(prompts: Prompts, service: Service): Promise<string> {
  const response = await ifOffered(() => service.ask((client, options) => client.games.list(options)));
  const open = response?.games.filter(({ status }) => status) ?? [];
  if (open.length === 0)
    return prompts.text('Slug of the game?', { example: 'mobile-legends', check: needed });
  const choices = open.map(({ slug, title }) => ({ value: slug, cells: [title, slug] }));
  return prompts.search('Which game?', asChoices(choices));
}

async function askProduct(prompts: Prompts, shown: GetCheckoutResponse | undefined): Promise<number> {
  const open = shown?.game.products.filter(({ status }) => status) ?? [];
  if (open.length === 0)
    return Number(await prompts.text('Id of the product?', { example: '901', check: wholeNumber }));
  const choices = open.map((product) => ({
    value: product.id,
    cells: [product.title, money(unitPrice(product))],
  }));
  return prompts.choose('Which product?', asChoices(choices));
}

/** Returns the price in rupiah, before fees; undefined if it is not known before the order is placed. */
function subtotalOf(productId: number, quantity: number, shown: GetCheckoutResponse): number | undefined {
  const product = shown.game.products.find(({ id }) => id === productId);
  return product && unitPrice(product) * quantity;
}

/** Returns open payment methods that accept the amount. */
export function usableMethods(
  productId: number,
  quantity = 1,
  shown: GetCheckoutResponse | undefined,
): PaymentMethod[] {
  if (!shown) return [];
  const subtotal = subtotalOf(productId, quantity, shown);
  return shown.paymentMethods.filter(
    (method) => method.status && (subtotal === undefined || checkLimits(subtotal, method).length === 0),
  );
}

async function askMethod(prompts: Prompts, methods: readonly PaymentMethod[]): Promise<number> {
  if (methods.length === 0)
    return Number(await prompts.text('Id of the payment method?', { example: '12', check: wholeNumber }));
  const choices = asChoices(
    methods.map((method) => ({ value: method.id, cells: [method.name, termsOf(method)[0]] })),
  );
  const limits = methods.map((method) => ({ hint: termsOf(method)[1] }));
  return prompts.choose(
    'How will it be paid?',
    choices.map((choice, index) => ({ ...choice, ...limits[index] })),
  );
}

const unknownId: TargetField = { name: 'id', label: 'User id of the account', required: true };
/** Fields for a service without this route, where it is unknown whether the game needs a server. */
const unknownFields: TargetField[] = [
  { name: 'server', label: 'Server or zone of the account (empty: none)', required: false },
];

const askField = (prompts: Prompts, { label, required, options = [] }: TargetField): Promise<string> =>
  options.length > 0
    ? prompts.choose(
        `${label}?`,
        options.map((value) => ({ value, label: value })),
      )
    : prompts.text(`${label}?`, required ? { check: needed } : {});

async function askTarget(
  prompts: Prompts,
  { id, server }: OrderDraft,
  shown: GetCheckoutResponse | undefined,
): Promise<Pick<CreateOrderRequest, 'id' | 'server'>> {
  const fields = shown?.game.fields.filter(({ required }) => required) ?? unknownFields;
  const idField = fields.find(({ name }) => name === 'id') ?? unknownId;
  const serverField = fields.find(({ name }) => name === 'server');
  const target = { id: id ?? (await askField(prompts, idField)) };
  const isNamed = serverOf({ ...target, server }, serverField) !== undefined;
  const zone = server ?? (serverField && !isNamed ? await askField(prompts, serverField) : '');
  return zone === '' ? target : { ...target, server: zone };
}

/** Reads the checkout of the game; undefined if the service has no such route. Rejects flags that don't fit. */
async function readFitting(
  draft: OrderDraft,
  game: string,
  service: Service,
): Promise<GetCheckoutResponse | undefined> {
  const shown = await ifOffered(() =>
    service.ask((client, options) => client.checkout.get(game, options), { game }),
  );
  const checked = shown ? await checkShown({ ...draft, game }, shown, service) : checkGiven(draft);
  rejectInvalid(checked, game, service);
  return shown;
}

/** Prompts for the required fields that no flag gives. */
export async function askOrder(
  draft: OrderDraft,
  { prompts, service }: Asking,
): Promise<{ request: CreateOrderRequest; shown: GetCheckoutResponse | undefined }> {
  // Rejects invalid flags before the first prompt.
  if (draft.game === undefined) rejectInvalid(checkGiven(draft), undefined, service);
  const game = draft.game ?? (await askGame(prompts, service));
  const shown = await readFitting(draft, game, service);
  const product_id = draft.product_id ?? (await askProduct(prompts, shown));
  const target = await askTarget(prompts, draft, shown);
  const payment_method_id =
    draft.payment_method_id ?? (await askMethod(prompts, usableMethods(product_id, draft.quantity, shown)));
  const whatsapp =
    draft.whatsapp ?? (await prompts.text('Phone number?', { example: '081234567890', check: phoneNumber }));
  return { request: { ...draft, ...target, game, product_id, payment_method_id, whatsapp }, shown };
}

export async function confirmOrder(
  request: CreateOrderRequest,
  shown: GetCheckoutResponse | undefined,
  { prompts, service, io }: Asking,
): Promise<void> {
  io.stderr.write(`\n${await draftSummary(request, shown, service)}\n`);
  if (await prompts.confirm('Place this order?', { initial: true })) return;
  throw new CliError('Nothing was ordered.', { code: 'DECLINED', exitCode: exitCodes.failure });
}
