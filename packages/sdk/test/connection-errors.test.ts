import type { Fetch, TopupClient } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, cutBody, orderRequest, recording, rejection, stalledBody } from './responses.ts';

/** Never responds and ignores the signal. */
const silent: Fetch = () => new Promise(() => {});

afterEach(() => void vi.unstubAllGlobals());

describe.each(entries)('%s', (_entry, createTopupClient) => {
  /** A client without retries. */
  const clientOf = (fetch: Fetch, timeout?: number): TopupClient =>
    createTopupClient({ baseUrl, fetch, timeout, maxRetries: 0 });

  describe('a network error', () => {
    it('names the host and the system error', async () => {
      const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      const fetch: Fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: refused }));

      expect(await rejection(clientOf(fetch).games.list())).toMatchObject({
        name: 'TopupNetworkError',
        code: 'NETWORK_ERROR',
        message: expect.stringContaining(
          'GET /api/games got no complete response from http://shop.test (ECONNREFUSED)',
        ),
      });
    });

    it('treats a connection cut in the body as a network error', async () => {
      const client = clientOf(async () => new Response(cutBody()));

      expect(await rejection(client.games.list())).toMatchObject({ code: 'NETWORK_ERROR' });
    });

    it.each([
      ['an error', new RangeError('a bug')],
      ["the runtime's own failure, which ky would wrap with the request", new TypeError('fetch failed')],
      ['no error at all', 'a string'],
    ])('keeps the error of the fetch as the cause: %s', async (_case, thrown) => {
      const fetch: Fetch = () => {
        throw thrown;
      };

      expect(await rejection(clientOf(fetch).games.list())).toMatchObject({
        code: 'NETWORK_ERROR',
        cause: thrown,
      });
    });
  });

  describe('whether the request was sent', () => {
    const failing = async (code: string, facts: object = {}, own?: 'own'): Promise<unknown> => {
      const fetch: Fetch = async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...facts }) });
      };
      vi.stubGlobal('fetch', fetch);
      return rejection(
        createTopupClient({ baseUrl, maxRetries: 0, fetch: own && fetch }).orders.create(orderRequest),
      );
    };
    const isConnectFailure: [string, object?][] = [
      ['ECONNREFUSED'],
      ['ENOTFOUND', { syscall: 'getaddrinfo' }],
      ['EAI_AGAIN', { syscall: 'getaddrinfo' }],
      ['UND_ERR_CONNECT_TIMEOUT'],
      ['ConnectionRefused'],
      ['CERT_HAS_EXPIRED'],
      ['DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ['ERR_TLS_CERT_ALTNAME_INVALID'],
    ];

    it.each(isConnectFailure)('reports for %s that nothing was sent', async (systemCode, facts) => {
      expect(await failing(systemCode, facts)).toMatchObject({
        code: 'NETWORK_ERROR',
        systemCode,
        sent: false,
      });
    });

    it.each(isConnectFailure)(
      'assumes for %s from a custom fetch that the request was sent',
      async (systemCode, facts) => {
        expect(await failing(systemCode, facts, 'own')).toMatchObject({
          code: 'UNKNOWN_OUTCOME',
          cause: { code: 'NETWORK_ERROR', systemCode, sent: true },
        });
      },
    );

    it.each([
      ['ECONNRESET', { syscall: 'read' }],
      ['EPIPE', { syscall: 'write' }],
      ['ETIMEDOUT', { syscall: 'read' }],
      ['EHOSTUNREACH', { syscall: 'read' }],
      ['ENETUNREACH', { syscall: 'connect' }],
      ['UND_ERR_SOCKET'],
      ['UND_ERR_HEADERS_TIMEOUT'],
      ['UNCERTAIN'],
      ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ])('assumes for %s that the request was sent', async (systemCode, facts?: object) => {
      expect(await failing(systemCode, facts)).toMatchObject({
        code: 'UNKNOWN_OUTCOME',
        cause: { code: 'NETWORK_ERROR', systemCode, sent: true },
      });
    });

    it('assumes that a request was sent for an error with circular causes', async () => {
      const circle = new Error('round and round');
      circle.cause = circle;

      expect(await rejection(clientOf(() => Promise.reject(circle)).games.list())).toMatchObject({
        code: 'NETWORK_ERROR',
        systemCode: undefined,
        sent: true,
      });
    });

    it("recognises an error from another realm, such as a test runner's", async () => {
      const cause = { code: 'ECONNREFUSED' };
      vi.stubGlobal('fetch', () => Promise.reject({ cause }));

      expect(await rejection(createTopupClient({ baseUrl, maxRetries: 0 }).games.list())).toMatchObject({
        systemCode: 'ECONNREFUSED',
        sent: false,
      });
    });

    it('assumes that a request was sent if a custom fetch then throws an error of this package', async () => {
      const misused: Fetch = async () => {
        createTopupClient({ baseUrl: 'nowhere' });
        return Response.json({});
      };

      expect(await rejection(clientOf(misused).orders.create(orderRequest))).toMatchObject({
        code: 'UNKNOWN_OUTCOME',
        cause: { code: 'NETWORK_ERROR', cause: { code: 'INVALID_BASE_URL' } },
      });
    });
  });

  describe('a timeout', () => {
    it('ends a call without a response at the timeout', async () => {
      const client = clientOf(silent, 20);

      expect(await rejection(client.games.list())).toMatchObject({
        name: 'TopupTimeoutError',
        code: 'TIMEOUT',
        timeout: 20,
      });
    });

    it('ends a call whose body stalls at the timeout', async () => {
      const client = clientOf(async () => new Response(stalledBody()), 20);
      const tooLate = new Promise((resolve) => setTimeout(resolve, 2_000, 'still waiting'));

      expect(await Promise.race([rejection(client.games.list()), tooLate])).toMatchObject({
        code: 'TIMEOUT',
      });
    });

    it('accepts a timeout for a single call', async () => {
      const client = clientOf(silent);

      expect(await rejection(client.games.list({ timeout: 20 }))).toMatchObject({
        code: 'TIMEOUT',
        timeout: 20,
      });
    });

    it('aborts the request at the timeout', async () => {
      let signal: AbortSignal | undefined;
      const fetch: Fetch = (request) => {
        signal = request.signal;
        return new Promise(() => {});
      };

      await rejection(clientOf(fetch, 20).games.list());

      expect(signal?.aborted).toBe(true);
    });

    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
      'rejects a timeout of %d ms',
      async (timeout) => {
        const client = clientOf(silent);

        expect(() => createTopupClient({ baseUrl, timeout })).toThrow(
          expect.objectContaining({ code: 'INVALID_OPTION' }),
        );
        expect(await rejection(client.games.list({ timeout }))).toMatchObject({ code: 'INVALID_OPTION' });
      },
    );
  });

  describe('an abort', () => {
    it('aborts a call whose fetch ignores the signal', async () => {
      const controller = new AbortController();
      const call = clientOf(silent).games.list({ signal: controller.signal });

      setTimeout(() => controller.abort('changed my mind'), 10);

      expect(await rejection(call)).toMatchObject({
        name: 'TopupAbortError',
        code: 'ABORTED',
        cause: 'changed my mind',
      });
    });

    it.each([200, 403])('aborts a call whose body stalls, with status %i', async (status) => {
      const client = clientOf(async () => new Response(stalledBody(), { status }));

      expect(await rejection(client.games.list({ signal: AbortSignal.timeout(20) }))).toMatchObject({
        code: 'ABORTED',
      });
    });

    it("reports the user's own AbortSignal.timeout() as an abort", async () => {
      const heeding: Fetch = (request) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      const client = clientOf(heeding);

      expect(await rejection(client.games.list({ signal: AbortSignal.timeout(20) }))).toMatchObject({
        name: 'TopupAbortError',
        cause: { name: 'TimeoutError' },
      });
    });

    it('aborts a call whose onRequest hangs, and sends nothing', async () => {
      const { fetch, requests } = recording();
      const controller = new AbortController();
      const hooks = { onRequest: () => new Promise<void>(() => {}) };
      const call = createTopupClient({ baseUrl, fetch, hooks }).games.list({ signal: controller.signal });

      setTimeout(() => controller.abort(), 10);

      expect(await rejection(call)).toMatchObject({ code: 'ABORTED', sent: false });
      expect(requests).toHaveLength(0);
    });

    it.each([{}, 'now', new AbortController()])('rejects %s as an AbortSignal', async (given) => {
      const { fetch, requests } = recording();
      const signal = given as AbortSignal; // Safe: a caller without types can pass this value.

      expect(await rejection(createTopupClient({ baseUrl, fetch }).games.list({ signal }))).toMatchObject({
        name: 'TopupUsageError',
        code: 'INVALID_OPTION',
        message: expect.stringContaining('signal'),
      });
      expect(requests).toHaveLength(0);
    });
  });
});
