import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, cutBody, rejection, stalledBody } from './answers.ts';

/** Never answers and does not heed the signal. */
const silent: Fetch = () => new Promise(() => {});

describe('a network error', () => {
  it('names the host and the reason of the system', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const fetch: Fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: refused }));

    expect(await rejection(createTopupClient({ baseUrl, fetch }).games.list())).toMatchObject({
      name: 'TopupNetworkError',
      code: 'NETWORK_ERROR',
      message: expect.stringContaining(
        'GET /api/games got no whole answer from http://shop.test (ECONNREFUSED)',
      ),
    });
  });

  it('is a connection cut in the body', async () => {
    const client = createTopupClient({ baseUrl, fetch: async () => new Response(cutBody()) });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it.each([
    ['an error', new RangeError('a bug')],
    ['no error at all', 'a string'],
  ])('has what the fetch threw as its cause: %s', async (_case, thrown) => {
    const fetch: Fetch = () => {
      throw thrown;
    };

    expect(await rejection(createTopupClient({ baseUrl, fetch }).games.list())).toMatchObject({
      code: 'NETWORK_ERROR',
      cause: thrown,
    });
  });
});

describe('a time-out', () => {
  it('ends a call that gets no answer', async () => {
    const client = createTopupClient({ baseUrl, fetch: silent, timeout: 20 });

    expect(await rejection(client.games.list())).toMatchObject({
      name: 'TopupTimeoutError',
      code: 'TIMEOUT',
      timeout: 20,
    });
  });

  it('ends a call whose body stalls', async () => {
    const client = createTopupClient({
      baseUrl,
      fetch: async () => new Response(stalledBody()),
      timeout: 20,
    });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'TIMEOUT' });
  });

  it('can be set for one call', async () => {
    const client = createTopupClient({ baseUrl, fetch: silent });

    expect(await rejection(client.games.list({ timeout: 20 }))).toMatchObject({
      code: 'TIMEOUT',
      timeout: 20,
    });
  });

  it('aborts the request', async () => {
    let signal: AbortSignal | undefined;
    const fetch: Fetch = (request) => {
      signal = request.signal;
      return new Promise(() => {});
    };

    await rejection(createTopupClient({ baseUrl, fetch, timeout: 20 }).games.list());

    expect(signal?.aborted).toBe(true);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('of %d ms is refused', async (timeout) => {
    const client = createTopupClient({ baseUrl, fetch: silent });

    expect(() => createTopupClient({ baseUrl, timeout })).toThrow(
      expect.objectContaining({ code: 'INVALID_TIMEOUT' }),
    );
    expect(await rejection(client.games.list({ timeout }))).toMatchObject({ code: 'INVALID_TIMEOUT' });
  });
});

describe('an abort', () => {
  it('ends a call whose fetch does not heed the signal', async () => {
    const controller = new AbortController();
    const call = createTopupClient({ baseUrl, fetch: silent }).games.list({ signal: controller.signal });

    setTimeout(() => controller.abort('changed my mind'), 10);

    expect(await rejection(call)).toMatchObject({
      name: 'TopupAbortError',
      code: 'ABORTED',
      cause: 'changed my mind',
    });
  });

  it('ends a call whose body stalls', async () => {
    const client = createTopupClient({ baseUrl, fetch: async () => new Response(stalledBody()) });

    expect(await rejection(client.games.list({ signal: AbortSignal.timeout(20) }))).toMatchObject({
      code: 'ABORTED',
    });
  });

  it("is what the caller's own AbortSignal.timeout() makes, not a time-out", async () => {
    const heeding: Fetch = (request) =>
      new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    const client = createTopupClient({ baseUrl, fetch: heeding });

    expect(await rejection(client.games.list({ signal: AbortSignal.timeout(20) }))).toMatchObject({
      name: 'TopupAbortError',
      cause: { name: 'TimeoutError' },
    });
  });

  it('leaves no listener on a signal that many calls share', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };

    await createTopupClient({ baseUrl, fetch: async () => Response.json({}) }).games.list({ signal });

    expect(listeners).toBe(0);
  });
});
