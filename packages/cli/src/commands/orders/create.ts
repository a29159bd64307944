import { Option } from '@commander-js/extra-typings';
import type { CreatedOrder, CreateOrderRequest, InvoiceOrder, Order } from '@topup-kit/sdk';
import { rememberOrder } from '../../completion/recent-orders.ts';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import {
  CliError,
  exitCodes,
  isEarlyEnd,
  isOutputError,
  noSuchFieldCode,
  usageError,
} from '../../errors/cli-error.ts';
import { isComplete, missingFlags, type OrderDraft } from '../../errors/order-flags.ts';
import { readSlug, wholeNumber } from '../../input/arguments.ts';
import { given } from '../../input/given.ts';
import { createPrompts, dryRunOption } from '../../input/prompts.ts';
import { shellWord, slugWord } from '../../output/text.ts';
import { connect, ifOffered, type Service } from '../../service/client.ts';
import { sameService } from '../../service/connection.ts';
import { suggestSlugs } from '../../service/suggest-slugs.ts';
import { fromThrown } from '../../service/to-cli-error.ts';
import type { PlacedOrder } from './place.ts';
import { printOrder, type ShownOrder } from './screen.ts';
import { watchOrder } from './watch.ts';

interface ReadInvoice {
  invoice: InvoiceOrder | undefined;
  /** True if the service has no route for invoices. */
  showsNone: boolean;
}

/**
 * Reads the invoice. It adds the names of game and product and the text of the QR code, which the response to an order lacks. A missing
 * invoice is not an error, because the order is already placed.
 */
async function readInvoice(service: Service, orderId: string): Promise<ReadInvoice> {
  const timeout = 5_000;
  try {
    const response = await ifOffered(() =>
      service.ask((client, options) => client.invoices.get(orderId, { ...options, timeout })),
    );
    return { invoice: response?.order, showsNone: response === undefined };
  } catch {
    return { invoice: undefined, showsNone: false };
  }
}

/** Returns the text of the QR code, if the payment code contains it: EMV codes begin with their version, 000201. */
const qrText = ({ payment_code, qr_url }: Order): string | undefined =>
  qr_url && payment_code?.startsWith('000201') ? payment_code : undefined;

const createdOrder = (
  order: Order,
  request: CreateOrderRequest,
  names: InvoiceOrder | undefined,
): ShownOrder => ({
  orderId: order.order_id,
  paymentStatus: order.payment_status,
  buyStatus: order.buy_status,
  game: names?.games ?? request.game,
  product: names?.product ?? String(request.product_id),
  account: request.id,
  server: request.server,
  nickname: request.nickname,
  pricing: order.pricing,
  payment: {
    method: names?.payment_name ?? `method ${request.payment_method_id}`,
    code: order.payment_code,
    qrString: names?.qr_string ?? qrText(order),
    qrUrl: order.qr_url,
    pageUrl: order.payment_url,
    before: order.expired_at,
  },
});

const onItsPage = (pageUrl: string | null): string | undefined =>
  pageUrl ? `Its payment page shows its state:\n  ${pageUrl}` : undefined;

/** Returns the error if a placed order can't be watched because the service has no route for the status. */
function unwatched(error: unknown, { orderId, pageUrl }: PlacedOrder): unknown {
  if (!(error instanceof CliError) || error.details.code !== 'STATUS_UNAVAILABLE') return error;
  return error.with(
    { exitCode: exitCodes.unknownOutcome, hint: onItsPage(pageUrl) },
    `${orderId} was placed, but this service has no route that shows its state.`,
  );
}

async function followOrder(
  context: CommandContext,
  { service, ...placed }: PlacedOrder & { service: Service },
  watch: boolean,
): Promise<void> {
  const { orderId, pageUrl, showsNone } = placed;
  if (watch) {
    context.remark('');
    return watchOrder(context, service, { orderId, until: 'final', timeout: undefined }).catch(
      (error: unknown) => {
        throw unwatched(error, placed);
      },
    );
  }
  const next = service.commandLine(`orders watch ${shellWord(orderId)}`);
  const how = showsNone ? onItsPage(pageUrl) : `To follow it:\n  ${next}`;
  if (how !== undefined) context.remark(`\n${how}`);
}

/** Returns the error if a placed order could not be printed. If the reader stopped early, this is not an error. */
function unprinted(error: unknown, orderId: string, isInJournal: boolean): unknown {
  const problem = fromThrown(error);
  const isOther =
    error instanceof CliError && !isOutputError(error) && problem.details.code !== noSuchFieldCode;
  if (isEarlyEnd(error) || isOther) return error;
  const hint = isInJournal
    ? 'It is saved: run the same command again to print it; no second order is placed.'
    : undefined;
  return problem.with(
    { exitCode: exitCodes.unknownOutcome, hint },
    `${problem.message} The order was placed: ${orderId}`,
  );
}

