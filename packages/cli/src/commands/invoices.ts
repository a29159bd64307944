import type { InvoiceOrder } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { addExample, shellWord } from '../command-line.ts';
import type { Io } from '../io.ts';
import { print, remark } from '../output/print.ts';
import { statusStyle } from '../output/status-style.ts';
import { list } from '../output/table.ts';
import { readableTime } from '../output/times.ts';
import { connect } from '../service/client.ts';
import type { Define } from './define.ts';
import { printOrder, type ShownOrder, shownInvoice } from './orders/screen.ts';
import { readOrderId } from './path-argument.ts';

/** As the customer sees it: with the contact, and with the code in groups that are easy to type. */
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

async function showInvoice(orderId: string, io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await service.ask((client, options) => client.invoices.get(orderId, options));
  await printOrder(io, command, {
    document: answer,
    ids: [answer.order.order_id],
    order: () => forCustomer(answer.order),
  });
}

const defineShow: Define = (invoices, io) => {
  const show = invoices
    .command('show')
    .description('Show an invoice: who ordered what, for how much, and how to pay it')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .action((orderId: string, _options: object, command: Command) => showInvoice(orderId, io, command));
  addExample(show, io, 'invoices show INV-20260329093000-ABCDEFGH');
};

async function showStatus(orderId: string, io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await service.ask((client, options) => client.invoices.paymentStatus(orderId, options));
  const { order_id, payment_status, buy_status, expired_time } = answer.data;
  await print(io, command, {
    document: answer,
    screen: (look) =>
      list(
        [
          ['Order', order_id, 'title'],
          ['Payment', payment_status, statusStyle(payment_status)],
          ['Delivery', buy_status, statusStyle(buy_status)],
          ['Before', payment_status === 'UNPAID' ? readableTime(expired_time * 1000) : null],
        ],
        look,
      ),
  });
  const next = service.commandLine(`orders watch ${shellWord(order_id)}`);
  if (payment_status === 'UNPAID') remark(io, command, `\nTo see what becomes of it:\n  ${next}`);
}

const defineStatus: Define = (invoices, io) => {
  const status = invoices
    .command('status')
    .description('Show the state of an order alone, by the route that is made to be asked often')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .action((orderId: string, _options: object, command: Command) => showStatus(orderId, io, command));
  addExample(status, io, 'invoices status INV-20260329093000-ABCDEFGH');
};

export const defineInvoices: Define = (invoices, io) => {
  defineShow(invoices, io);
  defineStatus(invoices, io);
};
