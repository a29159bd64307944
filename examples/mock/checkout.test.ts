import { createTopupMock } from '@topup-kit/mock';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { cheapestProduct } from './checkout.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

it('finds the cheapest product of a game', async () => {
  expect(await cheapestProduct(mock.baseUrl, mock.apiKey, 'mobile-legends')).toBe('5 Diamond');
});

it('fails when the service is down', async () => {
  server.use(http.get(`${mock.baseUrl}/games/:slug`, () => HttpResponse.json({}, { status: 503 })));
  await expect(cheapestProduct(mock.baseUrl, mock.apiKey, 'mobile-legends')).rejects.toThrow();
});
