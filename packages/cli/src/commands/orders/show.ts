import type { InvoiceOrder } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import type { Define } from '../define.ts';
import { orderScreen, type ShownOrder } from './order-screen.ts';

const shownOrder = (order: InvoiceOrder): ShownOrder => ({
  orderId: order.order_id,
  paymentStatus: order.payment_status,
  buyStatus: order.buy_status,
  createdAt: order.created_at,
  game: order.games,
  product: order.product,
  account: order.id_games,
  server: order.server_games,
  nickname: order.nickname,
  serialNumber: order.serial_number,
  pricing: order.pricing,
  payment: {
    method: order.payment_name,
    code: order.payment_code,
    qrUrl: order.qr_image_url,
    pageUrl: order.payment_url,
    before: order.expired_time * 1000,
  },
});

async function showOrder(orderId: string, io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await service.ask((client, options) => client.invoices.get(orderId, options));
  await print(io, command, answer, () => orderScreen(shownOrder(answer.order)));
}

export const defineShow: Define = (orders, io) => {
  const show = orders
    .command('show')
    .description('Show an order: its state, its prices and how to pay it')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH')
    .action((orderId: string, _options: object, command: Command) => showOrder(orderId, io, command));
  addExample(show, io, 'orders show INV-20260329093000-ABCDEFGH');
};
