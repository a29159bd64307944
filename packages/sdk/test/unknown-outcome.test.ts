import { inspect } from 'node:util';
import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  cutBody,
  orderRequest,
  recording,
  rejection,
  responding,
  stalledBody,
} from './responses.ts';

const idempotencyKey = 'cart-17';
const ambiguous: [string, Fetch, cause: object][] = [
  ['500', responding(500, { success: false, message: 'Gagal menyimpan pesanan.' }), { status: 500 }],
  ['502', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), { status: 502 }],
  [
    'a dropped connection',
    async () => Promise.reject(new TypeError('fetch failed')),
    { code: 'NETWORK_ERROR' },
  ],
  [
    'a connection cut in the body',
    async () => new Response(cutBody(), { status: 201 }),
    { code: 'NETWORK_ERROR' },
  ],
  ['a time-out', async () => new Response(stalledBody(), { status: 201 }), { code: 'TIMEOUT' }],
  [
    'a body that ends early',
    async () => new Response('{"success":tr', { status: 201 }),
    { code: 'NOT_JSON' },
  ],
  ['a body that is a page', async () => new Response('<!doctype html>'), { code: 'NOT_JSON' }],
  ['no body', async () => new Response(null, { status: 201 }), { code: 'EMPTY_BODY' }],
];

describe('an order whose outcome is unknown', () => {
  it.each(ambiguous)('contains the cause of %s in the error', async (_case, fetch, cause) => {
    const client = createTopupClient({ baseUrl, fetch, timeout: 20 });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey }));

    expect(error).toMatchObject({
      name: 'TopupUnknownOutcomeError',
      code: 'UNKNOWN_OUTCOME',
      operation: 'createOrder',
      attempts: 1,
      idempotencyKey,
      cause: { name: expect.stringMatching(/^Topup/), ...cause },
    });
  });

  it('advises the caller to look for the order if the service may ignore the key', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(500, {}), maxRetries: 0 });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey }));

    expect(error).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/unknown.*Check first.*cart-17/),
    });
  });

  it('advises the caller to repeat the call with the key if the service honours it', async () => {
    const fetch = responding(500, {}, { 'Idempotency-Key': idempotencyKey });
    const client = createTopupClient({ baseUrl, fetch, maxRetries: 0 });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey }));

    expect(error).toMatchObject({
      retryable: true,
      message: expect.stringMatching(/unknown.*again.*cart-17/),
    });
  });

  it('contains the generated key', async () => {
    const sent: (string | null)[] = [];
    const fetch: Fetch = async (request) => {
      sent.push(request.headers.get('Idempotency-Key'));
      return new Response(null, { status: 500 });
    };

    const error = await rejection(createTopupClient({ baseUrl, fetch }).orders.create(orderRequest));

    expect(error).toMatchObject({
      idempotencyKey: sent[0],
      message: expect.stringContaining(sent[0] ?? '?'),
    });
  });

  it('shows the cause in JSON and in a terminal', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(500, {}, { 'X-Request-Id': 'req-7' }) });

    const error = await rejection(client.orders.create(orderRequest));

    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ cause: { status: 500, requestId: 'req-7' } });
    expect(inspect(error)).toContain("requestId: 'req-7'");
  });

  it('contains an abort during the request as the cause', async () => {
    const controller = new AbortController();
    const fetch: Fetch = async () => {
      controller.abort();
      return Promise.reject(controller.signal.reason);
    };

    const call = createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, {
      signal: controller.signal,
    });

    expect(await rejection(call)).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      cause: { code: 'ABORTED', sent: true },
    });
  });
});

describe('the outcome is known', () => {
  it('reports that no order exists after an abort between two attempts that created nothing', async () => {
    const controller = new AbortController();
    const fetch = responding(503, {}, { 'Retry-After': '1' });
    const hooks = { onRetry: () => void setTimeout(() => controller.abort(), 10) };
    const client = createTopupClient({ baseUrl, fetch, hooks });

    expect(await rejection(client.orders.create(orderRequest, { signal: controller.signal }))).toMatchObject({
      code: 'ABORTED',
      attempts: 1,
      sent: true,
    });
  });

  it('reports that nothing was sent after an abort before the start', async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    const error = await rejection(client.orders.create(orderRequest, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({
      code: 'ABORTED',
      attempts: 0,
      idempotencyKey: expect.any(String),
      message: expect.stringContaining('Nothing was sent.'),
    });
    expect(requests).toHaveLength(0);
  });

  it.each([400, 401, 404, 413, 422, 429, 503])(
    'reports a known outcome after an error response: %i',
    async (status) => {
      const client = createTopupClient({ baseUrl, fetch: responding(status, {}), maxRetries: 0 });

      expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
        name: 'TopupHttpError',
        status,
      });
    },
  );

  it('reports a known outcome after a 200 with success: false', async () => {
    const fetch = responding(200, { success: false, message: 'Gagal.' });

    const error = await rejection(createTopupClient({ baseUrl, fetch }).orders.create(orderRequest));

    expect(error).toMatchObject({ name: 'TopupHttpError', code: 'REJECTED' });
  });

  it('reports that the order was created if strict validation rejects the response', async () => {
    const fetch = responding(201, { success: true, orderId: 'INV-17', data: 17 });
    const client = createTopupClient({ baseUrl, fetch, validation: 'strict' });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'INVALID_RESPONSE',
      message: expect.stringContaining('The order was created'),
      body: { orderId: 'INV-17', data: 17 },
    });
  });

  it('reports that nothing was sent after a hook that threw before the first attempt', async () => {
    const { fetch, requests } = recording();
    const onRequest = (): never => {
      throw new Error('a bug');
    };

    const error = await rejection(
      createTopupClient({ baseUrl, fetch, hooks: { onRequest } }).orders.create(orderRequest),
    );

    expect(error).toMatchObject({
      code: 'HOOK_FAILED',
      message: expect.stringContaining('Nothing was sent.'),
    });
    expect(requests).toHaveLength(0);
  });

  it('reports a known outcome for a read, which creates nothing', async () => {
    const error = await rejection(
      createTopupClient({ baseUrl, fetch: responding(500, {}), maxRetries: 0 }).games.list(),
    );

    expect(error).toMatchObject({ name: 'TopupHttpError', retryable: true, idempotencyKey: undefined });
  });
});
