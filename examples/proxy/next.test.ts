import { createTopupClient } from '@topup-kit/sdk';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as route from './next/app/api/topup/[...path]/route.ts';

let sandbox: RunningServer;

beforeAll(async () => {
  sandbox = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
  vi.stubEnv('TOPUP_BASE_URL', sandbox.baseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sandbox[Symbol.asyncDispose]();
});

/** Calls the export that is named after the request's method, as Next does. */
const next = (request: Request): Promise<Response> =>
  request.method === 'POST' ? route.POST(request) : route.GET(request);

it('lists games and places an order without an API key through route.ts, called as Next calls it', async () => {
  const client = createTopupClient({ baseUrl: 'http://shop.example/api/topup', fetch: next });
  expect((await client.games.list()).games.length).toBeGreaterThan(0);
  const { data } = await client.orders.create({
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
  });
  expect(data.total_price).toBe(22_000);
});

it("limits the rate in route.ts by the last address in X-Forwarded-For, which a visitor can't forge", async () => {
  const rateLimitFor = async (forwarded: string) => {
    const headers = { 'X-Forwarded-For': forwarded };
    const response = await next(new Request('http://shop.example/api/topup/games', { headers }));
    return response.headers.get('RateLimit');
  };
  expect(await rateLimitFor('198.51.100.1, 203.0.113.7')).toMatch('r=119');
  expect(await rateLimitFor('198.51.100.2, 203.0.113.7')).toMatch('r=118');
  expect(await rateLimitFor('203.0.113.7, 203.0.113.8')).toMatch('r=119');
});
