import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const { ask } = shopOf(mock);
const warned: string[] = [];
beforeEach(() => {
  warned.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((text) => void warned.push(text));
});
afterEach(() => vi.restoreAllMocks());

it.each([
  ['POST', '/orders', 'POST /order'],
  ['GET', '/game/mobile-legends', 'GET /games/{slug}'],
  ['GET', '/Games', 'GET /games'],
  ['POST', '/games', 'GET /games'],
  ['GET', '/invoices/INV-1', 'GET /invoice/{order_id}'],
  ['GET', '/invoice/INV-1/payment_status', 'GET /invoice/{order_id}/payment-status'],
  ['POST', '/promo', 'POST /promo/validate'],
  ['PUT', '/order', 'POST /order'],
  ['GET', '/order', 'GET /orders'],
  // The base path twice.
  ['GET', '/api/games', 'GET /games'],
])('warns about %s %s, and suggests %s', async (method, path, nearest) => {
  const response = await ask(path, { method });
  expect([404, 405]).toContain(response.status);
  expect(warned).toEqual([
    `[topup-kit] ${method} https://shop.test/api${path} matches no route of the interface. Did you mean ${nearest}?`,
  ]);
});

it('suggests no route for a CORS preflight, but suggests one for an origin without a path', async () => {
  await ask('/games', { method: 'OPTIONS' });
  expect(warned).toEqual([
    expect.stringMatching(/OPTIONS \S+\/games is a CORS preflight.*own origin, such as \/api/),
  ]);
});

it('logs the same warning through MSW', async () => {
  const server = await mock.server();
  server.listen({ onUnhandledFrame: 'error' });
  try {
    const response = await shopOf(mock, fetch).ask('/orders', { method: 'POST' });
    expect(response.status).toBe(405);
    expect(warned).toEqual([
      '[topup-kit] POST https://shop.test/api/orders matches no route of the interface. Did you mean POST /order?',
    ]);
  } finally {
    server.close();
  }
});

it('warns about an extension that the service lacks', async () => {
  const strict = createTopupMock({ baseUrl: 'https://shop.test/api', profile: 'interface-only' });
  await shopOf(strict).ask('/games/mobile-legends');
  expect(warned).toEqual([
    '[topup-kit] GET https://shop.test/api/games/mobile-legends is an extension that this service does not have (its profile or dialect).',
  ]);
});

it('warns about a fetch outside the interface', async () => {
  const response = await mock.fetch('https://shop.test/games');
  expect(response.status).toBe(404);
  expect(warned).toEqual(['[topup-kit] GET https://shop.test/games is outside https://shop.test/api.']);
});

it("doesn't warn about existing routes, or about rejected requests", async () => {
  await ask('/games');
  await ask('/games/no-such-game');
  await ask('/order', { method: 'POST' });
  expect(warned).toEqual([]);
});
