import type { CreatedOrder, OrderRequest } from '@topup-kit/sdk';
import { type Command, Option } from 'commander';
import { connect, type Service } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { type Problem, usageProblem } from '../../errors/cli-error.ts';
import { suggestSlugs } from '../../errors/suggest-slugs.ts';
import { readSlug, wholeNumber } from '../../input/arguments.ts';
import { createPrompts, dryRunOption } from '../../input/prompts.ts';
import { slugWord } from '../../output/text.ts';
import { sameService } from '../../service/connection.ts';
import { followOrder } from './follow-order.ts';
import { createKeyWatch, type KeyWatch } from './key-watch.ts';
import { createdOrder, readInvoice } from './order-created.ts';
import { draftOf, isComplete, missingFlags, type OrderDraft, type OrderOptions } from './order-options.ts';
import type { ShownOrder } from './order-screen.ts';
import type { Made } from './placing.ts';
import { printOrder } from './print-order.ts';
import { untold } from './unfinished-problems.ts';

interface Options extends OrderOptions {
  idempotencyKey?: string;
  another?: true;
  dryRun?: true;
  watch?: true;
}

/** What the steps of the command share. */
interface Creating {
  options: Options;
  service: Service;
  keyWatch: KeyWatch;
  context: CommandContext;
}

/** What every order takes is told all at once. */
function incomplete(draft: OrderDraft, context: CommandContext): Problem {
  const { game } = draft;
  const games = `The games:\n  ${sameService(context, 'games list')}\n`;
  const show = sameService(context, `games show ${slugWord(game)}`);
  return usageProblem(
    `An order also takes ${missingFlags(draft).join(', ')}.`,
    `${game === undefined ? games : ''}What an order of a game takes:\n  ${show}`,
  );
}

/** The whole order: by flags alone, or with the help of whoever sits at the terminal. */
async function readRequest(
  draft: OrderDraft,
  { service, context, options }: Creating,
): Promise<OrderRequest> {
  if (isComplete(draft)) return draft;
  const terminal = context.promptTerminal;
  if (!terminal) throw incomplete(draft, context);
  const { askOrder, confirmOrder } = await import('./ask-order.ts');
  const asking = { prompts: await createPrompts(context.io, terminal), service, io: context.io };
  const { request, shown } = await askOrder(draft, asking);
  if (!options.dryRun) await confirmOrder(request, shown, asking);
  context.io.stderr.write('\n');
  return request;
}

/** Prints an order that was made; before a watch, as the first of a stream. */
async function tellCreated(
  document: CreatedOrder,
  request: OrderRequest,
  { service, context, options: { watch } }: Creating,
): Promise<Made> {
  const { orderId, data } = document;
  let showsNone = false;
  async function order(): Promise<ShownOrder> {
    const read = await readInvoice(service, orderId);
    showsNone = read.showsNone;
    return createdOrder(data, request, read.invoice);
  }
  await printOrder(context, { document, ids: [orderId], order }, watch ? context.printNext : context.print);
  return { orderId, pageUrl: data.payment_url, showsNone };
}

/** Places the order and prints it. With a key of its own, whoever runs the command keeps it in mind. */
async function place(request: OrderRequest, creating: Creating): Promise<Made> {
  const { service, keyWatch, context, options } = creating;
  const { idempotencyKey, another = false } = options;
  const tell = (answer: CreatedOrder): Promise<Made> =>
    tellCreated(answer, request, creating).catch((error: unknown) => {
      throw untold(error, answer.orderId, idempotencyKey === undefined);
    });
  if (idempotencyKey === undefined) {
    const { placeOrder } = await import('./place-order.ts');
    return placeOrder({ service, keyWatch, request, another, tell }, context);
  }
  return tell(
    await service.ask((client, rest) => client.orders.create(request, { ...rest, idempotencyKey }), request),
  );
}

/** Places an order as a command line and the person at the terminal say it; undefined for a dry run. */
export async function createOrder(
  options: Options,
  context: CommandContext,
): Promise<(Made & { service: Service }) | undefined> {
  const draft = draftOf(options);
  if (!isComplete(draft) && !context.promptTerminal) throw incomplete(draft, context);
  const keyWatch = createKeyWatch();
  const service = await connect(context, keyWatch.hooks);
  const creating = { options, service, keyWatch, context };
  const made = await suggestSlugs(service, draft.game, async () => {
    const request = await readRequest(draft, creating);
    if (!options.dryRun) return place(request, creating);
    const { dryRun } = await import('./dry-run.ts');
    await dryRun(request, service, context);
    return undefined;
  });
  return made && { ...made, service };
}

async function createAndGoOn(options: Options, context: CommandContext): Promise<void> {
  const created = await createOrder(options, context);
  if (created) await followOrder(created, options.watch ?? false, context);
}

const example = `orders create --game mobile-legends --product 901 --payment-method 12 \\
    --id 12345678 --server 2012 --whatsapp 081234567890 --promo RAMADAN10`;

const more = `
At a terminal, what is needed and not given is asked for. An order is noted on
this machine before it is sent: killed or cut off, the same command finishes it,
and makes no second one.`;

export const defineCreate: Define = (orders, io) => {
  const create = orders
    .command('create')
    .description('Place an order')
    .option('--game <slug>', 'slug of the game (needed)', readSlug)
    .option('--product <id>', 'id of the product (needed)', wholeNumber)
    .option('--payment-method <id>', 'id of the way to pay (needed)', wholeNumber)
    .option('--id <account>', 'user id or game id of the account to top up (needed)')
    .option('--server <server>', 'server or zone of the account, where the game has them')
    .option('--whatsapp <phone>', "orderer's phone number (needed)")
    .option('--email <address>', "orderer's e-mail address")
    .option('--nickname <name>', 'nickname in the game')
    .option('--promo <code>', 'promo code')
    .option('--quantity <number>', 'how many; 1 when left out', wholeNumber)
    .option('--watch', 'then wait until it is delivered, or ends otherwise')
    .option(...dryRunOption)
    .option('--another', 'place another order, although one like it was begun and not finished')
    .addOption(
      new Option(
        '--idempotency-key <key>',
        'a key of yours: orders with the same one are made once; nothing is noted here',
      ).conflicts('another'),
    )
    .addHelpText('after', more)
    .action((options: Options, command: Command) => createAndGoOn(options, contextOf(io, command)));
  addExample(create, io, example);
};
