import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, expect, it } from 'vitest';

const mock = createMockService({ seed: 42 });
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

const { orderId } = await client.orders.create({
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
});
const unpaid = mock.snapshot();
afterEach(() => mock.restore(unpaid));

it.each([
  ['pay', 'PAID'],
  ['fail', 'FAILED'],
  ['expire', 'EXPIRED'],
] as const)('starts each test with the same unpaid order: %s', async (action, expected) => {
  const { payment_status } = await mock.orders[action](orderId);
  expect(payment_status).toBe(expected);
});
