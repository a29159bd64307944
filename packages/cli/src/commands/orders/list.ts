import { normalPhone } from '@topup-kit/core/contract';
import type { OrderFilter, StoredOrder } from '@topup-kit/core/store';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { isoTime } from '../../output/format.ts';
import { orderMissing } from '../../store/from-engine.ts';
import { type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { printPage } from '../../store/page.ts';
import { ordersTable, withStatusFlags } from './order-list.ts';

export const orderDocument = (order: StoredOrder) => ({
  order_id: order.orderId,
  account_id: order.accountId,
  payment_status: order.paymentStatus,
  buy_status: order.buyStatus,
  created_at: isoTime(order.createdAt),
  expired_at: isoTime(order.expiresAt),
  game: { id: order.game.id, slug: order.game.slug, title: order.game.title },
  product: { id: order.product.id, code: order.product.code, title: order.product.title },
  payment_method: {
    id: order.paymentMethod.id,
    code: order.paymentMethod.code,
    name: order.paymentMethod.name,
  },
  target: order.target,
  contact: order.contact,
  pricing: order.pricing,
  payment_reference: order.payment.reference,
  serial_number: order.serialNumber,
});

const build = (command: NewCommand) =>
  withStatusFlags(command)
    .option('--account <account>', 'only orders placed with keys of this account')
    .option('--game <slug>', 'only orders of this game')
    .option('--phone <number>', 'only orders of this phone number, in any notation')
    .option('--limit <number>', 'maximum number of orders', wholeNumber, 20)
    .option('--after <order-id>', 'only orders older than this one: the next page')
    .option(...storeOption);

type Options = OptionsOf<typeof build>;

const rowOf = (order: StoredOrder) => ({
  orderId: order.orderId,
  paymentStatus: order.paymentStatus,
  buyStatus: order.buyStatus,
  total: order.pricing.total_price,
  createdAt: order.createdAt,
  account: order.accountId,
  product: order.product.title,
  game: order.game.title,
});

async function gameIdOf(slug: string, { store, commandLine }: OperatorStore): Promise<number> {
  const game = (await store.readCatalog())?.games.find((one) => one.slug === slug);
  if (game) return game.id;
  throw new CliError(`There is no game ${slug} in the catalogue.`, {
    code: 'GAME_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `This writes the catalogue, with the slugs of its games:\n  ${commandLine('catalog export')}`,
  });
}

function customerOf(phone: string): string {
  const customer = normalPhone(phone);
  if (customer === null) throw usageError(`--phone takes a phone number, not ${JSON.stringify(phone)}.`);
  return customer;
}

async function readFilter(options: Options, operating: OperatorStore): Promise<Omit<OrderFilter, 'limit'>> {
  const { account, paymentStatus, buyStatus, game, phone, after } = options;
  const last = after === undefined ? undefined : await operating.store.findOrder(after);
  if (after !== undefined && !last) throw orderMissing({ ...operating, orderId: after });
  return {
    ...(account !== undefined && { accountId: account }),
    ...(paymentStatus !== undefined && { paymentStatus }),
    ...(buyStatus !== undefined && { buyStatus }),
    ...(phone !== undefined && { customer: customerOf(phone) }),
    ...(game !== undefined && { gameId: await gameIdOf(game, operating) }),
    ...(last && { after: { createdAt: last.createdAt, orderId: last.orderId } }),
  };
}

export const list = defineCommand({
  name: 'list',
  description: 'List the orders of the store, newest first',
  build,
  example: 'orders list --payment-status PAID --buy-status Gagal',
  async run(context, options) {
    const { account, paymentStatus, buyStatus, game, phone, limit } = options;
    await withOperatorStore(context, options, async (operating) => {
      const filter = await readFilter(options, operating);
      await printPage(context, operating, {
        noun: 'orders',
        limit,
        read: (most) => operating.store.listOrders({ ...filter, limit: most }),
        idOf: ({ orderId }) => orderId,
        documentOf: orderDocument,
        screen: (orders, style) => ordersTable(orders.map(rowOf), style),
        flags: {
          '--account': account,
          '--payment-status': paymentStatus,
          '--buy-status': buyStatus,
          '--game': game,
          '--phone': phone,
        },
      });
    });
  },
});
