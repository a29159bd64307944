import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Fetch, TopupClient } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../../scripts/run.ts';
import { createTopupProxy } from '../src/proxy/index.ts';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, recording, rejection } from './responses.ts';

afterEach(() => void vi.unstubAllGlobals());

const delivered = { payment_status: 'PAID', buy_status: 'Sukses', expired_time: 0 };
const body = { success: true, games: [], populerGames: [], orderId: 'INV-1', data: delivered };

/** What Next 13 and 14 patch into `fetch`: a GET without a `cache` of its own is kept for ever. */
const nextFetch = (sent: Request[]): typeof fetch => {
  const kept = new Map<string, Response>();
  return async (input) => {
    const request = input as Request; // Safe: the client passes a value.
    const cached = kept.get(request.url);
    if (request.cache !== 'no-store' && cached) return cached.clone();
    sent.push(request);
    const response = Response.json(body);
    kept.set(request.url, response.clone());
    return response;
  };
};

describe('in Next 13 and 14, whose fetch keeps responses', () => {
  it.each(entries)('sends each read of %s in Next 13 and 14', async (_entry, create) => {
    const sent: Request[] = [];
    vi.stubGlobal('fetch', nextFetch(sent));
    const client = create({ baseUrl });

    await client.games.list();
    await client.games.list();

    expect(sent).toHaveLength(2);
  });

  it('sends each read through the proxy in Next 13 and 14', async () => {
    const sent: Request[] = [];
    vi.stubGlobal('fetch', nextFetch(sent));
    const proxy = createTopupProxy({ baseUrl, apiKey: 'tk_test_canary', basePath: '/api' });

    for (let count = 0; count < 2; count += 1)
      await proxy(new Request('http://shop.example/api/games'), { address: '203.0.113.7' });

    expect(sent).toHaveLength(2);
  });
});

describe.each(entries)('%s', (entry, create) => {
  it('sends no cache mode to a runtime without cache modes, such as Workers of 2024, which throw an error', async () => {
    const NodeRequest = Request;
    class WorkersRequest {
      constructor(url: string, init: RequestInit = {}) {
        if ('cache' in init) throw new Error("The 'cache' field is not implemented.");
        // biome-ignore lint/correctness/noConstructorReturn: a class whose prototype has no cache
        return new NodeRequest(url, init);
      }
    }
    vi.stubGlobal('Request', WorkersRequest);
    const { fetch, requests } = recording();

    await create({ baseUrl, fetch }).games.list();

    expect(requests).toHaveLength(1);
  });

  it('leaves the cache mode to a browser', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' });
    const { fetch, requests } = recording();

    await create({ baseUrl, fetch }).games.list();

    expect(requests[0]?.cache).toBe('default');
  });

  describe('in Hermes, which lacks parts of the language and of the Web platform', () => {
    it('reads, orders and waits in Hermes', async () => {
      const script = `
        delete globalThis.crypto;
        for (const name of ['any', 'timeout']) delete AbortSignal[name];
        delete AbortSignal.prototype.throwIfAborted;
        delete String.prototype.isWellFormed;
        const { createTopupClient } = await import('${entry}');
        const body = ${JSON.stringify(body)};
        const client = createTopupClient({ baseUrl: '${baseUrl}', fetch: async () => Response.json(body) });
        const { signal } = new AbortController();
        const stop = new AbortController();
        const options = { signal: stop.signal, onUpdate: () => stop.abort() };
        await client.games.get('mobile-legends', { signal });
        await client.orders.create(${JSON.stringify(orderRequest)}, { idempotencyKey: 'cart-17' });
        const { outcome } = await client.orders.waitFor('INV-1', { signal, onUpdate() {} });
        body.data.payment_status = 'UNPAID';
        const { error } = await client.orders.waitFor('INV-1', options).safe();
        console.log(outcome, error.code);`;
      const args = ['--conditions=@topup-kit/source', '--input-type=module', '-e', script];

      expect(await run(process.execPath, args, { cwd: import.meta.dirname })).toMatch(/^delivered ABORTED$/m);
    });

    const beInHermes = (): TopupClient => {
      vi.stubGlobal('crypto', undefined);
      return create({ baseUrl, fetch: async () => Response.json(body), maxRetries: 0 });
    };

    it('rejects an order without a key before sending if no unique key can be created', async () => {
      const client = beInHermes();

      expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
        code: 'UNSUPPORTED_ENVIRONMENT',
        attempts: 0,
        message: expect.stringMatching(/without idempotencyKey needs crypto.*Nothing was sent/),
      });
    });

    it('rejects a slug with a lone surrogate', async () => {
      expect(await rejection(beInHermes().games.get('\ud83d'))).toMatchObject({
        code: 'INVALID_PATH_PARAMETER',
      });
    });
  });

  describe('with the fetch of undici, which knows only its own Request', () => {
    const load = createRequire(createRequire(import.meta.url).resolve('jsdom'));
    const { fetch: undiciFetch, Agent, Request: UndiciRequest } = load('undici');

    it("orders with undici's fetch as the guide describes", async () => {
      const seen: unknown[] = [];
      await using server = await serving(seen);
      const dispatcher = new Agent();
      const fetch: Fetch = (request) => undiciFetch(new UndiciRequest(request.url, request), { dispatcher });
      const client = create({ baseUrl: server.url, apiKey: 'tk_test_canary', fetch });

      expect(await client.orders.create(orderRequest)).toMatchObject({ orderId: 'INV-1' });
      expect(await client.games.list()).toMatchObject({ success: true });
      expect(seen).toEqual([
        ['POST', '/order', 'tk_test_canary', JSON.stringify(orderRequest)],
        ['GET', '/games', 'tk_test_canary', ''],
      ]);
      await dispatcher.close();
    });
  });
});

/** A service on loopback that notes method, path, key and body of each request. */
async function serving(seen: unknown[]): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    seen.push([request.method, request.url, request.headers['x-api-key'], text]);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
