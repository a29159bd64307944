import { counted } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import type { OperatorStore } from '../../store/open.ts';
import { orderDocument, orderRow } from '../orders/list.ts';
import { ordersTable } from '../orders/order-list.ts';
import { type Customer, keptLines, phoneOption, readCustomer } from './customer.ts';

/** Counts the callbacks and events of the orders. */
async function countMessages({ store }: OperatorStore, { orders }: Customer) {
  const { countMessages } = await import('@topup-kit/server/internal');
  const counts = { callbacks: 0, events: 0 };
  for (const { order } of orders) {
    const { callbacks, events } = await countMessages(store, order.orderId);
    counts.callbacks += callbacks;
    counts.events += events;
  }
  return counts;
}

export const show = defineStoreCommand({
  name: 'show',
  description: 'Look up a customer by phone number, and show the data',
  build: (command) => command.option(...phoneOption),
  help: `With --json, it also prints the player, the contact and the proofs of delivery
of each order. topup orders show and topup webhooks show the notes and events
of an order.`,
  example: 'customers show --phone 081234567890',
  async run(operating, context, options) {
    const customer = await readCustomer(operating, options.phone);
    const { phone, orders, strayCallbacks } = customer;
    const { callbacks, events } = await countMessages(operating, customer);
    await context.print({
      document: {
        phone,
        orders: orders.map(({ order, kept }) => ({ ...orderDocument(order), kept_because: kept })),
        callbacks,
        events,
        callbacks_of_no_order: strayCallbacks,
      },
      ids: orders.map(({ order }) => order.orderId),
      screen: (style) =>
        list(
          [
            ['Phone', phone],
            ['Orders', String(orders.length)],
            ['Callbacks', `${callbacks}, of no order: ${strayCallbacks.length}`],
            ['Events', String(events)],
          ],
          style,
        ) +
        ordersTable(
          orders.map(({ order }) => orderRow(order)),
          style,
        ),
    });
    const kept = keptLines(orders);
    if (kept.length > 0)
      context.remark(`\n${counted(kept.length, 'order')} can't be erased yet:\n${kept.join('\n')}`);
    if (kept.length === orders.length && strayCallbacks.length === 0) return;
    context.remark(
      `\nTo erase the data of the other orders:\n  ${operating.commandLine(`customers erase --phone ${phone}`)}`,
    );
  },
});
