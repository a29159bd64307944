import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { beforeEach, expect, it } from 'vitest';

const mock = createMockService();
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
beforeEach(() => mock.reset());

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('delivers an order two seconds after its payment', async () => {
  const { orderId } = await client.orders.create(order);
  await mock.orders.pay(orderId);
  await mock.clock.advance('2s');
  expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivered' });
});

it('expires an unpaid order', async () => {
  const { orderId } = await client.orders.create(order);
  await mock.clock.advance('31m');
  expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'expired' });
});

it('records the only order request', async () => {
  await client.orders.create(order);
  expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 201, body: order }]);
});
