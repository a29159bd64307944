import { createTopupClient } from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { createTopupMock } from '../src/index.ts';
import { sampleOrder } from './helpers/shop.ts';

// A page's tests: they run in node, and by projects of the Vitest configuration in jsdom and happy-dom.

// Orders are asked for every second.
hurryWaits();

const environment = inject('environment');
/** Where there is a page, its app calls a path of its own origin. */
const baseUrl = environment === 'node' ? 'https://shop.test/api' : '/api';

it('runs in the expected environment', () => {
  const names = { node: /^Node\.js/, jsdom: /jsdom/, 'happy-dom': /HappyDOM/ };
  expect(navigator.userAgent).toMatch(names[environment]);
});

it.runIf(environment === 'jsdom')('uses bytes of two realms in jsdom', () => {
  expect(new TextEncoder().encode('').constructor).not.toBe(Uint8Array);
});

const mock = createTopupMock({ baseUrl, auth: 'off' });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  mock.reset();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const entries = [
  ['the main client', createTopupClient],
  ['the light client', createLightClient],
] as const;
const routes = [
  ['mock.fetch', mock.fetch],
  ['the global fetch, by MSW', undefined],
] as const;
const combinations = entries.flatMap(([entry, create]) =>
  routes.map(([route, fetch]) => [`${entry} over ${route}`, create, fetch] as const),
);

describe.each(combinations)('%s', (_name, create, fetch) => {
  const client = create({ baseUrl: mock.baseUrl, fetch, maxRetries: 0 });

  it('lists the games of the interface (4.1)', async () => {
    const { success, games } = await client.games.list();
    expect(success).toBe(true);
    expect(games.map(({ slug }) => slug)).toContain('mobile-legends');
  });

  it('places an order, and waits until it is delivered', async () => {
    const { orderId, data } = await client.orders.create(sampleOrder);
    expect(data.order_id).toBe(orderId);
    await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivered' });
  });

  it('names the fields of an invalid order', async () => {
    const result = await client.orders.create({ ...sampleOrder, whatsapp: '' }).safe();
    expect(result.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { whatsapp: [expect.any(String)] },
    });
  });

  it('ends a call at the time limit, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    mock.scenarios.use('slow');
    const result = await client.games.list({ timeout: 50 }).safe();
    expect(result.error).toMatchObject({ name: 'TopupTimeoutError', code: 'TIMEOUT' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(printed.mock.calls).toEqual([]);
  });

  it("ends a call when the caller's signal aborts", async () => {
    mock.scenarios.use('slow');
    const controller = new AbortController();
    const call = client.games.list({ signal: controller.signal }).safe();
    controller.abort();
    expect((await call).error).toMatchObject({ code: 'ABORTED' });
  });
});

it.runIf(environment !== 'node')('responds to XMLHttpRequest as used by axios', async () => {
  const request = new XMLHttpRequest();
  const loaded = new Promise((resolve, reject) => {
    request.onload = resolve;
    request.onerror = reject;
  });
  request.open('GET', `${mock.baseUrl}/games`);
  request.setRequestHeader('X-API-KEY', mock.apiKey);
  request.send();
  await loaded;
  expect(JSON.parse(request.responseText)).toMatchObject({ success: true });
});

it('follows an order through its states', async () => {
  const client = createTopupClient({ baseUrl: mock.baseUrl });
  const { orderId } = await client.orders.create(sampleOrder);
  const states: string[] = [];
  for await (const { payment_status, buy_status } of client.orders.waitFor(orderId)) {
    states.push(`${payment_status} / ${buy_status}`);
    if (payment_status === 'UNPAID') await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
  }
  expect(states).toEqual(['UNPAID / Pending', 'PAID / Sukses']);
});

// Happy DOM itself reads what this takes away.
describe.runIf(environment !== 'happy-dom')('a browser whose Request has no body, such as Firefox', () => {
  const client = createTopupClient({ baseUrl: mock.baseUrl, fetch: mock.fetch });
  beforeEach(() => {
    vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never); // Safe: the check above ensures that it exists.
  });

  it('places an order', async () => {
    expect((await client.orders.create(sampleOrder)).success).toBe(true);
    expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 201, body: sampleOrder }]);
  });

  it('lists the games, and rejects a long order', async () => {
    expect((await client.games.list()).success).toBe(true);
    const { error } = await client.orders.create({ ...sampleOrder, id: '1'.repeat(200_000) }).safe();
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});
