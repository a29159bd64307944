import { createTopupClient, isTopupError } from '@topup-kit/sdk';

const client = createTopupClient({
  baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
  // The well-known key of every sandbox. A real key comes from the environment.
  apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
});

try {
  const { games } = await client.games.list();
  console.log(`${games.length} games, the first is ${games[0]?.title}`);

  const account = { game: 'mobile-legends', id: '12345678', server: '2012', whatsapp: '081234567890' };
  const selection = { product_id: 901, payment_method_id: 12, promo_code: 'RAMADAN10', quantity: 2 };
  const { orderId, data } = await client.orders.create({ ...account, ...selection });
  console.log(`${orderId}: ${data.total_price} to pay at ${data.payment_url}`);

  const { state } = await client.orders.waitFor(orderId);
  console.log(`${state.payment_status} / ${state.buy_status}`);
} catch (error) {
  if (!isTopupError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
