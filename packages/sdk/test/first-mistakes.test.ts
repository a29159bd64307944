import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, recording, rejection, responding } from './responses.ts';

afterEach(() => void vi.unstubAllGlobals());

const page: (status: number) => Fetch = (status) => async () =>
  new Response('<!doctype html><title>Attention Required!</title>', {
    status,
    headers: { 'Content-Type': 'text/html' },
  });

const message = (text: string | RegExp) => expect.objectContaining({ message: expect.stringMatching(text) });

describe.each(entries)('%s', (_entry, create) => {
  describe('https to a port that uses http', () => {
    it("sends nothing over https to an http port, and names the scheme in an order's error", async () => {
      let requests = 0;
      const server = createServer(() => {
        requests += 1;
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
      const client = create({ baseUrl: `https://127.0.0.1:${port}/api`, maxRetries: 0 });

      const error = await rejection(client.orders.create(orderRequest));
      server.closeAllConnections();
      server.close();

      expect(error).toMatchObject({ code: 'NETWORK_ERROR', sent: false });
      expect(error).toEqual(message(/scheme of baseUrl/));
      expect(requests).toBe(0);
    });

    it.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
      'recognises https to an http port from the code %s',
      async (code) => {
        vi.stubGlobal('fetch', () => Promise.reject(Object.assign(new Error('tls'), { code })));

        expect(await rejection(create({ baseUrl, maxRetries: 0 }).orders.create(orderRequest))).toMatchObject(
          {
            code: 'NETWORK_ERROR',
            sent: false,
          },
        );
      },
    );

    it("doesn't assume https to an http port after a response, because the order may exist", async () => {
      const responses = [Promise.resolve(Response.json({ success: true, games: [], populerGames: [] }))];
      const broken = (): Promise<Response> =>
        Promise.reject(Object.assign(new Error('tls'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }));
      vi.stubGlobal('fetch', () => responses.shift() ?? broken());
      const client = create({ baseUrl, maxRetries: 0 });
      await client.games.list();

      expect(await rejection(client.orders.create(orderRequest))).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    });
  });

  it.each([401, 403, 404, 429])(
    "doesn't mistake a page with status %i for the rejection of a key",
    async (status) => {
      const client = create({ baseUrl, apiKey: 'tk_test_1', fetch: page(status), maxRetries: 0 });

      for (const call of [client.games.list(), client.orders.create(orderRequest)]) {
        const error = await rejection(call);
        expect(error).toEqual(message(/body is a proxy's page/));
        expect(error).not.toEqual(message(/Check apiKey/));
      }
    },
  );

  it('explains in the 404 of an extension that the service may lack it', async () => {
    const notFound = responding(404, { success: false, message: 'Alamat tidak ditemukan.' });
    const client = create({ baseUrl, fetch: notFound });
    const account = { game: 'mobile-legends', id: '1' };

    for (const call of [client.orders.list(), client.events.list(), client.accounts.check(account)])
      expect(await rejection(call)).toEqual(message(/may lack this extension/));
    expect(await rejection(client.promos.validate(promo))).not.toEqual(message(/extension/));
  });

  it('asks for another key if the idempotency key belongs to another order', async () => {
    const conflict = responding(409, { success: false, message: 'X', error_code: 'IDEMPOTENCY_CONFLICT' });

    expect(await rejection(create({ baseUrl, fetch: conflict }).orders.create(orderRequest))).toEqual(
      message(/Use another idempotencyKey\.$/),
    );
  });

  it('mentions CORS and the proxy to a page of another origin', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' });
    vi.stubGlobal('location', { href: 'http://localhost:5173/', origin: 'http://localhost:5173' });
    const fetch: Fetch = () => Promise.reject(new TypeError('Failed to fetch'));

    expect(await rejection(create({ baseUrl, fetch, maxRetries: 0 }).games.list())).toEqual(
      message(/CORS.*@topup-kit\/sdk\/proxy/),
    );
    expect(await rejection(create({ baseUrl: '/api', fetch, maxRetries: 0 }).games.list())).not.toEqual(
      message(/CORS/),
    );
  });

  it.each(['http://127.0.0.1:4000/api', null, 1])('rejects %j as the options', (options) => {
    // @ts-expect-error no options
    expect(() => create(options)).toThrow(message(/options must be an object/));
  });

  it("doesn't send a list as an order", async () => {
    const { fetch, requests } = recording();

    // @ts-expect-error no order
    expect(await rejection(create({ baseUrl, fetch }).orders.create([]))).toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(requests).toEqual([]);
  });

  it('names arguments as the caller named them', async () => {
    // @ts-expect-error no id
    const wait = create({ baseUrl }).orders.waitFor(undefined);

    expect(await rejection(wait)).toEqual(message(/^orderId must be .* Nothing was sent\.$/));
  });
});

const promo = { code: 'X', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
