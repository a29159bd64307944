import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const { ask } = shopOf(mock, (url, init) => fetch(url, init));
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());
afterEach(() => {
  server.resetHandlers();
  mock.reset();
});

it("prefers the user's own MSW handler, but only for that operation", async () => {
  server.use(http.get('https://shop.test/api/games/:slug', () => HttpResponse.json({}, { status: 418 })));
  expect((await ask('/games/mobile-legends')).status).toBe(418);
  expect((await ask('/games')).status).toBe(200);
});

it('fails like a network in the scenario offline', async () => {
  mock.scenarios.use('offline');
  await expect(ask('/games')).rejects.toThrow(TypeError);
});

it('shares one world between MSW and in-process requests', async () => {
  const { orderId } = await shopOf(mock).order();
  expect((await ask(`/invoice/${orderId}`)).status).toBe(200);
  expect(mock.requests.map(({ operation }) => operation)).toEqual(['createOrder', 'getInvoice']);
});

it('serves pictures, and passes on requests for other files in the same folders', async () => {
  const { games } = await (await ask('/games')).json();
  expect((await fetch(games[0].image)).headers.get('Content-Type')).toMatch(/^image\/svg/);
  server.use(http.get('https://shop.test/assets/app.js', () => HttpResponse.text('app')));
  expect(await (await fetch('https://shop.test/assets/app.js')).text()).toBe('app');
  const own = setupServer(
    ...mock.handlers,
    http.get('https://shop.test/assets/games/*', () => HttpResponse.text('own')),
  );
  server.close();
  own.listen({ onUnhandledFrame: 'error' });
  expect(await (await fetch('https://shop.test/assets/games/hero.svg')).text()).toBe('own');
  own.close();
  server.listen({ onUnhandledFrame: 'error' });
});

it('handles the base URL itself', async () => {
  expect((await ask('')).status).toBe(404);
  expect((await fetch('https://shop.test/api')).status).toBe(401);
});

it('creates a worker only in a browser', async () => {
  await expect(mock.worker()).rejects.toThrow();
});
