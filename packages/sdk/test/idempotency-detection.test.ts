import { createTopupClient, type TopupClient, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, respondingInTurn, status } from './attempts.ts';
import { baseUrl, cutBody, orderRequest, underFakeTimers } from './responses.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const idempotencyKey = 'cart-17';
const echo = { 'Idempotency-Key': idempotencyKey };
const made = status(201, echo, { success: true, orderId: 'INV-1-ABCDEFGH' });
const madeWithoutEcho = status(201, {}, { success: true, orderId: 'INV-1-ABCDEFGH' });
const dropped = networkFailure('ECONNRESET');

type Responses = Parameters<typeof respondingInTurn>;

function shop(answers: Responses, options: Partial<TopupClientOptions> = {}) {
  const { fetch, requests } = respondingInTurn(...answers);
  const client = createTopupClient({ baseUrl, fetch, ...options });
  return { client, requests };
}

const order = (client: TopupClient) =>
  underFakeTimers(client.orders.create(orderRequest, { idempotencyKey }));

describe('support of the idempotency key', () => {
  it('assumes no support at first', async () => {
    const { client, requests } = shop([dropped, made]);

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
    expect(requests).toHaveLength(1);
  });

  it('assumes support after a response with the key', async () => {
    const { client } = shop([made, dropped, made]);

    await order(client);

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it.each([
    ['a refusal', status(422, echo, { success: false })],
    ['a 429', status(429, echo)],
  ])('detects support from %s', async (_case, response) => {
    const { client } = shop([response, response, response, dropped, made], { maxRetries: 0 });
    await order(client);
    await order(client);
    await order(client);

    const call = client.orders.create(orderRequest, { idempotencyKey, maxRetries: 1 });

    expect(await underFakeTimers(call)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it('detects support from the unclear response itself', async () => {
    const { client } = shop([status(500, echo), made]);

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it('detects support from the headers of a truncated response', async () => {
    const { client } = shop([() => new Response(cutBody(), { status: 201, headers: echo }), made]);

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it("doesn't detect support from another call's key", async () => {
    const { client } = shop([status(500, { 'Idempotency-Key': 'cart-16' }), made]);

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
  });

  it('assumes support after any response that confirms it, such as the response to a read', async () => {
    const announced = status(200, { 'Idempotency-Supported': 'true' }, { success: true });
    const { client } = shop([announced, dropped, made], { validation: 'off' });
    await underFakeTimers(client.games.list());

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it('assumes no support from a service whose response to an order lacked the key', async () => {
    const announced = status(200, { 'Idempotency-Supported': 'true' }, { success: true });
    const { client } = shop([madeWithoutEcho, announced, dropped], { validation: 'off' });
    await order(client);
    await underFakeTimers(client.games.list());

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
  });

  it('accepts for a single order that the service supports the key', async () => {
    const { client } = shop([dropped, made, dropped]);

    const call = client.orders.create(orderRequest, { idempotencyKey, idempotency: 'supported' });

    expect(await underFakeTimers(call)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it("doesn't detect support from a read", async () => {
    const { client } = shop([status(200, echo, { success: true }), dropped, made]);

    await underFakeTimers(client.games.list());

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
  });

  it("doesn't share support with another client", async () => {
    await order(shop([made]).client);

    expect(await order(shop([dropped, made]).client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME' } });
  });

  it('stops assuming support after a response without the key', async () => {
    const { client } = shop([made, madeWithoutEcho, dropped, made]);
    await order(client);
    await order(client);

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
  });

  it.each([404, 409, 422])('stops assuming support after a %i without the key', async (code) => {
    const { client } = shop([made, status(code), dropped, made]);
    await order(client);
    await order(client);

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', retryable: false } });
  });

  it.each([0, 301, 302, 400, 401, 403, 405, 408, 413, 429, 500, 502, 503])(
    'keeps assuming support after a %i, which may be from a proxy in front of the service',
    async (code) => {
      const response = code === 0 ? () => Response.error() : status(code);
      const { client } = shop([made, response, dropped, made], { maxRetries: 0 });
      await order(client);
      await order(client);

      const call = client.orders.create(orderRequest, { idempotencyKey, maxRetries: 1 });

      expect(await underFakeTimers(call)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
    },
  );

  it('stops assuming support when another call shows otherwise during the delay', async () => {
    const { client, requests } = shop([made, status(500, { 'Retry-After': '10' }), madeWithoutEcho, made]);
    await order(client);

    const waiting = client.orders.create(orderRequest, { idempotencyKey }).safe();
    await vi.advanceTimersByTimeAsync(1_000);
    await order(client);

    expect(await underFakeTimers(waiting)).toMatchObject({ data: { error: { code: 'UNKNOWN_OUTCOME' } } });
    expect(requests).toHaveLength(3);
  });

  it("assumes support from the first order on with 'supported'", async () => {
    const { client } = shop([dropped, madeWithoutEcho, dropped, madeWithoutEcho], {
      idempotency: 'supported',
    });
    await order(client);

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });

  it('rejects other values for idempotency', () => {
    // Safe: a caller without types can pass this value.
    const idempotency = 'yes' as 'supported';

    expect(() => createTopupClient({ baseUrl, idempotency })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });
});

describe('an unclear outcome', () => {
  const supported = { idempotency: 'supported' } as const;

  it.each([
    ['503', status(503, echo), 'UNAVAILABLE'],
    ['429', status(429, echo), 'RATE_LIMITED'],
    ['401', status(401, echo), 'UNAUTHORIZED'],
    ['413', status(413, echo), 'HTTP_ERROR'],
    ['a refused connection', networkFailure('ECONNREFUSED'), 'NETWORK_ERROR'],
    ['a 409 that may mean: in flight', status(409, echo), 'HTTP_ERROR'],
  ])('leaves the outcome unknown after %s', async (_case, later, code) => {
    const { client } = shop([dropped, later], supported);

    expect(await order(client)).toMatchObject({
      error: { code: 'UNKNOWN_OUTCOME', retryable: true, idempotencyKey, cause: { code } },
    });
  });

  it('leaves the outcome unknown after a hook that throws before the next attempt', async () => {
    const onRequest = vi.fn().mockImplementationOnce(() => {});
    onRequest.mockImplementationOnce(() => {
      throw new Error('a bug');
    });
    const { client } = shop([dropped, made], { ...supported, hooks: { onRequest } });

    expect(await order(client)).toMatchObject({
      error: { code: 'UNKNOWN_OUTCOME', attempts: 1, cause: { code: 'HOOK_FAILED', idempotencyKey } },
    });
  });

  it('leaves the outcome unknown after an abort', async () => {
    const controller = new AbortController();
    const { client } = shop([dropped, made], supported);
    const call = client.orders.create(orderRequest, { idempotencyKey, signal: controller.signal }).safe();

    await vi.advanceTimersByTimeAsync(1);
    controller.abort();

    expect(await underFakeTimers(call)).toMatchObject({
      data: { error: { code: 'UNKNOWN_OUTCOME', attempts: 1, cause: { code: 'ABORTED', sent: true } } },
    });
  });

  it.each([
    ['422', status(422, echo, { success: false }), 'REJECTED'],
    ['404', status(404, echo), 'NOT_FOUND'],
    [
      'a key of another order',
      status(409, { 'X-Error-Code': 'IDEMPOTENCY_CONFLICT', ...echo }),
      'IDEMPOTENCY_CONFLICT',
    ],
  ])('decides the outcome from %s', async (_case, later, code) => {
    const { client } = shop([dropped, later], supported);

    expect(await order(client)).toMatchObject({ error: { code, attempts: 2 } });
  });

  it.each([404, 422])(
    "doesn't decide the outcome from a %i without the key, even if the key is supported",
    async (code) => {
      const { client } = shop([dropped, status(code)], supported);

      expect(await order(client)).toMatchObject({
        error: { code: 'UNKNOWN_OUTCOME', cause: { status: code } },
      });
    },
  );

  it("doesn't decide the outcome from a 404 of a proxy in front of the service", async () => {
    const { client } = shop([made, dropped, status(404)]);
    await order(client);

    expect(await order(client)).toMatchObject({ error: { code: 'UNKNOWN_OUTCOME', cause: { status: 404 } } });
  });

  it('decides the outcome from a response that confirms the order, even if the response is invalid', async () => {
    const { client } = shop([dropped, made], { ...supported, validation: 'strict' });

    expect(await order(client)).toMatchObject({ error: { code: 'INVALID_RESPONSE' } });
  });
});

describe('an order still in flight', () => {
  const inFlight = status(409, { ...echo, 'X-Error-Code': 'IDEMPOTENCY_IN_FLIGHT', 'Retry-After': '1' });

  it('retries an order that is still in flight until it is complete', async () => {
    const { fetch, moments } = respondingInTurn(inFlight, inFlight, made);

    const { data } = await order(createTopupClient({ baseUrl, fetch }));

    expect(data).toMatchObject({ orderId: 'INV-1-ABCDEFGH' });
    expect(moments()).toEqual([0, 1_000, 2_000]);
  });

  it('leaves the outcome unknown if the order stays in flight', async () => {
    const { client } = shop([inFlight]);

    expect(await order(client)).toMatchObject({
      error: { code: 'UNKNOWN_OUTCOME', retryable: true, cause: { code: 'IDEMPOTENCY_IN_FLIGHT' } },
    });
  });
});

describe.each(['PAYMENT_FAILED', 'SAVE_FAILED'])('a service that responds with %s', (code) => {
  it('reports that nothing was created if the service honours the key', async () => {
    const { client, requests } = shop([status(500, { 'X-Error-Code': code, ...echo })]);

    expect(await order(client)).toMatchObject({ error: { name: 'TopupHttpError', code, retryable: true } });
    expect(requests).toHaveLength(3);
  });

  it('distrusts a response without the key', async () => {
    const { client } = shop([status(500, { 'X-Error-Code': code })], { idempotency: 'supported' });

    expect(await order(client)).toMatchObject({
      error: { code: 'UNKNOWN_OUTCOME', retryable: true, cause: { code } },
    });
  });

  it("doesn't repeat the order if the service ignores the key", async () => {
    const { client, requests } = shop([status(500, { 'X-Error-Code': code }), made]);

    expect(await order(client)).toMatchObject({
      error: { code: 'UNKNOWN_OUTCOME', retryable: false, cause: { code } },
    });
    expect(requests).toHaveLength(1);
  });

  it('retries if the service honours the key', async () => {
    const { client } = shop([status(500, { 'X-Error-Code': code, ...echo }), made]);

    expect(await order(client)).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' } });
  });
});
