import type { ListedOrder, ListOrdersQuery } from '@topup-kit/sdk';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { filled, wholeNumber } from '../../input/arguments.ts';
import { flagWords } from '../../output/text.ts';
import { connect, ifOffered } from '../../service/client.ts';
import { ordersTable, withStatusFlags } from './order-list.ts';

const build = (command: NewCommand) =>
  withStatusFlags(command)
    .option(
      '--since <time>',
      'only orders created at or after this time, such as 2026-03-28T10:00:00+07:00',
      filled,
    )
    .option('--until <time>', 'only orders created before this time', filled)
    .option('--idempotency-key <key>', 'only the order that was placed with this key', filled)
    .option('--limit <number>', 'maximum number of orders, 1 to 100', wholeNumber, 20)
    .option(
      '--cursor <cursor>',
      'value for the next page, from the document or hint of the previous page',
      filled,
    );

type Options = OptionsOf<typeof build>;

function unixSeconds(flag: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const moment = Date.parse(time);
  if (!Number.isNaN(moment)) return Math.floor(moment / 1000);
  throw usageError(
    `${flag} takes a time such as 2026-03-28T10:00:00+07:00 or 2026-03-28, not ${JSON.stringify(time)}.`,
  );
}

function queryOf(options: Options): ListOrdersQuery {
  const { limit, cursor, paymentStatus, buyStatus, since, until, idempotencyKey } = options;
  if (limit < 1 || limit > 100) throw usageError('--limit must be a whole number from 1 to 100.');
  return {
    limit,
    cursor,
    payment_status: paymentStatus,
    buy_status: buyStatus,
    created_from: unixSeconds('--since', since),
    created_before: unixSeconds('--until', until),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  };
}

const rowOf = (order: ListedOrder) => ({
  orderId: order.order_id,
  paymentStatus: order.payment_status,
  buyStatus: order.buy_status,
  total: order.total_price,
  createdAt: Date.parse(order.created_at),
  product: order.product,
  game: order.games,
});

function nextFlags(options: Options, cursor: string): string {
  const { paymentStatus, buyStatus, since, until, limit } = options;
  return flagWords({
    '--payment-status': paymentStatus,
    '--buy-status': buyStatus,
    '--since': since,
    '--until': until,
    '--limit': String(limit),
    '--cursor': cursor,
  });
}

export const mine = defineCommand({
  name: 'mine',
  description: "List your account's orders at the service, newest first",
  build,
  example: 'orders mine --payment-status PAID --buy-status Gagal',
  async run(context, options) {
    const query = queryOf(options);
    const service = await connect(context);
    const page = await ifOffered(() =>
      service.ask((client, requestOptions) => client.orders.list(query, requestOptions)),
    );
    if (!page)
      throw new CliError('This service has no list of orders: GET /orders is an extension of Topup Kit.', {
        code: 'NOT_OFFERED',
        exitCode: exitCodes.notFound,
        hint: `To read one order:\n  ${service.commandLine('orders show ORDER_ID')}`,
      });
    const { data, next_cursor } = page;
    await context.print({
      document: { orders: data, next_cursor },
      ids: data.map(({ order_id }) => order_id),
      screen: (style) => ordersTable(data.map(rowOf), style),
    });
    if (data.length === 0) context.remark('No such orders.');
    if (next_cursor !== null)
      context.remark(
        `\nOlder ones:\n  ${service.commandLine(`orders mine ${nextFlags(options, next_cursor)}`)}`,
      );
  },
});
