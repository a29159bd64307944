import type { Fetch } from '@topup-kit/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, rejection, stalledBody } from './responses.ts';

const apiKey = 'tk_test_canarycanarycanary';
const json = { 'Content-Type': 'application/json' };

describe.each(entries)('a service with strange responses, called by %s', (_entry, createTopupClient) => {
  const clientOf = (fetch: Fetch, options: object = {}) =>
    createTopupClient({ baseUrl, apiKey, fetch, maxRetries: 0, ...options });

  it("leaves the order's outcome unknown for an error nested 20,000 levels deep", async () => {
    const deep = `{"message":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const client = clientOf(async () => new Response(deep, { status: 500, headers: json }));

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      cause: { name: 'TopupHttpError', status: 500 },
    });
  });

  it('hides a key that is quoted in every header', async () => {
    const headers = { ...json, 'X-Error-Code': apiKey, 'X-Request-Id': apiKey, Location: `/login/${apiKey}` };
    for (const status of [302, 401, 500]) {
      const client = clientOf(async () => new Response('{}', { status, headers }));
      const error = await rejection(client.games.list());
      expect(String(error) + JSON.stringify(error)).not.toContain(apiKey);
    }
  });

  it('hides a key next to an escaped character, and keeps the rest of the message', async () => {
    const client = clientOf(async () => Response.json({ message: 'a\nnnnnnnnn b' }, { status: 401 }), {
      apiKey: 'nnnnnnnn',
    });

    expect(await rejection(client.games.list())).toMatchObject({ serverMessage: 'a\n[apiKey] b' });
  });

  it('keeps idempotencyKey not enumerable, even if the response has such a field', async () => {
    const body = { success: true, orderId: 'INV-1-ABCDEFGH', idempotencyKey: 'theirs' };
    const client = clientOf(async () => Response.json(body, { status: 201 }));

    const created = await client.orders.create(orderRequest, { idempotencyKey: 'ours' });

    expect(created.idempotencyKey).toBe('ours');
    expect(Object.keys(created)).not.toContain('idempotencyKey');
  });

  it('uses the status of an error whose body never ends', async () => {
    const client = clientOf(async () => new Response(stalledBody(), { status: 422, headers: json }), {
      timeout: 30,
    });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      name: 'TopupHttpError',
      status: 422,
      body: undefined,
    });
  });

  it('leaves the outcome unknown for an error with an order id', async () => {
    const body = { success: false, message: 'Gagal', orderId: 'INV-1-ABCDEFGH' };
    const client = clientOf(async () => Response.json(body));

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      cause: { code: 'INVALID_RESPONSE', path: '$.orderId', body },
    });
  });
});

describe.each(entries)(
  'an order whose response was cut off and whose retry gets a 404, called by %s',
  (_entry, createTopupClient) => {
    /** Cuts the first response, then returns 404, like the service itself or like a proxy in front of it. */
    const cutThen404 = (headers: Record<string, string>): Fetch => {
      let calls = 0;
      return async () => {
        calls += 1;
        if (calls === 1) throw new TypeError('terminated');
        return Response.json({ message: 'Not Found' }, { status: 404, headers });
      };
    };
    const order = (headers: Record<string, string>) =>
      createTopupClient({
        baseUrl,
        fetch: cutThen404(headers),
        idempotency: 'supported',
        maxRetries: 1,
      }).orders.create(orderRequest, { idempotencyKey: 'cart-17' });

    it("reports that a cut order doesn't exist after a 404 from the service, which returns the key", async () => {
      expect(await rejection(order({ 'Idempotency-Key': 'cart-17' }))).toMatchObject({ code: 'NOT_FOUND' });
    });

    it("doesn't decide the outcome of a cut order from a 404 of a proxy in front of the service", async () => {
      expect(await rejection(order({}))).toMatchObject({ code: 'UNKNOWN_OUTCOME', retryable: true });
    });
  },
);

describe.each(entries)(
  'a fetch that aborts the caller and never settles, in %s',
  (_entry, createTopupClient) => {
    it('reports an abort if the fetch itself aborts', async () => {
      const controller = new AbortController();
      const fetch: Fetch = () => {
        controller.abort();
        return new Promise(() => {});
      };

      const call = createTopupClient({ baseUrl, fetch }).games.list({ signal: controller.signal });

      expect(await rejection(call)).toMatchObject({ code: 'ABORTED' });
    });
  },
);

describe.each(entries)('a wait on a service that never responds, by %s', (_entry, createTopupClient) => {
  it('ends a wait at its timeout', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const client = createTopupClient({ baseUrl, fetch: () => new Promise(() => {}) });
    const ended = rejection(client.orders.waitFor('INV-1-ABCDEFGH', { timeout: 100 }));

    await vi.advanceTimersByTimeAsync(100);
    expect(await ended).toMatchObject({ code: 'WAIT_TIMEOUT' });
  });
});
