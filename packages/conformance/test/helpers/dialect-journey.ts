import type { DialectOverrides } from '../../../core/src/contract/index.ts';
import { completeDialect, sandboxKey } from '../../../core/src/contract/index.ts';
import { createTestService, fixtureOrder } from '../../../core/test/helpers/test-service.ts';

/** Every value that a client sees on a journey, by its place: `invoice body.order.nickname`. */
export type Seen = Map<string, string>;

const plainOrder = { ...fixtureOrder, promo_code: undefined };

/** Replaces random values with fixed words. */
const withoutRandomValues = (text: string): string =>
  text
    .replace(/INV-(\d+)-[A-Z]{8}/g, 'INV-$1-LETTERS')
    .replace(/SIM[\w-]+/g, 'REFERENCE')
    .replace(/("payment_code(?:_display)?":)"[^"]*"/g, '$1"CODE"')
    .replace(/req_\w+/g, 'REQUEST')
    // It depends on the body, whose differences are shown themselves.
    .replace(/W\/\\?"[\da-f]{32}\\?"/g, 'VERSION');

function* leaves(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    yield [path, JSON.stringify(value)];
  else for (const [key, inside] of Object.entries(value)) yield* leaves(inside, `${path}.${key}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'no JSON';
  }
}

/** Sends requests that show everything that a dialect may change, to a service with the dialect. */
async function dialectJourney(changes: DialectOverrides): Promise<Seen> {
  const limits = { text: 255, quantity: 100, bodyBytes: 65_536, readsPerMinute: 10, ordersPerMinute: 0 };
  const service = await createTestService({ settings: { dialect: completeDialect(changes), limits } });
  const seen: Seen = new Map();

  async function ask(
    step: string,
    path: string,
    init: { body?: unknown; headers?: object } = {},
  ): Promise<string> {
    const { body, headers } = init;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = new Request(`http://localhost/api${path}`, {
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-API-KEY': sandboxKey,
        ...headers,
      },
      ...(body !== undefined && { method: 'POST', body: text }),
    });
    const response = await service.app.fetch(request);
    const responseText = await response.text();
    for (const place of seen.keys()) if (place.startsWith(`${step} `)) seen.delete(place);
    seen.set(`${step} status`, String(response.status));
    for (const [name, value] of response.headers)
      seen.set(`${step} header ${name}`, withoutRandomValues(value));
    for (const [place, value] of leaves(parsed(withoutRandomValues(responseText)), `${step} body`))
      seen.set(place, value);
    const fields = Object.keys(Object(parsed(responseText)).errors ?? {});
    if (fields.length > 1) seen.set(`${step} fields`, fields.join());
    return responseText;
  }
  const order = (step: string, changed: object, headers = {}): Promise<string> =>
    ask(step, '/order', { body: { ...plainOrder, ...changed }, headers });

  await ask('games', '/games');
  await ask('accept', '/games', { headers: { Accept: 'text/html' } });
  await ask('game', '/games/free-fire');
  await ask('checkout', '/order/free-fire');
  const headers = { 'Idempotency-Key': 'one' };
  const { orderId } = JSON.parse(await order('order', { payment_method_id: 13 }, headers));
  await order('replay', { payment_method_id: 13 }, headers);
  await order('conflict', { payment_method_id: 12 }, headers);
  await ask('invoice', `/invoice/${orderId}`);
  await service.sandbox.act(orderId, 'pay');
  await ask('poll', `/invoice/${orderId}/payment-status`);
  await ask('no game', '/games/nothing');
  await ask('no route', '/nothing');
  await ask('try promo', '/promo/validate', {
    body: { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  });
  await ask('check account', '/account/check', {
    body: { game: 'mobile-legends', id: '12345678', server: '2012' },
  });
  await order('no product', { product_id: 2_000_000_001 });
  await order('no promo', { promo_code: 'NO-SUCH-PROMO' });
  await order('limits', { product_id: 902, payment_method_id: 13 });
  await ask('empty', '/order', { body: {} });
  await ask('malformed', '/order', { body: '{' });
  await order('alias', { whatsapp: undefined, messenger_number: '081111111111' });
  service.sandbox.chooseScenario('gateway-down');
  await order('no payment', {});
  for (let reads = 0; reads < 10; reads += 1) await ask('too many', '/games');
  return seen;
}

/** The differences for a client to this kit's own dialect: `poll body.data.buy_status: "Proses" -> "processing"`. */
export async function journeyDifferences(changes: DialectOverrides): Promise<string[]> {
  const [ours, theirs] = [await dialectJourney({}), await dialectJourney(changes)];
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((place) => ours.get(place) !== theirs.get(place))
    .map((place) => `${place}: ${ours.get(place) ?? 'nothing'} -> ${theirs.get(place) ?? 'nothing'}`);
}
