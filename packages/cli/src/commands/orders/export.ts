import { paymentStatuses } from '@topup-kit/core/contract';
import type { Earnings } from '@topup-kit/core/engine';
import type { OrderFilter, StoredOrder } from '@topup-kit/core/store';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { type Cell, checkCsv, csvLine, printCsv, separatorOption } from '../../output/csv.ts';
import { currentDisplay } from '../../output/display.ts';
import { wantsJson } from '../../output/print.ts';
import { type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { readFilter, withFilterFlags } from './filter.ts';
import { orderDocument } from './list.ts';

/** Maximum number of orders in memory. */
const pageSize = 500;

/** Yields all orders of a filter, newest first, page by page, each in its state when it is read. */
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

/** Order with times in the store's zone, and with its earnings; these are null before a payment. */
interface ExportedOrder {
  order: StoredOrder;
  createdAt: string;
  paidAt: string | null;
  earned: Earnings | null;
}

/** Reads the earnings of orders, with the same figures as reports and the console. */
async function createReader({
  store,
}: OperatorStore): Promise<(order: StoredOrder) => Promise<ExportedOrder>> {
  const { earningsOf, readReconciliations, zonedTime } = await import('@topup-kit/core/engine');
  const timeAt = zonedTime(currentDisplay().timezone);
  return async (order) => {
    const shown = { order, createdAt: timeAt(order.createdAt).iso, paidAt: null, earned: null };
    const reconciliations = await readReconciliations(store, order);
    const isPaid = order.paymentStatus === 'PAID' || order.paymentStatus === 'REFUND';
    // Gateways keep the fee even of a returned payment.
    if (!isPaid && order.paymentStatus !== 'FAILED' && reconciliations.length === 0) return shown;
    const [units, history, refunds] = await Promise.all([
      store.findUnits(order.orderId),
      store.findHistory(order.orderId),
      store.findRefunds(order.orderId),
    ]);
    const payment = history.find(({ event }) => event === 'paid' || event === 'settled');
    return {
      ...shown,
      paidAt: payment ? timeAt(payment.paidAt ?? payment.at).iso : null,
      earned: earningsOf({ order, units, history, refunds, reconciliations }),
    };
  };
}

type Column = [title: string, cellOf: (exported: ExportedOrder) => Cell];

/** Columns of the payment, the refunds and the remainder. */
const moneyColumns: Column[] = [
  ['paid_amount', ({ earned }) => earned?.turnover ?? null],
  ['refund', ({ earned }) => earned?.returned ?? null],
  ['cost', ({ earned }) => earned?.cost ?? null],
  ['gateway_fee', ({ earned }) => earned?.gatewayFees ?? null],
  ['profit', ({ earned }) => earned?.profit ?? null],
];

/** Columns of the table in their order. Scripts use their names, so existing names never change, and new columns come last. */
const columns: Column[] = [
  ['order_id', ({ order: { orderId } }) => orderId],
  ['created_at', ({ createdAt }) => createdAt],
  ['account_id', ({ order: { accountId } }) => accountId],
  ['payment_status', ({ order: { paymentStatus } }) => paymentStatus],
  ['buy_status', ({ order: { buyStatus } }) => buyStatus],
  ['game', ({ order: { game } }) => game.title],
  ['product_code', ({ order: { product } }) => product.code],
  ['product', ({ order: { product } }) => product.title],
  ['quantity', ({ order: { pricing } }) => pricing.quantity],
  ['target_id', ({ order: { target } }) => target.id],
  ['target_server', ({ order: { target } }) => target.server],
  ['nickname', ({ order: { target } }) => target.nickname],
  ['whatsapp', ({ order: { contact } }) => contact.whatsapp],
  ['email', ({ order: { contact } }) => contact.email],
  ['payment_method', ({ order: { paymentMethod } }) => paymentMethod.code],
  ['payment_reference', ({ order: { payment } }) => payment.reference],
  ['promo_code', ({ order: { pricing } }) => pricing.promo_code],
  ['unit_price', ({ order: { pricing } }) => pricing.unit_price_after_promo],
  ['promo_discount', ({ order: { pricing } }) => pricing.promo_discount],
  ['payment_fee', ({ order: { pricing } }) => pricing.payment_fee],
  ['unique_code', ({ order: { pricing } }) => pricing.unique_code],
  ['total_price', ({ order: { pricing } }) => pricing.total_price],
  ['serial_number', ({ order: { serialNumber } }) => serialNumber],
  ['paid_at', ({ paidAt }) => paidAt],
  ...moneyColumns,
  ['payment_method_name', ({ order: { paymentMethod } }) => paymentMethod.name],
];

const build = (command: NewCommand) =>
  withFilterFlags(command)
    .addOption(separatorOption())
    .option(...storeOption);

export const exportOrders = defineCommand({
  name: 'export',
  description: 'Write all orders of the store as CSV, or as NDJSON with --json, newest first',
  build,
  example: `orders export --since yesterday --until yesterday --payment-status ${paymentStatuses[1]} > orders.csv`,
  async run(context, options) {
    const isCsv = !wantsJson(context.globals);
    const { separator } = options;
    checkCsv(context, { csv: isCsv, separator });
    await withOperatorStore(context, options, async (operating) => {
      const filter = await readFilter(context, options, operating);
      const read = await createReader(operating);
      const printsTable = isCsv && !context.globals.quiet;
      // The header is printed even without orders, so that scripts always find the columns.
      if (printsTable)
        await printCsv(
          context,
          columns.map(([title]) => title),
          [],
          separator,
        );
      let count = 0;
      for await (const page of ordersOf(operating, filter))
        for (const exported of await Promise.all(page.map(read))) {
          count += 1;
          if (printsTable)
            await context.io.stdout.write(
              csvLine(
                columns.map(([, cellOf]) => cellOf(exported)),
                separator,
              ),
            );
          else
            await context.printNext({
              document: {
                ...orderDocument(exported.order),
                paid_at: exported.paidAt,
                ...Object.fromEntries(moneyColumns.map(([name, cellOf]) => [name, cellOf(exported)])),
              },
              ids: [exported.order.orderId],
              screen: () => '',
            });
        }
      if (count === 0) context.remark(`No matching orders in ${operating.path}.`);
    });
  },
});
