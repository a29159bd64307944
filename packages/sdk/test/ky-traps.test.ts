/**
 * Each trap of ky 2 that this package avoids. The tests in test/package cover that ky is ESM only: they load the packed
 * package with `require()` and in Jest.
 */
import { type Fetch, isTopupError } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { respondingInTurn, status } from './attempts.ts';
import { entries } from './entries.ts';
import { baseUrl, cutBody, made, orderRequest, underFakeTimers } from './responses.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ok = status(200, {}, { success: true });
const json = { 'Content-Type': 'application/json' };

describe.each(entries)('%s', (entry, createTopupClient) => {
  const strict = entry === '@topup-kit/sdk' && { validation: 'strict' as const };

  describe('schema, JSON, empty-body and cut-body failures skip beforeError and are no KyErrors', () => {
    const failures = [
      ['schema', () => Response.json({ success: true, games: 'none' }), 'INVALID_RESPONSE'],
      ['JSON', () => new Response('<!doctype html>'), 'NOT_JSON'],
      ['cut JSON', () => new Response('{"success":', { headers: json }), 'NOT_JSON'],
      ['empty body', () => new Response('', { headers: json }), 'EMPTY_BODY'],
      ['no body', () => new Response(null, { status: 204 }), 'EMPTY_BODY'],
      ['cut body', () => new Response(cutBody(), { headers: json }), 'NETWORK_ERROR'],
    ] as const;
    // The light client does not validate.
    it.each(failures.filter(([name]) => entry === '@topup-kit/sdk' || name !== 'schema'))(
      'reports %s as an error of this package',
      async (_case, answer, code) => {
        const client = createTopupClient({ baseUrl, fetch: async () => answer(), ...strict });

        const { error } = await underFakeTimers(client.games.list());

        expect(isTopupError(error, code)).toBe(true);
        expect(error).toMatchObject({ operation: 'listGames' });
      },
    );
  });

  describe("isTimeoutError is true for a caller's own AbortSignal.timeout()", () => {
    const ownTimeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

    it("reports the caller's own time-out as an abort, with the signal's reason as cause", async () => {
      const controller = new AbortController();
      const heeding: Fetch = (request) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      const call = createTopupClient({ baseUrl, fetch: heeding }).games.list({ signal: controller.signal });

      setTimeout(() => controller.abort(ownTimeout), 20);

      expect(await underFakeTimers(call)).toMatchObject({ error: { code: 'ABORTED', cause: ownTimeout } });
    });

    it("reports a custom fetch's own timeout as a network error", async () => {
      const client = createTopupClient({ baseUrl, fetch: () => Promise.reject(ownTimeout), maxRetries: 0 });

      expect(await underFakeTimers(client.games.list())).toMatchObject({
        error: { code: 'NETWORK_ERROR', cause: ownTimeout },
      });
    });
  });

  describe('HTTPError.message holds the whole URL', () => {
    it('shows only method and path in the message', async () => {
      const client = createTopupClient({
        baseUrl: 'https://shop.test:8443/api',
        fetch: async () => status(404)(),
      });

      const { error } = await underFakeTimers(client.games.get('ml'));

      expect(error).toMatchObject({
        message: expect.stringMatching(/^GET \/api\/games\/ml failed with 404/),
      });
      expect(JSON.stringify(error)).not.toContain('shop.test');
    });
  });

  describe('Retry-After is unbounded unless capped', () => {
    it.each(['61', '86400', 'Fri, 31 Dec 2199 23:59:59 GMT', '99999999999999999999'])(
      'ends the call for %s',
      async (wait) => {
        const { fetch, requests } = respondingInTurn(status(503, { 'Retry-After': wait }));
        const client = createTopupClient({ baseUrl, fetch, totalTimeout: 2_000_000_000 });
        const started = performance.now();

        const ended = client.games.list().finally(() => {
          expect(performance.now() - started).toBe(0);
        });

        expect(await underFakeTimers(ended)).toMatchObject({ error: { status: 503, attempts: 1 } });
        expect(requests).toHaveLength(1);
      },
    );
  });

  describe('POST is not retried by default', () => {
    it('retries an order if the service certainly created no order', async () => {
      const { fetch } = respondingInTurn(status(429), status(201, {}, made));

      const { data } = await underFakeTimers(
        createTopupClient({ baseUrl, fetch }).orders.create(orderRequest),
      );

      expect(data).toEqual(made);
    });
  });

  describe('a baseUrl without a trailing slash loses its path', () => {
    it('keeps the path of a baseUrl', async () => {
      const { fetch, requests } = respondingInTurn(ok);

      await underFakeTimers(createTopupClient({ baseUrl: 'http://shop.test/v1/api', fetch }).games.list());

      expect(requests[0]?.url).toBe('http://shop.test/v1/api/games');
    });
  });

  describe('an injected fetch must be async', () => {
    it('handles a fetch that throws synchronously like any failure', async () => {
      const cause = new Error('no network in here');
      const fetch: Fetch = () => {
        throw cause;
      };

      const { error } = await underFakeTimers(createTopupClient({ baseUrl, fetch }).games.list());

      expect(error).toMatchObject({ code: 'NETWORK_ERROR', cause, attempts: 3 });
    });

    it('accepts a fetch that returns synchronously', async () => {
      // Safe: a caller without types can pass this value.
      const fetch = ok as unknown as Fetch;

      expect(await underFakeTimers(createTopupClient({ baseUrl, fetch }).games.list())).toEqual({
        data: { success: true },
      });
    });

    it('handles a fetch that returns nothing like any failure', async () => {
      // Safe: a caller without types can pass this value.
      const fetch = (() => undefined) as unknown as Fetch;

      expect(await underFakeTimers(createTopupClient({ baseUrl, fetch }).games.list())).toMatchObject({
        error: { code: 'NETWORK_ERROR' },
      });
    });
  });

  describe('beforeRequest headers persist over retries', () => {
    it("sends a hook's headers only with their own attempt", async () => {
      const { fetch, requests } = respondingInTurn(status(503), ok);
      const hooks = {
        onRequest: ({ attempt, headers }: { attempt: number; headers: Headers }) =>
          headers.append(`X-Attempt-${attempt}`, 'here'),
      };

      await underFakeTimers(createTopupClient({ baseUrl, fetch, hooks }).games.list());

      const seen = requests.map(({ headers }) =>
        [...headers.keys()].filter((name) => name.startsWith('x-attempt')),
      );
      expect(seen).toEqual([['x-attempt-1'], ['x-attempt-2']]);
    });
  });

  describe('an afterResponse hook clones bodies', () => {
    it("doesn't clone bodies for onResponse", async () => {
      const clone = vi.spyOn(Response.prototype, 'clone');
      const onResponse = vi.fn();
      const client = createTopupClient({ baseUrl, fetch: async () => ok(), hooks: { onResponse } });

      await underFakeTimers(client.games.list());

      expect(onResponse).toHaveBeenCalledTimes(1);
      expect(clone).not.toHaveBeenCalled();
    });
  });
});
