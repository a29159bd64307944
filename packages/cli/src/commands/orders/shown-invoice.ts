import type { InvoiceOrder } from '@topup-kit/sdk';
import type { ShownOrder } from './order-screen.ts';

/** An order as its invoice has it. */
export const shownInvoice = (order: InvoiceOrder): ShownOrder => ({
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
    qrString: order.qr_string,
    qrUrl: order.qr_image_url,
    pageUrl: order.payment_url,
    before: order.expired_time * 1000,
  },
});
