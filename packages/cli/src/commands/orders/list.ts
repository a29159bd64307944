import type { OrderFilter, OrderProblem, Store, StoredOrder } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import type { NewCommand } from '../../define-command.ts';
import { filled, wholeNumber } from '../../input/arguments.ts';
import { isoTime } from '../../output/format.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { orderMissing } from '../../store/from-engine.ts';
import type { OperatorStore } from '../../store/open.ts';
import { findOrderId } from '../../store/order-id.ts';
import { printPage } from '../../store/page.ts';
import { filterFlags, readFilter, withFilterFlags } from './filter.ts';
import { ordersTable } from './order-list.ts';

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
  withFilterFlags(command)
    .option('--stuck', 'only orders whose delivery has had no outcome for 15 minutes')
    .option('--limit <number>', 'maximum number of orders', wholeNumber, 20)
    .option('--cursor <order-id>', 'only orders older than this id, for the next page', filled);

export const orderRow = (order: StoredOrder) => ({
  orderId: order.orderId,
  paymentStatus: order.paymentStatus,
  buyStatus: order.buyStatus,
  total: order.pricing.total_price,
  createdAt: order.createdAt,
  account: order.accountId,
  product: order.product.title,
  quantity: order.pricing.quantity,
  game: order.game.title,
  customer: order.contact.whatsapp,
});

/** Finds the last order of the previous page. */
async function readAfter(id: string | undefined, operating: OperatorStore, context: CommandContext) {
  if (id === undefined) return undefined;
  const orderId = await findOrderId(operating, id, context);
  const last = await operating.store.findOrder(orderId);
  if (!last) throw orderMissing({ ...operating, orderId });
  return { createdAt: last.createdAt, orderId: last.orderId };
}

/** Reads the orders of a filter that have a problem, newest first. */
export async function problemOrders(
  { store }: { store: Pick<Store, 'findOrders' | 'findProblemOrders'> },
  problem: OrderProblem,
  filter: OrderFilter,
): Promise<StoredOrder[]> {
  const { matchesFilter } = await import('@topup-kit/core/store');
  const ids = await store.findProblemOrders(problem, Number.MAX_SAFE_INTEGER);
  return (await store.findOrders(ids))
    .filter((order) => matchesFilter(order, filter))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(0, filter.limit);
}

export const list = defineStoreCommand({
  name: 'list',
  description: 'List the orders of the store, newest first',
  build,
  example: 'orders list --payment-status PAID --buy-status Gagal',
  async run(operating, context, options) {
    const { limit } = options;
    const { stuckAfterMs } = await import('@topup-kit/core/engine');
    const stuck = { kind: 'stuck', before: operating.deps.worldClock() - stuckAfterMs } as const;
    const after = await readAfter(options.cursor, operating, context);
    const filter = { ...(await readFilter(context, options, operating)), after };
    await printPage(context, operating, {
      noun: 'orders',
      limit,
      read: (most) =>
        options.stuck
          ? problemOrders(operating, stuck, { ...filter, limit: most })
          : operating.store.listOrders({ ...filter, limit: most }),
      idOf: ({ orderId }) => orderId,
      documentOf: orderDocument,
      screen: (orders, style) => ordersTable(orders.map(orderRow), style),
      flags: { ...filterFlags(options), ...(options.stuck && { '--stuck': '' }) },
    });
  },
});
