import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTopupClient } from '@topup-kit/sdk';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let sandbox: RunningServer;

beforeAll(async () => {
  sandbox = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
  vi.stubEnv('TOPUP_BASE_URL', sandbox.baseUrl);
  vi.stubEnv('PORT', '0');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sandbox[Symbol.asyncDispose]();
});

const examples = {
  'node.ts': () => import('./node.ts'),
  'hono.ts': () => import('./hono.ts'),
  'express.ts': () => import('./express.ts'),
};

/** Sends requests that fetch would change or reject: a path that is not normalised, a chunked body. */
async function send(port: number, path: string, headers: IncomingHttpHeaders = {}, body?: string) {
  const request = httpRequest({ port, path, headers, method: body === undefined ? 'GET' : 'POST' });
  request.end(body);
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

describe.each(Object.entries(examples))('%s', (_name, load) => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    // Safe: the examples listen over plain HTTP.
    server = (await load()).server as Server;
    if (!server.listening) await once(server, 'listening');
    // Safe: a server that listens on a port has this address.
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('lets a client without an API key list games, place an order and poll it', async () => {
    const client = createTopupClient({ baseUrl: `http://127.0.0.1:${port}/api/topup` });
    expect((await client.games.list()).games.length).toBeGreaterThan(0);
    const { orderId, data } = await client.orders.create({
      game: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
      id: '12345678',
      server: '2012',
      whatsapp: '081234567890',
      promo_code: 'RAMADAN10',
      quantity: 2,
    });
    expect(data.total_price).toBe(40_000);
    const { data: state } = await client.invoices.paymentStatus(orderId);
    expect(state.payment_status).toBe('UNPAID');
  });

  it('gives each client a separate rate limit, counted per address', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${port}/api/topup/games`);
    expect(headers.get('RateLimit')).toMatch(/^"reads";r=1\d\d;t=\d+$/);
  });

  it("rejects every path outside the proxy's routes", async () => {
    for (const path of [
      '/api/topup/invoice/INV-20260328100000-DVHHEMKC',
      '/api/topup/../../sandbox',
      '/api/topup/games/..%2f..%2fsandbox',
      '/api/topup//evil.test/games',
      '/api/topup/games/%2e%2e/%2e%2e/%2e%2e/sandbox',
    ]) {
      const status = await send(port, path);
      // The example for plain Node serves its page for any path outside the proxy's.
      expect([404, 200]).toContain(status);
      if (status === 200) expect(new URL(path, 'http://shop.example').pathname).not.toMatch('/api/topup/');
    }
    expect(await send(port, `http://evil.test/api/topup/games/a%2fb`)).not.toBe(500);
  });

  it('rejects a page of another origin, and a body that is too large', async () => {
    const json = { 'Content-Type': 'application/json' };
    const path = '/api/topup/order';
    expect(await send(port, path, { ...json, Origin: 'https://evil.test' }, '{}')).toBe(403);
    const large = `{"id":"${'1'.repeat(70_000)}"}`;
    expect(await send(port, path, { ...json, 'Transfer-Encoding': 'chunked' }, large)).toBe(413);
    expect(await send(port, path, json, '{}')).toBe(422);
  });
});
