import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import { createKeyText, type RunningServer, readConfig, secureRandom, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: RunningServer;

beforeAll(async () => {
  const settings = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_LOG_LEVEL: 'silent' };
  server = await startServer(readConfig(settings));
});
afterAll(() => server.close());

/** Creates a client with its own key, and so with its own orders and clock. */
function newWorld() {
  const apiKey = createKeyText('test', secureRandom);
  const client = createTopupClient({ baseUrl: server.baseUrl, apiKey });
  const control = async (path: string, body: object = {}): Promise<void> => {
    const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.publicUrl}/sandbox${path}`, init);
    if (!response.ok) throw new Error(await response.text());
  };
  return { client, control };
}

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('delivers a paid order', async () => {
  const { client, control } = newWorld();
  const { orderId } = await client.orders.create(order);
  await control(`/orders/${orderId}/pay`);
  await control('/advance', { by: '2s' }); // the supplier needs two seconds
  expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivered' });
});

it('lets an unpaid order expire in a separate world', async () => {
  const { client, control } = newWorld();
  const { orderId } = await client.orders.create(order);
  await control('/advance', { by: '31m' });
  expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'expired' });
});

it('returns a separate error when the gateway is down', async () => {
  const { client, control } = newWorld();
  await control('/scenario', { name: 'gateway-down' });
  const { error } = await client.orders.create(order, { maxRetries: 0 }).safe();
  expect(isTopupError(error, 'PAYMENT_FAILED')).toBe(true);
});
