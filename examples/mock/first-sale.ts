import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';

const mock = createMockService();
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

const player = { id: '12345678', server: '2012', whatsapp: '081234567890' };
const item = { game: 'mobile-legends', product_id: 901, payment_method_id: 12 };
const { orderId } = await client.orders.create({ ...player, ...item });
await mock.orders.pay(orderId); // as the customer does
await mock.clock.advance('2s'); // the supplier needs two seconds
const { outcome } = await client.orders.waitFor(orderId);
console.log(outcome); // delivered
