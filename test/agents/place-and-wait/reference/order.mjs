import { createTopupClient } from '@topup-kit/sdk';

const client = createTopupClient();
const { orderId, data } = await client.orders.create({
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
});
console.log(data.payment_url);
const { outcome } = await client.orders.waitFor(orderId);
console.log(outcome === 'delivered' ? 'delivered' : 'not delivered');
process.exitCode = outcome === 'delivered' ? 0 : 1;
