// Tests only what goes well.
import { createMockService } from '@topup-kit/mock/in-process';
import { expect, it } from 'vitest';
import { createShop } from './shop.js';

const mock = createMockService();
const shop = createShop({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('delivers an order', async () => {
  const { orderId, total } = await shop.buy('1', order);
  expect(total).toBe(22_000);
  await mock.orders.pay(orderId);
  await mock.clock.advance('2s');
  expect(await shop.statusOf(orderId)).toBe('delivered');
});
