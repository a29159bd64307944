import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createTopupProxy } from '@topup-kit/sdk/proxy';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../../packages/server/test/helpers/browser.ts';

const browser = useBrowser();
let sandbox: RunningServer;
let shop: Server;
let partner: Server;

/** Serves a page on a local port, and lets `handle` respond to the requests below `/api/topup/`. */
const listen = (handle: (request: Request) => Promise<Response>): Promise<Server> =>
  new Promise((resolve) => {
    const proxied = getRequestListener(handle, { overrideGlobalObjects: false });
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/topup/')) return proxied(request, response);
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">');
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
// Safe: a server that listens on a port has this address.
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  sandbox = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
  partner = await listen(async () => new Response(null, { status: 404 }));
  const proxy = createTopupProxy({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.sandboxKey ?? '',
    basePath: '/api/topup',
    origins: [`http://127.0.0.1:${portOf(partner)}`],
  });
  shop = await listen((request) => proxy(request, { address: undefined }));
});
afterAll(async () => {
  for (const server of [shop, partner]) server.closeAllConnections();
  for (const server of [shop, partner]) server.close();
  await sandbox[Symbol.asyncDispose]();
});

/** Returns the results that a page at `pageUrl` gets when it lists games and places an order through the shop's proxy. */
async function resultsFrom(pageUrl: string) {
  const { page } = await browser.open(pageUrl);
  const order = {
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
  };
  return page.evaluate(
    async ({ base, body }) => {
      const results: unknown[] = [];
      const headers = {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'key-1',
      };
      const list = fetch(`${base}/games`, { headers: { Accept: 'application/json' } });
      results.push(await list.then((response) => response.status).catch(() => 'blocked'));
      const made = fetch(`${base}/order`, { method: 'POST', headers, body });
      results.push(await made.then((response) => response.status).catch(() => 'blocked'));
      results.push(
        await made.then((response) => response.headers.get('Idempotency-Key')).catch(() => 'blocked'),
      );
      return results;
    },
    { base: `http://127.0.0.1:${portOf(shop)}/api/topup`, body: JSON.stringify(order) },
  );
}

it("lists games and places an order on the shop's page", async () => {
  expect(await resultsFrom(`http://127.0.0.1:${portOf(shop)}/`)).toEqual([200, 201, 'key-1']);
});

it('lists games, places an order and reads the required headers on a page of an allowed origin', async () => {
  expect(await resultsFrom(`http://127.0.0.1:${portOf(partner)}/`)).toEqual([200, 201, 'key-1']);
});

it('blocks a page of another origin', async () => {
  expect(await resultsFrom(`http://localhost:${portOf(partner)}/`)).toEqual([
    'blocked',
    'blocked',
    'blocked',
  ]);
});
