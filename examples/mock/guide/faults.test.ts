import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

const mock = createMockService();
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('places one order even if the connection is cut after the order was placed', async () => {
  mock.faults.add({ connection: 'cut-after', operation: 'createOrder', times: 1 });
  const { orderId } = await client.orders.create(order, { idempotency: 'supported' });
  expect(mock.faults.list()).toMatchObject([{ struck: 1, active: false }]);
  expect((await client.invoices.get(orderId)).order.payment_status).toBe('UNPAID');
});
