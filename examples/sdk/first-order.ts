import { createTopupClient, isTopupError } from '@topup-kit/sdk';

const client = createTopupClient({
  baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
  // The well-known key of every sandbox; a real one comes from your environment.
  apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
});

const { games } = await client.games.list();
console.log(`${games.length} games, the first is ${games[0]?.title}`);

try {
  const { orderId, data } = await client.orders.create({
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
    promo_code: 'RAMADAN10',
    quantity: 2,
  });
  console.log(`${orderId}: ${data.total_price} to pay at ${data.payment_url}`);

  const { data: state } = await client.invoices.paymentStatus(orderId);
  console.log(`${state.payment_status} / ${state.buy_status}`);
} catch (error) {
  if (isTopupError(error, 'VALIDATION_ERROR')) console.error(error.fields);
  else throw error;
}
