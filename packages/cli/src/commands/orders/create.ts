import type { InvoiceOrder, Order, OrderRequest } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect, type Service } from '../../client.ts';
import { addExample, programName, shellWord } from '../../command-line.ts';
import { usageProblem } from '../../errors/problem.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../whole-number.ts';
import { orderScreen, type ShownOrder } from './order-screen.ts';

interface Options {
  game?: string;
  product?: number;
  paymentMethod?: number;
  id?: string;
  server?: string;
  whatsapp?: string;
  email?: string;
  nickname?: string;
  promo?: string;
  quantity?: number;
  idempotencyKey?: string;
}

/** What is not given is not sent, and what every order takes is asked for all at once. */
function readRequest(options: Options, program: string): OrderRequest {
  const { game, product, paymentMethod, id, whatsapp, server, email, nickname, promo, quantity } = options;
  if (
    game === undefined ||
    product === undefined ||
    paymentMethod === undefined ||
    id === undefined ||
    whatsapp === undefined
  ) {
    const needed = { '--game': game, '--product': product, '--payment-method': paymentMethod };
    const missing = Object.entries({ ...needed, '--id': id, '--whatsapp': whatsapp })
      .filter(([, value]) => value === undefined)
      .map(([flag]) => flag);
    throw usageProblem(
      `An order also takes ${missing.join(', ')}.`,
      `\`${program} games list\` lists the games, \`${program} games show <slug>\` what one takes.`,
    );
  }
  return {
    id,
    game,
    product_id: product,
    payment_method_id: paymentMethod,
    whatsapp,
    ...(server !== undefined && { server }),
    ...(email !== undefined && { email }),
    ...(nickname !== undefined && { nickname }),
    ...(promo !== undefined && { promo_code: promo }),
    ...(quantity !== undefined && { quantity }),
  };
}

/**
 * The answer to an order names neither game nor product; the invoice does. The order stands without it, so a
 * service that has none is no failure.
 */
async function readNames(service: Service, orderId: string): Promise<InvoiceOrder | undefined> {
  try {
    const timeout = 5_000;
    const { order } = await service.ask((client, options) =>
      client.invoices.get(orderId, { ...options, timeout }),
    );
    return order;
  } catch {
    return undefined;
  }
}

const shownOrder = (order: Order, request: OrderRequest, names: InvoiceOrder | undefined): ShownOrder => ({
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
    qrUrl: order.qr_url,
    pageUrl: order.payment_url,
    before: order.expired_at,
  },
});

async function createOrder(options: Options, io: Io, command: Command): Promise<void> {
  const request = readRequest(options, programName(io));
  const { idempotencyKey } = options;
  const service = await connect(io, command);
  const answer = await service.ask((client, rest) =>
    client.orders.create(request, { ...rest, idempotencyKey }),
  );
  await print(io, command, answer, async () => {
    const names = await readNames(service, answer.orderId);
    return orderScreen(shownOrder(answer.data, request, names));
  });
  const next = service.commandLine(`orders show ${shellWord(answer.orderId)}`);
  remark(io, command, `\nTo see what becomes of it:\n  ${next}`);
}

const example = `orders create --game mobile-legends --product 901 --payment-method 12 \\
    --id 12345678 --server 2012 --whatsapp 081234567890 --promo RAMADAN10`;

export const defineCreate: Define = (orders, io) => {
  const create = orders
    .command('create')
    .description('Place an order')
    .option('--game <slug>', 'slug of the game (needed)')
    .option('--product <id>', 'id of the product (needed)', wholeNumber)
    .option('--payment-method <id>', 'id of the way to pay (needed)', wholeNumber)
    .option('--id <account>', 'user id or game id of the account to top up (needed)')
    .option('--server <server>', 'server or zone of the account, where the game has them')
    .option('--whatsapp <phone>', "orderer's phone number (needed)")
    .option('--email <address>', "orderer's e-mail address")
    .option('--nickname <name>', 'nickname in the game')
    .option('--promo <code>', 'promo code')
    .option('--quantity <number>', 'how many; 1 when left out', wholeNumber)
    .option('--idempotency-key <key>', 'a key of yours: orders with the same one are made once')
    .action((options: Options, command: Command) => createOrder(options, io, command));
  addExample(create, io, example);
};
