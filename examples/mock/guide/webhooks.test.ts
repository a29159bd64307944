import { createTopupMock } from '@topup-kit/mock';
import { verifyWebhook } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

const mock = createTopupMock();
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('thanks the customer once even if an event arrives twice', async () => {
  const thanked = new Set<string>();
  mock.webhooks.deliverTo(async (request) => {
    const event = await verifyWebhook(await request.text(), request.headers, mock.webhooks.secret);
    if (event.type === 'order.delivered') thanked.add(event.id);
    return new Response(null, { status: 204 });
  });
  mock.webhooks.fault('twice', 4);
  await mock.orders.create(order, 'PAID / Sukses');
  await mock.webhooks.settled();

  expect(mock.webhooks.sent).toHaveLength(8);
  expect(thanked.size).toBe(1);
});
