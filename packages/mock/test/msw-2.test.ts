import { createMockService } from '@topup-kit/mock/in-process';
import { HttpResponse, http, type RequestHandler } from 'msw-2';
import { setupServer } from 'msw-2/node';
import { afterEach, expect, it } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

// In the project "msw 2" of the Vitest configuration, the mock's own msw is MSW 2.

const servers: ReturnType<typeof setupServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(...handlers: RequestHandler[]): void {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledRequest: 'error' });
  servers.push(server);
}

it("takes the mock's handlers", async () => {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  expect(mock.handlers[0]).toBeInstanceOf((await import('msw-2')).HttpHandler);
  // @ts-expect-error The types of this repository are those of MSW 3.
  listen(...mock.handlers);
  const { orderId } = await shopOf(mock, (url, init) => fetch(url, init)).order();
  await mock.orders.pay(orderId);
  expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 201 }]);
});

it("takes one handler of the user's own, without the mock's MSW", async () => {
  const mock = createMockService({ baseUrl: 'https://shop.test/api' });
  listen(
    http.all(`${mock.baseUrl}/*`, ({ request }) => mock.fetch(request).catch(() => HttpResponse.error())),
  );
  const shop = shopOf(mock, (url, init) => fetch(url, init));
  const { orderId } = await shop.order();
  await mock.orders.pay(orderId);
  await mock.clock.advance('2s');
  expect(await shop.state(orderId)).toBe('PAID / Sukses');
  mock.scenarios.use('offline');
  await expect(shop.ask('/games')).rejects.toThrow(TypeError);
});
