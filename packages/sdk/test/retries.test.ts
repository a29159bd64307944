import {
  createTopupClient,
  type RequestOptions,
  type TopupClient,
  type TopupClientOptions,
} from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, respondingInTurn, silence, status } from './attempts.ts';
import { baseUrl, cutBody, orderRequest, stalledBody, underFakeTimers } from './responses.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const listing = (options: Omit<TopupClientOptions, 'baseUrl'>, perCall?: RequestOptions) =>
  underFakeTimers(createTopupClient({ baseUrl, ...options }).games.list(perCall));

const ok = status(200, {}, { success: true });

describe('a read is retried', () => {
  it.each([
    ['a network failure', networkFailure('ECONNRESET')],
    ['a refused connection', networkFailure('ECONNREFUSED')],
    ['a time-out', silence],
    ['a stalled body', () => new Response(stalledBody())],
    ['a cut body', () => new Response(cutBody())],
    ['408', status(408)],
    ['429', status(429)],
    ['500', status(500)],
    ['502', status(502)],
    ['503', status(503)],
    ['504', status(504)],
    ['truncated JSON', () => new Response('{"succ', { headers: { 'Content-Type': 'application/json' } })],
  ])('retries a read after %s', async (_case, failing) => {
    const { fetch, requests } = respondingInTurn(failing, ok);

    expect(await listing({ fetch })).toEqual({ data: { success: true } });
    expect(requests).toHaveLength(2);
  });

  it('retries a read that is a POST', async () => {
    const { fetch } = respondingInTurn(status(500), ok);
    const request = {
      code: 'RAMADAN10',
      game_slug: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
    };

    const call = createTopupClient({ baseUrl, fetch }).promos.validate(request);

    expect(await underFakeTimers(call)).toEqual({ data: { success: true } });
  });

  it('retries with the complete request', async () => {
    const { fetch, requests } = respondingInTurn(status(503), status(201, {}, { success: true }));

    await underFakeTimers(
      createTopupClient({ baseUrl, apiKey: 'secret', fetch }).orders.create(orderRequest),
    );

    expect(requests[1]?.headers).toEqual(requests[0]?.headers);
    expect(await requests[1]?.json()).toEqual(orderRequest);
  });
});

describe('a call is not retried', () => {
  it.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 302])("doesn't retry after %i", async (code) => {
    const { fetch, requests } = respondingInTurn(status(code));

    expect(await listing({ fetch })).toMatchObject({
      error: { status: code, attempts: 1, retryable: false },
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['HTML', () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })],
    ['an array', () => Response.json([])],
    ['success: false', status(200, {}, { success: false, message: 'Tutup.' })],
  ])("doesn't retry after a 200 with %s", async (_case, response) => {
    const { fetch, requests } = respondingInTurn(response);

    expect(await listing({ fetch })).toMatchObject({ error: { retryable: false } });
    expect(requests).toHaveLength(1);
  });

  it("doesn't retry with maxRetries 0", async () => {
    const { fetch, requests } = respondingInTurn(status(503));

    expect(await listing({ fetch, maxRetries: 0 })).toMatchObject({ error: { status: 503, attempts: 1 } });
    expect(requests).toHaveLength(1);
  });
});

