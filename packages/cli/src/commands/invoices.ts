import type { InvoiceOrder } from '@topup-kit/sdk';
import { type Define, defineCommand } from '../define-command.ts';
import { orderIdArgument } from '../input/arguments.ts';
import { readableTime } from '../output/format.ts';
import { statusStyle } from '../output/style.ts';
import { factList } from '../output/table.ts';
import { shellWord } from '../output/text.ts';
import { connect } from '../service/client.ts';
import { printInvoice, type ShownOrder, shownInvoice } from './orders/screen.ts';

/** Converts the order to the customer's view: with the contact, and with the code in groups that are easy to type. */
function forCustomer(order: InvoiceOrder): ShownOrder {
  const shown = shownInvoice(order);
  const code =
    order.payment_code === order.payment_url
      ? order.payment_code
      : order.payment_code_display || order.payment_code;
  return {
    ...shown,
    contact: [order.whatsapp, order.email].filter(Boolean).join(', '),
    payment: { ...shown.payment, code },
  };
}

const showInvoice = defineCommand({
  name: 'show',
  description: 'Show an invoice: the order, its price and how to pay it',
  build: (command) => command.argument(...orderIdArgument),
  example: 'invoices show INV-20260329093000-ABCDEFGH',
  run: (context, _options, orderId) => printInvoice(context, orderId, forCustomer),
});

const showStatus = defineCommand({
  name: 'status',
  description: 'Show only the state of an order, from the route for polling',
  build: (command) => command.argument(...orderIdArgument),
  example: 'invoices status INV-20260329093000-ABCDEFGH',
  async run(context, _options, orderId) {
    const service = await connect(context);
    const response = await service.ask((client, options) => client.invoices.paymentStatus(orderId, options));
    const { order_id, payment_status, buy_status, expired_time } = response.data;
    await context.print({
      document: response,
      screen: factList([
        ['Order', order_id, 'title'],
        ['Payment', payment_status, statusStyle(payment_status)],
        ['Delivery', buy_status, statusStyle(buy_status)],
        ['Before', payment_status === 'UNPAID' ? readableTime(expired_time * 1000) : null],
      ]),
    });
    const next = service.commandLine(`orders watch ${shellWord(order_id)}`);
    if (payment_status === 'UNPAID') context.remark(`\nTo follow it:\n  ${next}`);
  },
});

export const noun: Define = (noun, io) => {
  showInvoice(noun, io);
  showStatus(noun, io);
};
