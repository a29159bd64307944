import { startService } from './servers.ts';

const pricing = {
  ...{ unit_price_before_promo: 22_000, unit_discount: 0, unit_price_after_promo: 22_000, quantity: 1 },
  ...{ subtotal_before_promo: 22_000, promo_discount: 0, subtotal_after_promo: 22_000 },
  ...{ has_promo: false, promo_code: null, payment_fee: 0, unique_code: 0, total_price: 22_000 },
};

const order = {
  ...{ order_id: 'INV-1', payment_status: 'UNPAID', buy_status: 'Pending', total_price: 22_000, pricing },
  ...{ payment_code: '00020101021226570011ID.EXAMPLE', qr_url: 'https://shop.example/qr/1' },
  ...{ payment_url: 'https://shop.example/pay/1', expired_at: '2026-03-29T10:00:00.000Z' },
};

/** A service with only the two routes of the interface, whose order is paid by QR code. */
export const startTwoRoutes = (missing = { status: 404, body: '{"message":"Not Found"}' }) =>
  startService((request, response) => {
    const isOrder = request.method === 'POST' && request.url === '/api/order';
    response.writeHead(isOrder ? 201 : missing.status, { 'Content-Type': 'application/json' });
    response.end(isOrder ? JSON.stringify({ success: true, orderId: 'INV-1', data: order }) : missing.body);
  });