describe('the number of attempts', () => {
  it('tries three times by default', async () => {
    const { fetch, requests } = respondingInTurn(status(503));

    expect(await listing({ fetch })).toMatchObject({ error: { status: 503, attempts: 3 } });
    expect(requests).toHaveLength(3);
  });

  it('makes the same number of attempts without a network', async () => {
    const { fetch, requests } = respondingInTurn(networkFailure('ECONNRESET'));

    expect(await listing({ fetch })).toMatchObject({ error: { code: 'NETWORK_ERROR', attempts: 3 } });
    expect(requests).toHaveLength(3);
  });

  it("prefers a call's limit to the client's limit", async () => {
    const { fetch, requests } = respondingInTurn(status(503));

    await listing({ fetch, maxRetries: 0 }, { maxRetries: 4 });

    expect(requests).toHaveLength(5);
  });

  it('returns the number of attempts of a successful call', async () => {
    const { fetch } = respondingInTurn(status(503), status(503), ok);

    const call = createTopupClient({ baseUrl, fetch }).games.list().withResponse();

    expect(await underFakeTimers(call)).toMatchObject({ data: { attempts: 3 } });
  });

  it('counts attempts that a hook delayed', async () => {
    const onRequest = vi.fn(() => new Promise<void>(() => {}));

    const { error } = await listing({ fetch: async () => ok(), hooks: { onRequest }, timeout: 100 });

    expect(onRequest).toHaveBeenCalledTimes(3);
    expect(error).toMatchObject({ code: 'TIMEOUT', sent: false });
  });

  it.each([-1, Number.NaN, 101])('rejects %d as the number of retries', async (maxRetries) => {
    const { fetch, requests } = respondingInTurn(ok);

    expect(await listing({ fetch }, { maxRetries })).toMatchObject({ error: { code: 'INVALID_OPTION' } });
    expect(() => createTopupClient({ baseUrl, maxRetries })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
    expect(requests).toHaveLength(0);
  });
});

describe('the delay before a retry', () => {
  it.each([
    ['shortest', 0, [250, 750, 1750, 3750, 7750, 11750, 15750]],
    ['longest', 1, [500, 1500, 3500, 7500, 15500, 23500, 31500]],
  ])('doubles the delay from half a second to eight, the %s', async (_case, random, moments) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const attempts = respondingInTurn(status(503));

    await listing({ fetch: attempts.fetch, maxRetries: 7 });

    expect(attempts.moments().slice(1)).toEqual(moments);
  });

  it('varies the delay from call to call', async () => {
    const waits: number[] = [];
    for (let calls = 0; calls < 20; calls += 1) {
      const attempts = respondingInTurn(status(503), ok);
      await listing({ fetch: attempts.fetch });
      waits.push(attempts.moments()[1] ?? 0);
    }

    expect(new Set(waits).size).toBeGreaterThan(5);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...waits)).toBeLessThanOrEqual(500);
  });

  it('ends the delay immediately when the call is aborted', async () => {
    const controller = new AbortController();
    const attempts = respondingInTurn(status(503, { 'Retry-After': '30', 'X-Request-Id': 'req-7' }), ok);
    const call = createTopupClient({ baseUrl, fetch: attempts.fetch }).games.list({
      signal: controller.signal,
    });
    const ended = call.safe();

    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort('changed my mind');
    await vi.advanceTimersByTimeAsync(0);

    expect(await ended).toMatchObject({
      error: { code: 'ABORTED', cause: 'changed my mind', attempts: 1, sent: true, requestId: 'req-7' },
    });
    expect(attempts.requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('skips the delay if the call was aborted before the delay', async () => {
    const controller = new AbortController();
    const onRetry = vi.fn();
    const client = createTopupClient({ baseUrl, fetch: silence, hooks: { onRetry } });
    const ended = client.games.list({ signal: controller.signal }).safe();

    controller.abort();

    expect(await ended).toMatchObject({ error: { code: 'ABORTED' } });
    expect(onRetry).not.toHaveBeenCalled();
  });
});

describe('the timeout of an attempt', () => {
  it('times out an attempt after thirty seconds by default', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const attempts = respondingInTurn(silence);

    await listing({ fetch: attempts.fetch, totalTimeout: 600_000 });

    expect(attempts.moments()).toEqual([0, 30_250, 60_750]);
  });

  it('includes the body in the timeout', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const attempts = respondingInTurn(() => new Response(stalledBody()), ok);

    await listing({ fetch: attempts.fetch, timeout: 2_000 });

    expect(attempts.moments()).toEqual([0, 2_250]);
  });

  it('includes the hook onRequest in the timeout, and sends nothing after it', async () => {
    const { fetch, requests } = respondingInTurn(ok);
    const onRequest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5_000));

    const { error } = await listing({ fetch, hooks: { onRequest }, timeout: 1_000, maxRetries: 0 });
    await vi.advanceTimersByTimeAsync(60_000);

    expect(error).toMatchObject({ code: 'TIMEOUT', sent: false });
    expect(requests).toHaveLength(0);
  });
});

describe('the timeout of a call', () => {
  const duration = async (call: Promise<unknown>): Promise<number> => {
    const started = performance.now();
    let ended = started;
    await underFakeTimers(
      call.finally(() => {
        ended = performance.now();
      }),
    );
    return Math.round(ended - started);
  };
  const list = (options: Omit<TopupClientOptions, 'baseUrl'>): ReturnType<TopupClient['games']['list']> =>
    createTopupClient({ baseUrl, ...options }).games.list();

  it('times out a call after ninety seconds by default, with all attempts and delays', async () => {
    expect(await duration(list({ fetch: silence, maxRetries: 9 }))).toBe(90_000);
  });

  it('cuts an attempt short to meet the timeout', async () => {
    const { error } = await listing({ fetch: silence, totalTimeout: 700 });

    expect(error).toMatchObject({ code: 'TIMEOUT', timeout: 700, attempts: 1 });
  });

  it('cuts a later attempt short to meet the timeout', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);

    const { error } = await listing({ fetch: silence, timeout: 1_000, totalTimeout: 1_500 });

    expect(error).toMatchObject({ code: 'TIMEOUT', timeout: 250, attempts: 2 });
  });

  it("includes the body in the call's timeout", async () => {
    const fetch = async (): Promise<Response> => new Response(stalledBody());

    expect(await duration(list({ fetch, totalTimeout: 800 }))).toBe(800);
  });

  it('ends the call early if the next attempt would be too late', async () => {
    const fetch = async (): Promise<Response> => status(503)();

    expect(await duration(list({ fetch, totalTimeout: 200 }))).toBe(0);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'rejects a timeout of %d ms',
    async (totalTimeout) => {
      const { fetch, requests } = respondingInTurn(ok);

      expect(await listing({ fetch }, { totalTimeout })).toMatchObject({ error: { code: 'INVALID_OPTION' } });
      expect(requests).toHaveLength(0);
    },
  );
});
