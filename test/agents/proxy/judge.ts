import assert from 'node:assert/strict';
import { serve, startSandbox } from '../helpers.ts';

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

export async function judge(folder: string): Promise<void> {
  await using sandbox = await startSandbox();
  await using server = await serve(folder, ['node', 'server.mjs'], sandbox.env);
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  };
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/api/topup${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    const text = await response.text();
    const sent = `${JSON.stringify([...response.headers])}${text}`;
    assert.equal(sent.includes(sandbox.apiKey), false, `${path}: the key is in the response`);
    return { status: response.status, text };
  };

  const games = await call('/games');
  assert.equal(games.status, 200, games.text);
  assert.equal((await call('/order/mobile-legends')).status, 200, 'the checkout');
  const placed = await call('/order', { method: 'POST', body: JSON.stringify(order) });
  assert.equal(placed.status, 201, placed.text);
  const { orderId } = JSON.parse(placed.text);
  assert.equal((await call(`/invoice/${orderId}/payment-status`)).status, 200, 'the payment status');

  for (const path of [`/invoice/${orderId}`, '/orders', '/events']) {
    const { status, text } = await call(path);
    assert.equal(text.includes(order.whatsapp), false, `${path} shows a phone number`);
    assert.ok(status >= 400, `${path} got ${status}`);
  }
  const foreign = { Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' };
  const crossed = await call('/order', { method: 'POST', body: JSON.stringify(order), headers: foreign });
  assert.ok(crossed.status >= 400, 'a page of another site placed an order');
  assert.equal((await sandbox.orders()).length, 1);
}