const build = (command: NewCommand) =>
  command
    .option('--game <slug>', 'slug of the game (required)', readSlug)
    .option('--product <id>', 'id of the product (required)', wholeNumber)
    .option('--payment-method <id>', 'id of the payment method (required)', wholeNumber)
    .option('--id <account>', 'user id or game id of the account to top up (required)')
    .option('--server <server>', 'server or zone of the account, where the game has them')
    .option('--whatsapp <phone>', 'phone number of the customer (required)')
    .option('--email <address>', 'e-mail address of the customer')
    .option('--nickname <name>', 'nickname in the game')
    .option('--promo <code>', 'promo code')
    .option('--quantity <number>', 'how many; default: 1', wholeNumber)
    .option('--watch', 'wait until the order is delivered or fails')
    .option(...dryRunOption)
    .option('--another', 'place another order although an equal order is unfinished')
    .addOption(
      new Option(
        '--idempotency-key <key>',
        'your own key: an order with the same key is placed once; the command saves nothing',
      ).conflicts('another'),
    );

type Options = OptionsOf<typeof build>;

/** Creates a draft without the fields whose flags are missing. */
function draftOf(options: Options): OrderDraft {
  const { id, game, product: product_id, paymentMethod: payment_method_id, promo: promo_code } = options;
  const { whatsapp, server, email, nickname, quantity } = options;
  return given({
    id,
    game,
    product_id,
    payment_method_id,
    whatsapp,
    server,
    email,
    nickname,
    promo_code,
    quantity,
  });
}

interface Creation {
  context: CommandContext;
  options: Options;
  service: Service;
}

function incomplete(context: CommandContext, draft: OrderDraft): CliError {
  const { game } = draft;
  const games = `The games:\n  ${sameService(context, 'games list')}\n`;
  const show = sameService(context, `games show ${slugWord(game)}`);
  return usageError(
    `An order also needs ${missingFlags(draft).join(', ')}.`,
    `${game === undefined ? games : ''}What an order of a game needs:\n  ${show}`,
  );
}

async function readRequest(
  draft: OrderDraft,
  { context, service, options }: Creation,
): Promise<CreateOrderRequest> {
  if (isComplete(draft)) return draft;
  const { io, promptTerminal } = context;
  if (!promptTerminal) throw incomplete(context, draft);
  const { askOrder, confirmOrder } = await import('./ask.ts');
  const asking = { prompts: await createPrompts(io, promptTerminal), service, io };
  const { request, shown } = await askOrder(draft, asking);
  if (!options.dryRun) await confirmOrder(request, shown, asking);
  io.stderr.write('\n');
  return request;
}

async function printCreated(
  document: CreatedOrder,
  request: CreateOrderRequest,
  { context, service, options: { watch, idempotencyKey } }: Creation,
): Promise<PlacedOrder> {
  const { orderId, data } = document;
  // If the user gave the key, the order is not saved here.
  if (idempotencyKey === undefined)
    rememberOrder(context.io, {
      order_id: orderId,
      base_url: service.connection.baseUrl,
      game: request.game,
    });
  let showsNone = false;
  async function order(): Promise<ShownOrder> {
    const read = await readInvoice(service, orderId);
    showsNone = read.showsNone;
    return createdOrder(data, request, read.invoice);
  }
  await printOrder(context, { document, orderId, order }, watch ? context.printNext : context.print);
  return { orderId, pageUrl: data.payment_url, showsNone };
}

/** Places the order and prints it. With --idempotency-key, the order is not saved in the journal, because the user is responsible. */
async function place(request: CreateOrderRequest, creation: Creation): Promise<PlacedOrder> {
  const { context, service, options } = creation;
  const { idempotencyKey, another = false } = options;
  const printPlaced = (response: CreatedOrder): Promise<PlacedOrder> =>
    printCreated(response, request, creation).catch((error: unknown) => {
      throw unprinted(error, response.orderId, idempotencyKey === undefined);
    });
  if (idempotencyKey === undefined) {
    const { sendOrder } = await import('./place.ts');
    return sendOrder(context, { service, request, another, print: printPlaced });
  }
  return printPlaced(
    await service.ask((client, rest) => client.orders.create(request, { ...rest, idempotencyKey }), request),
  );
}

/** Places an order from flags and prompts; undefined for a dry run. */
export async function createOrder(
  context: CommandContext,
  options: Options,
): Promise<(PlacedOrder & { service: Service }) | undefined> {
  const draft = draftOf(options);
  if (!isComplete(draft) && !context.promptTerminal) throw incomplete(context, draft);
  const service = await connect(context);
  const creation = { context, options, service };
  const placed = await suggestSlugs(service, draft.game, async () => {
    const request = await readRequest(draft, creation);
    if (!options.dryRun) return place(request, creation);
    const { dryRun } = await import('./check.ts');
    await dryRun(context, service, request);
    return undefined;
  });
  return placed && { ...placed, service };
}

export const create = defineCommand({
  name: 'create',
  description: 'Place an order',
  build,
  help: `At a terminal, the command asks for missing values. It saves the order on this
machine before it sends it: if it is killed or loses the connection, the same
command finishes that order and places no second one.`,
  example: `orders create --game mobile-legends --product 901 --payment-method 12 \\
    --id 12345678 --server 2012 --whatsapp 081234567890 --promo RAMADAN10`,
  async run(context, options) {
    const created = await createOrder(context, options);
    if (created) await followOrder(context, created, options.watch ?? false);
  },
});
