import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mock, respondBelow } from './cypress/cypress/support/mock.ts';

// This is the short form of test/journeys/cypress.long.test.ts, with a replacement for `cy`, because Cypress's program is not on the npm
// registry.

interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
  reply(response: { statusCode: number; headers: Record<string, string>; body: ArrayBuffer }): void;
  destroy(): void;
}
type Handler = (request: Request) => Promise<void>;

declare global {
  const cy: { intercept(path: string, respond: Handler): void };
}

let handler: Handler;
beforeEach(() => {
  mock.reset();
  vi.stubGlobal('cy', {
    intercept(path: string, respond: Handler) {
      expect(path).toBe('/api/**');
      handler = respond;
    },
  });
  respondBelow('/api');
});
afterEach(() => vi.unstubAllGlobals());

/** Sends a request as the page would through Cypress's proxy. */
async function request(method: string, path: string, body: unknown = '') {
  const reply = vi.fn<Request['reply']>();
  const destroy = vi.fn<Request['destroy']>();
  const url = `http://127.0.0.1:5173/api${path}`;
  await handler({
    method,
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body,
    reply,
    destroy,
  });
  const [[response] = []] = reply.mock.calls;
  return {
    isCut: destroy.mock.calls.length === 1,
    status: response?.statusCode,
    body: response && JSON.parse(new TextDecoder().decode(response.body)),
  };
}

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('responds to reads and orders whose bodies Cypress has parsed', async () => {
  expect((await request('GET', '/games?status=1')).body.games.length).toBeGreaterThan(0);
  const placed = await request('POST', '/order', order);
  expect(placed.status).toBe(201);

  await mock.orders.pay(placed.body.orderId);

  const { body } = await request('GET', `/invoice/${placed.body.orderId}/payment-status`);
  expect(body.data.payment_status).toBe('PAID');
});

it('cuts the connection where the service would cut it', async () => {
  mock.scenarios.use('offline');

  expect(await request('GET', '/games')).toEqual({ isCut: true, status: undefined, body: undefined });
});
