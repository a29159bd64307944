import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

it('places an order without a server, a port or a network', async () => {
  const mock = createMockService();
  const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

  const { orderId, data } = await client.orders.create({
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
    promo_code: 'RAMADAN10',
    quantity: 2,
  });
  expect(data.total_price).toBe(40_000);

  const { order } = await client.invoices.get(orderId);
  expect(order.payment_status).toBe('UNPAID');
});
