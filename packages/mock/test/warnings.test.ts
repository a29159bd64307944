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
  ['GET', '/order', 'POST /order'],
])('tells of %s %s, and of %s', async (method, path, nearest) => {
  const answer = await ask(path, { method });
  expect([404, 405]).toContain(answer.status);
  expect(warned).toEqual([
    `[topup-kit] ${method} https://shop.test/api${path} matches no route of the interface. Did you mean ${nearest}?`,
  ]);
});

it('says the same through MSW', async () => {
  const server = await mock.server();
  server.listen({ onUnhandledFrame: 'error' });
  try {
    const answer = await shopOf(mock, fetch).ask('/orders', { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(warned).toEqual([
      '[topup-kit] POST https://shop.test/api/orders matches no route of the interface. Did you mean POST /order?',
    ]);
  } finally {
    server.close();
  }
});

it('tells of an extension that the service does not have', async () => {
  const strict = createTopupMock({ baseUrl: 'https://shop.test/api', profile: 'interface-only' });
  await shopOf(strict).ask('/games/mobile-legends');
  expect(warned).toEqual([
    '[topup-kit] GET https://shop.test/api/games/mobile-legends is an extension that this service does not have (its profile or dialect).',
  ]);
});

it('tells of a fetch that leads past the interface', async () => {
  const answer = await mock.fetch('https://shop.test/games');
  expect(answer.status).toBe(404);
  expect(warned).toEqual(['[topup-kit] GET https://shop.test/games is not below https://shop.test/api.']);
});

it('is quiet about what is found, and about what the service refuses', async () => {
  await ask('/games');
  await ask('/games/no-such-game');
  await ask('/order', { method: 'POST' });
  expect(warned).toEqual([]);
});
