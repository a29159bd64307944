import type { InvoiceOrder } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import type { ShownOrder } from '../orders/order-screen.ts';
import { printOrder } from '../orders/print-order.ts';
import { shownInvoice } from '../orders/shown-invoice.ts';

/** As its customer gets it: with whom it is for, and a code to type in groups. */
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

async function showInvoice(orderId: string, context: CommandContext): Promise<void> {
  const service = await connect(context);
  const answer = await service.ask((client, options) => client.invoices.get(orderId, options));
  await printOrder(context, {
    document: answer,
    ids: [answer.order.order_id],
    order: () => forCustomer(answer.order),
  });
}

export const defineShow: Define = (invoices, io) => {
  const show = invoices
    .command('show')
    .description('Show an invoice: who ordered what, for how much, and how to pay it')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .action((orderId: string, _options: object, command: Command) =>
      showInvoice(orderId, contextOf(io, command)),
    );
  addExample(show, io, 'invoices show INV-20260329093000-ABCDEFGH');
};
