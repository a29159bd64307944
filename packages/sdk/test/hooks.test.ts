import { createTopupClient, type Hooks, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { baseUrl, orderRequest, rejection, stalledBody } from './responses.ts';
import { unheardRejections } from './status-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const list = { success: true, games: [], populerGames: [] };
const created = { success: true, orderId: 'INV-1', data: {} };

/** A client that records its requests and gets these statuses in turn; the last one repeats. */
function observed(hooks: Hooks, statuses: number[] = [200], options: Partial<TopupClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.clone());
    const status = statuses[Math.min(requests.length, statuses.length) - 1] ?? 200;
    return Response.json(status === 201 ? created : status < 300 ? list : {}, { status });
  };
  return { client: createTopupClient({ baseUrl, fetch, hooks, ...options }), requests };
}

const settle = async <Result>(call: Promise<Result>): Promise<Result> => {
  call.catch(() => {});
  await vi.advanceTimersByTimeAsync(120_000);
  return call;
};

describe('onRequest', () => {
  it('calls onRequest for each attempt', async () => {
    const onRequest = vi.fn();
    const { client } = observed({ onRequest }, [503, 503, 200]);

    await settle(client.games.get('mobile-legends'));

    expect(onRequest.mock.calls.map(([told]) => told)).toMatchObject(
      [1, 2, 3].map((attempt) => ({
        operation: 'getGame',
        method: 'GET',
        url: 'http://shop.test/api/games/mobile-legends',
        attempt,
        idempotencyKey: undefined,
      })),
    );
  });

  it('passes the same key for all attempts of an order', async () => {
    const onRequest = vi.fn();
    const { client } = observed({ onRequest }, [503, 201]);

    await settle(client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }));

    const keys = onRequest.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey);
    expect(keys).toEqual(['cart-17', 'cart-17']);
  });

  it('adds the headers of onRequest to the request', async () => {
    const { client, requests } = observed({ onRequest: ({ headers }) => headers.set('traceparent', '00-1') });

    await settle(client.games.list());

    expect(requests[0]?.headers.get('traceparent')).toBe('00-1');
  });

  it('awaits onRequest', async () => {
    const { client, requests } = observed({
      async onRequest({ headers }) {
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        headers.set('Authorization', 'Bearer fresh');
      },
    });

    await settle(client.games.list());

    expect(requests[0]?.headers.get('Authorization')).toBe('Bearer fresh');
  });

  it('adds the headers of onRequest only to the current attempt', async () => {
    const { client, requests } = observed(
      { onRequest: ({ headers, attempt }) => headers.set(`X-Attempt-${attempt}`, 'yes') },
      [503, 200],
    );

    await settle(client.games.list());

    expect(requests[1]?.headers.has('X-Attempt-2')).toBe(true);
    expect(requests[1]?.headers.has('X-Attempt-1')).toBe(false);
  });

  it("shows the user's headers to onRequest", async () => {
    let seen: string | null = null;
    const { client } = observed(
      {
        onRequest({ headers }) {
          seen = headers.get('X-Shop');
        },
      },
      [200],
      { headers: { 'X-Shop': '7' } },
    );

    await settle(client.games.list());

    expect(seen).toBe('7');
  });

  it('never shows the API key to onRequest', async () => {
    let seen = '';
    const { client } = observed(
      {
        onRequest(told) {
          seen += JSON.stringify([told, ...told.headers]);
        },
      },
      [503, 200],
      { apiKey: 'tk_test_canary' },
    );

    await settle(client.games.list());

    expect(seen).toContain('listGames');
    expect(seen).not.toContain('tk_test_canary');
  });

  it("never replaces the SDK's headers with the headers of onRequest", async () => {
    const onRequest: Hooks['onRequest'] = ({ headers }) => {
      for (const name of ['Accept', 'Content-Type', 'X-API-KEY', 'Idempotency-Key'])
        headers.set(name, 'mine');
    };
    const { client, requests } = observed({ onRequest }, [201], { apiKey: 'tk_test_1' });

    await settle(client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }));

    const headers = requests[0]?.headers;
    expect(headers?.get('Accept')).toBe('application/json');
    expect(headers?.get('Content-Type')).toBe('application/json');
    expect(headers?.get('X-API-KEY')).toBe('tk_test_1');
    expect(headers?.get('Idempotency-Key')).toBe('cart-17');
  });

  it('accepts no key from a hook for a client without a key, and no idempotency key for a read', async () => {
    const onRequest: Hooks['onRequest'] = ({ headers }) => {
      for (const name of ['X-API-KEY', 'Idempotency-Key']) headers.set(name, 'mine');
    };
    const { client, requests } = observed({ onRequest });

    await settle(client.games.list());

    expect(requests[0]?.headers.has('X-API-KEY')).toBe(false);
    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  it.each<[string, Hooks['onRequest']]>([
    [
      'throws',
      () => {
        throw new Error('no token');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no token'))],
    ['sets a header that cannot be sent', ({ headers }) => headers.set('X A', '1')],
  ])('ends the call before it sends anything when onRequest %s', async (_case, onRequest) => {
    const { client, requests } = observed({ onRequest });

    const error = await settle(rejection(client.orders.create(orderRequest)));

    expect(error).toMatchObject({
      name: 'TopupUsageError',
      code: 'HOOK_FAILED',
      retryable: false,
      operation: 'createOrder',
      cause: expect.any(Error),
      message: expect.stringContaining('onRequest'),
    });
    expect(requests).toHaveLength(0);
  });

  it('times out a hook that hangs, and sends nothing', async () => {
    const { client, requests } = observed({ onRequest: () => new Promise(() => {}) }, [201], {
      maxRetries: 0,
    });

    const failure = rejection(client.orders.create(orderRequest));
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await failure).toMatchObject({ name: 'TopupTimeoutError', timeout: 30_000, sent: false });
    expect(requests).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends nothing after a hook that ends after the timeout', async () => {
    const onRequest = () => new Promise<void>((resolve) => void setTimeout(resolve, 40_000));
    const { client, requests } = observed({ onRequest }, [201], { maxRetries: 0 });

    const unheard = await unheardRejections(() => settle(rejection(client.orders.create(orderRequest))));

    expect(requests).toHaveLength(0);
    expect(unheard).toEqual([]);
  });

  it('causes no unhandled rejection if a hook fails after the timeout', async () => {
    const onRequest = () =>
      new Promise<void>((_resolve, reject) => void setTimeout(() => reject(new Error('late')), 40_000));
    const { client } = observed({ onRequest }, [201], { maxRetries: 0 });

    const unheard = await unheardRejections(() => settle(rejection(client.orders.create(orderRequest))));

    expect(unheard).toEqual([]);
  });

  it('aborts a hook that hangs immediately', async () => {
    const { client, requests } = observed({ onRequest: () => new Promise(() => {}) });
    const controller = new AbortController();

    const failure = rejection(client.orders.create(orderRequest, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();

    expect(await failure).toMatchObject({ name: 'TopupAbortError', sent: false });
    expect(requests).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('onResponse', () => {
  it('calls onResponse for every response with any status, with its duration', async () => {
    const onResponse = vi.fn();
    const fetch = async () => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return Response.json(list, {
        status: onResponse.mock.calls.length === 0 ? 503 : 200,
        headers: { 'X-Request-Id': 'req-7' },
      });
    };

    await settle(createTopupClient({ baseUrl, fetch, hooks: { onResponse } }).games.list());

    expect(onResponse.mock.calls.map(([told]) => told)).toMatchObject([
      { operation: 'listGames', method: 'GET', attempt: 1, status: 503, duration: 250 },
      { operation: 'listGames', method: 'GET', attempt: 2, status: 200, duration: 250 },
    ]);
    expect(onResponse.mock.calls[1]?.[0].headers.get('X-Request-Id')).toBe('req-7');
  });

  it('includes the body in the duration', async () => {
    const onResponse = vi.fn();
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        controller.enqueue(new TextEncoder().encode('{"success":true}'));
        controller.close();
      },
    });

    const fetch = async () => new Response(body);
    await settle(createTopupClient({ baseUrl, fetch, hooks: { onResponse } }).games.list());

    expect(onResponse).toHaveBeenCalledWith(expect.objectContaining({ duration: 400 }));
  });

  it("doesn't call onResponse for an attempt without a complete response", async () => {
    const onResponse = vi.fn();
    const fetch = async () => new Response(stalledBody());
    const client = createTopupClient({ baseUrl, fetch, maxRetries: 0, hooks: { onResponse } });

    expect(await settle(rejection(client.games.list()))).toMatchObject({ code: 'TIMEOUT' });
    expect(onResponse).not.toHaveBeenCalled();
  });
});

describe('onRetry', () => {
  it('calls onRetry with the error and the delay before the delay', async () => {
    const onRetry = vi.fn();
    const { client, requests } = observed({ onRetry }, [503, 200]);

    const call = client.games.list();
    await vi.advanceTimersByTimeAsync(0);

    expect(onRetry).toHaveBeenCalledTimes(1);
    expect(requests).toHaveLength(1);
    const [{ delay, ...told }] = onRetry.mock.calls[0] ?? [{}];
    expect(told).toMatchObject({
      operation: 'listGames',
      attempt: 1,
      error: { name: 'TopupHttpError', status: 503 },
    });
    await vi.advanceTimersByTimeAsync(delay - 2);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4);
    expect(requests).toHaveLength(2);
    await call;
  });

  it("doesn't call onRetry for the last failure", async () => {
    const onRetry = vi.fn();
    const { client } = observed({ onRetry }, [503]);

    await settle(rejection(client.games.list()));

    expect(onRetry).toHaveBeenCalledTimes(2);
  });

  it("doesn't call onRetry for an order that may have been created", async () => {
    const onRetry = vi.fn();
    const { client } = observed({ onRetry }, [500]);

    await settle(rejection(client.orders.create(orderRequest)));

    expect(onRetry).not.toHaveBeenCalled();
  });
});

const failures: [string, () => Promise<void> | void][] = [
  [
    'throws',
    () => {
      throw new Error('no metrics');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no metrics'))],
];

describe.each(['onResponse', 'onRetry'] as const)('an error of %s', (name) => {
  it.each(failures)("logs the hook's error and continues the call, if it %s", async (_case, hook) => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { client, requests } = observed({ [name]: hook }, [503, 201], { logger });

    const unheard = await unheardRejections(() => settle(client.orders.create(orderRequest)));

    expect(requests).toHaveLength(2);
    expect(logger.error).toHaveBeenCalledWith('topup-sdk: a hook threw', { error: new Error('no metrics') });
    expect(unheard).toEqual([]);
  });

  it.each(failures)('continues the call without a logger, if it %s', async (_case, hook) => {
    const { client } = observed({ [name]: hook }, [503, 201]);

    const unheard = await unheardRejections(async () => {
      expect(await settle(client.orders.create(orderRequest))).toEqual(created);
    });

    expect(unheard).toEqual([]);
  });
});
