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

/** Serves a page, and what it is given under `/api/topup/`; its address is one of this machine. */
const listen = (answer: (request: Request) => Promise<Response>): Promise<Server> =>
  new Promise((resolve) => {
    const proxied = getRequestListener(answer, { overrideGlobalObjects: false });
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/topup/')) return proxied(request, response);
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">');
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
// safe: a server that listens on a port
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

/** What a page at `pageUrl` sees of a list and of an order that it asks the shop's proxy for. */
async function seenFrom(pageUrl: string) {
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
      const seen: unknown[] = [];
      const headers = {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'key-1',
      };
      const list = fetch(`${base}/games`, { headers: { Accept: 'application/json' } });
      seen.push(await list.then((answer) => answer.status).catch(() => 'refused'));
      const made = fetch(`${base}/order`, { method: 'POST', headers, body });
      seen.push(await made.then((answer) => answer.status).catch(() => 'refused'));
      seen.push(await made.then((answer) => answer.headers.get('Idempotency-Key')).catch(() => 'refused'));
      return seen;
    },
    { base: `http://127.0.0.1:${portOf(shop)}/api/topup`, body: JSON.stringify(order) },
  );
}

it('a page of the shop lists and orders', async () => {
  expect(await seenFrom(`http://127.0.0.1:${portOf(shop)}/`)).toEqual([200, 201, 'key-1']);
});

it('a page of a named origin lists and orders, and reads the headers that it needs', async () => {
  expect(await seenFrom(`http://127.0.0.1:${portOf(partner)}/`)).toEqual([200, 201, 'key-1']);
});

it('a page of another site is refused', async () => {
  expect(await seenFrom(`http://localhost:${portOf(partner)}/`)).toEqual(['refused', 'refused', 'refused']);
});
