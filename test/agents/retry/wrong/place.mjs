// Makes a new key in each run.
import { createTopupClient } from '@topup-kit/sdk';

const client = createTopupClient({ idempotency: 'supported' });
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};
const { orderId } = await client.orders.create(order, { idempotencyKey: crypto.randomUUID() });
console.log(orderId);
