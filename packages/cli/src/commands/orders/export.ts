import { paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter, StoredOrder } from '@topup-kit/core/store';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { csvLine } from '../../output/csv.ts';
import { isoTime } from '../../output/format.ts';
import { wantsJson } from '../../output/print.ts';
import { type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { readFilter, withFilterFlags } from './filter.ts';
import { orderDocument } from './list.ts';

/** How many orders are in memory at a time. */
const pageSize = 500;

/** All orders of a filter, newest first, a page at a time. One that changes meanwhile is in the state it has when it is read. */
async function* ordersOf(
  { store }: OperatorStore,
  filter: Omit<OrderFilter, 'limit'>,
): AsyncGenerator<StoredOrder[]> {
  let after: OrderFilter['after'];
  for (;;) {
    const page = await store.listOrders({ ...filter, after, limit: pageSize });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (page.length < pageSize || !last) return;
    after = { createdAt: last.createdAt, orderId: last.orderId };
  }
}

/** The columns of the table, in their order: scripts name them, so that none is renamed and new ones come last. */
const columns: [title: string, cellOf: (order: StoredOrder) => string | number | null][] = [
  ['order_id', ({ orderId }) => orderId],
  ['created_at', ({ createdAt }) => isoTime(createdAt)],
  ['account_id', ({ accountId }) => accountId],
  ['payment_status', ({ paymentStatus }) => paymentStatus],
  ['buy_status', ({ buyStatus }) => buyStatus],
  ['game', ({ game }) => game.title],
  ['product_code', ({ product }) => product.code],
  ['product', ({ product }) => product.title],
  ['quantity', ({ pricing }) => pricing.quantity],
  ['target_id', ({ target }) => target.id],
  ['target_server', ({ target }) => target.server],
  ['nickname', ({ target }) => target.nickname],
  ['whatsapp', ({ contact }) => contact.whatsapp],
  ['email', ({ contact }) => contact.email],
  ['payment_method', ({ paymentMethod }) => paymentMethod.code],
  ['payment_reference', ({ payment }) => payment.reference],
  ['promo_code', ({ pricing }) => pricing.promo_code],
  ['unit_price', ({ pricing }) => pricing.unit_price_after_promo],
  ['promo_discount', ({ pricing }) => pricing.promo_discount],
  ['payment_fee', ({ pricing }) => pricing.payment_fee],
  ['unique_code', ({ pricing }) => pricing.unique_code],
  ['total_price', ({ pricing }) => pricing.total_price],
  ['serial_number', ({ serialNumber }) => serialNumber],
];

const titles = csvLine(columns.map(([title]) => title));

const build = (command: NewCommand) => withFilterFlags(command).option(...storeOption);

export const exportOrders = defineCommand({
  name: 'export',
  description: 'Write all orders of the store, newest first, as CSV, or with --json as one document a line',
  build,
  example: `orders export --since yesterday --until yesterday --payment-status ${paymentStatuses[1]} > orders.csv`,
  async run(context, options) {
    await withOperatorStore(context, options, async (operating) => {
      const filter = await readFilter(context, options, operating);
      let count = 0;
      for await (const page of ordersOf(operating, filter)) {
        for (const order of page) {
          const start = count === 0 ? titles : '';
          count += 1;
          await context.printNext({
            document: orderDocument(order),
            ids: [order.orderId],
            screen: () => start + csvLine(columns.map(([, cellOf]) => cellOf(order))),
          });
        }
      }
      if (count > 0) return;
      // So that a script finds the columns in any case.
      if (!wantsJson(context.globals) && !context.globals.quiet) await context.io.stdout.write(titles);
      context.remark(`No such orders in ${operating.path}.`);
    });
  },
});
