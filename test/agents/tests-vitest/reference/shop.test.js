import { createMockService } from '@topup-kit/mock/in-process';
import { beforeEach, expect, it } from 'vitest';
import { createShop, ShopError } from './shop.js';

const mock = createMockService();
const shop = createShop({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
beforeEach(() => mock.reset());

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('places an order, even with a promo code', async () => {
  expect((await shop.buy('1', order)).total).toBe(22_000);
  expect((await shop.buy('2', { ...order, promo_code: 'RAMADAN10', quantity: 2 })).total).toBe(40_000);
});

it('follows an order to its delivery', async () => {
  const { orderId } = await shop.buy('1', order);
  expect(await shop.statusOf(orderId)).toBe('waiting');
  await mock.orders.pay(orderId);
  expect(await shop.statusOf(orderId)).toBe('paid');
  await mock.clock.advance('2s');
  expect(await shop.statusOf(orderId)).toBe('delivered');
});

it('shows that an order expired, or that its delivery failed', async () => {
  const { orderId } = await shop.buy('1', order);
  await mock.clock.advance('31m');
  expect(await shop.statusOf(orderId)).toBe('expired');
  const second = await shop.buy('2', order);
  await mock.orders.pay(second.orderId);
  await mock.orders.failDelivery(second.orderId);
  expect(await shop.statusOf(second.orderId)).toBe('failed');
});

it('places no second order after a lost response', async () => {
  mock.faults.add({ connection: 'cut-after', operation: 'createOrder', times: 1 });
  await expect(shop.buy('1', order)).rejects.toThrow(ShopError);
  const { orderId } = await shop.buy('1', order);
  expect(mock.faults.list()).toMatchObject([{ struck: 1 }]);
  expect((await shop.buy('1', order)).orderId).toBe(orderId);
});

it('rejects with a message for the customer', async () => {
  mock.scenarios.use('maintenance');
  await expect(shop.buy('1', order)).rejects.toThrow(ShopError);
});
