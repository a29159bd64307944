// Takes a payment for a delivery.
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
const { outcome } = await client.orders.waitFor(orderId, { until: 'paid' });
console.log(outcome === 'paid' || outcome === 'delivered' ? 'delivered' : 'not delivered');
process.exitCode = outcome === 'paid' || outcome === 'delivered' ? 0 : 1;
