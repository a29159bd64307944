import type { ConformanceTarget } from '@topup-kit/conformance';

/** A response as a client sees it. */
export interface Recorded {
  request: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
  promo_code: 'RAMADAN10',
  quantity: 2,
};

/** Calls all operations, with valid and invalid requests, and records every response. */
export async function recordJourney({
  baseUrl,
  apiKey,
  fetch,
  sandbox,
}: ConformanceTarget): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const key = { 'X-API-KEY': apiKey };
  const json = { ...key, 'Content-Type': 'application/json' };

  async function send(method: string, path: string, init: RequestInit = { headers: key }): Promise<unknown> {
    const response = await fetch(baseUrl + path, { method, ...init });
    const body: unknown = JSON.parse(await response.text());
    const headers = Object.fromEntries(response.headers);
    recorded.push({ request: `${method} ${path}`, status: response.status, headers, body });
    return body;
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send('POST', path, { headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const place = async (changes: object = {}, headers: Record<string, string> = {}): Promise<string> => {
    const body = await post('/order', { ...order, ...changes }, headers);
    return typeof body === 'object' && body !== null && 'orderId' in body ? String(body.orderId) : 'none';
  };
  const readOrder = async (id: string): Promise<void> => {
    await send('GET', `/invoice/${id}`);
    await send('GET', `/invoice/${id}/payment-status`);
  };

  await send('GET', '/games');
  await send('GET', '/games/genshin-impact');
  await send('GET', '/order/mobile-legends');
  await post('/promo/validate', { ...order, code: 'RAMADAN10', game_slug: order.game });
  await post('/promo/validate', { ...order, code: 'EXPIRED10', game_slug: order.game });

  const first = await place({}, { 'Idempotency-Key': 'journey' });
  await place({}, { 'Idempotency-Key': 'journey' });
  await place({ quantity: 3 }, { 'Idempotency-Key': 'journey' });
  await readOrder(first);
  // Payment methods with other codes: virtual account, shop, wallet. (The total of a bank transfer is random.)
  for (const payment_method_id of [14, 17, 19]) await readOrder(await place({ payment_method_id }));

  if (sandbox) {
    const declined = await place();
    const late = await place();
    await sandbox.act(first, 'pay');
    await sandbox.act(declined, 'fail');
    await readOrder(first);
    await readOrder(declined);
    await sandbox.act(first, 'deliver');
    await readOrder(first);
    await sandbox.advance(31 * 60_000);
    await readOrder(late);
  }

  await send('GET', '/games', {});
  await send('GET', '/games/no-such-game');
  await send('GET', '/invoice/INV-20200101000000-AAAAAAAA');
  await place({ product_id: 1203 });
  await place({ promo_code: 'NO-SUCH-PROMO' });
  await post('/order', {});
  await send('POST', '/order', { headers: json, body: '{' });
  await send('POST', '/order', { headers: { ...key, 'Content-Type': 'text/plain' }, body: 'x' });
  await send('DELETE', '/games');
  await send('GET', '/no/such/route');
  return recorded;
}
