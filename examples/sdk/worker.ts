import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createTopupClient, isTopupError } from '@topup-kit/sdk';

/**
 * Places one order, although it may be killed at any moment and started again: before the first call, it writes the order and its key to a
 * journal. Your worker would keep the journal in its database, together with the customer's cart.
 */
const journal = process.argv[2] ?? 'order.json';
if (!existsSync(journal)) {
  const account = { game: 'mobile-legends', id: '12345678', server: '2012', whatsapp: '081234567890' };
  const order = { ...account, product_id: 901, payment_method_id: 12 };
  writeFileSync(journal, JSON.stringify({ order, idempotencyKey: randomUUID() }), { flush: true });
}
const { order, idempotencyKey } = JSON.parse(readFileSync(journal, 'utf8'));

const client = createTopupClient({
  baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
  // The well-known key of every sandbox. A real key comes from the environment.
  apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
});

try {
  const { orderId } = await client.orders.create(order, { idempotencyKey, idempotency: 'supported' });
  console.log(orderId);
} catch (error) {
  if (!isTopupError(error)) throw error;
  console.error(error.message);
  // Start the worker again: the journal still contains the order.
  process.exitCode = error.retryable ? 75 : 1;
}
