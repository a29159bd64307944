import { cleanText, normalPhone } from '@topup-kit/core/contract';
import type { NewCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { catchUp } from '../../store/order-id.ts';
import { readFilter, withFilterFlags } from './filter.ts';
import { orderDocument, orderRow } from './list.ts';
import { ordersTable } from './order-list.ts';

const shortest = 3;
const longest = 255;

const build = (command: NewCommand) =>
  withFilterFlags(command)
    .argument('<text>', 'what to search for, of at least 3 characters')
    .option('--limit <number>', 'maximum number of orders', wholeNumber, 20);

export const search = defineStoreCommand({
  name: 'search',
  description: 'Find orders of the store by any of their data, newest first',
  build,
  help: `The text may be the beginning of an order id or of its last part, a phone number in
any notation, the beginning of an e-mail address, nickname, product code or serial
number, a player's id, a payment reference, or the total of an order.`,
  example: 'orders search ABCDEFGH --since 7d',
  check({ limit }, given) {
    const text = cleanText(given, 'account');
    if (text.length < shortest || text.length > longest)
      throw usageError(`A search needs a text of ${shortest} to ${longest} characters.`);
    if (limit < 1) throw usageError('--limit must be a whole number from 1.');
  },
  async run(operating, context, options, given) {
    const text = cleanText(given, 'account');
    const { customer, ...filter } = await readFilter(context, options, operating);
    await catchUp(operating, context.remark);
    const found = await operating.store.searchOrders({ ...filter, text, limit: options.limit });
    const orders = found.filter(
      ({ contact }) => customer === undefined || normalPhone(contact.whatsapp) === customer,
    );
    await context.print({
      document: { orders: orders.map(orderDocument) },
      ids: orders.map(({ orderId }) => orderId),
      screen: (style) => ordersTable(orders.map(orderRow), style),
    });
    if (orders.length === 0) context.remark(`No orders in ${operating.path} match.`);
    else if (found.length === options.limit)
      context.remark('\nThere may be more: narrow the search with --since or --game, or raise --limit.');
  },
});
