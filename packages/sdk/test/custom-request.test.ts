import type { createTopupClient, ResponseSchema } from '@topup-kit/sdk';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { networkFailure, respondingInTurn, status } from './attempts.ts';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, recording, rejection, responding, underFakeTimers } from './responses.ts';

/** A schema as zod and others make them: an object with a numeric `balance`. */
const balance: ResponseSchema<{ balance: number }> = {
  '~standard': {
    validate: (value) => {
      const { balance }: { balance?: unknown } = Object(value);
      return typeof balance === 'number'
        ? { value: { balance } }
        : { issues: [{ message: 'not a number: 0812', path: ['balance'] }] };
    },
  },
};

describe.each(entries)('client.request of %s', (_entry, create) => {
  it('sends method, path, query, body and key to the service', async () => {
    const { fetch, requests } = recording();
    const client = create({ baseUrl, apiKey: 'tk_test_1', fetch });

    await client.request('PUT', '/webhooks/7?dry=1', {
      body: { url: 'https://a.test' },
      headers: { 'X-Shop': '7' },
    });

    const [request] = requests;
    expect([request?.method, request?.url]).toEqual(['PUT', `${baseUrl}/webhooks/7?dry=1`]);
    expect(request?.headers.get('X-API-KEY')).toBe('tk_test_1');
    expect(request?.headers.get('Content-Type')).toBe('application/json');
    expect(request?.headers.get('X-Shop')).toBe('7');
    expect(await request?.json()).toEqual({ url: 'https://a.test' });
  });

  it.each<[string, unknown]>([
    ['an object', { balance: 7 }],
    ['a list', [1, 2]],
    ['null', null],
    ['a number', 7],
  ])('resolves with any JSON: %s', async (_case, body) => {
    expect(await create({ baseUrl, fetch: responding(200, body) }).request('GET', '/x')).toEqual(body);
  });

  it('resolves with undefined for an empty response', async () => {
    const client = create({ baseUrl, fetch: async () => new Response(null, { status: 204 }) });

    expect(await client.request('DELETE', '/webhooks/7')).toBeUndefined();
  });

  it('offers withResponse() and safe(), like all calls', async () => {
    const client = create({ baseUrl, fetch: responding(201, { id: 7 }, { 'X-Request-Id': 'req-7' }) });

    expect(await client.request('POST', '/x').withResponse()).toMatchObject({
      data: { id: 7 },
      attempts: 1,
      requestId: 'req-7',
    });
    expect(await client.request('POST', '/x').safe()).toEqual({ ok: true, data: { id: 7 } });
  });

  it('rejects with the same errors as other calls', async () => {
    const body = { success: false, message: 'Ditolak.', error_code: 'FORBIDDEN' };

    expect(
      await rejection(
        create({ baseUrl, fetch: responding(403, body) }).request('GET', '/balance?phone=0812'),
      ),
    ).toMatchObject({
      name: 'TopupHttpError',
      code: 'FORBIDDEN',
      operation: 'request',
      message: expect.stringMatching(/^GET \/api\/balance failed(?!.*0812)/),
    });
    const page = async () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } });
    expect(await rejection(create({ baseUrl, fetch: page }).request('GET', '/x'))).toMatchObject({
      code: 'NOT_JSON',
    });
  });

  it.each(['x', '', '//../x', '/../secret', '/a/%2e%2E/b', '/a/./b', '/a\\b', '/a b', '/a#b'])(
    "doesn't send a path outside baseUrl: %j",
    async (path) => {
      const { fetch, requests } = recording();

      expect(await rejection(create({ baseUrl, fetch }).request('GET', path))).toMatchObject({
        code: 'INVALID_REQUEST',
      });
      expect(requests).toEqual([]);
    },
  );

  it.each(['/with space', '/a\\b', '/a#b'])("names characters that a path can't have: %s", async (path) => {
    expect(await rejection(create({ baseUrl }).request('GET', path))).toMatchObject({
      message: expect.stringMatching(/no space, # or \\ \(use encodeURIComponent\)/),
    });
  });

  it('sends no other method, and no GET with a body', async () => {
    const client = create({ baseUrl });

    // @ts-expect-error no such method
    expect(await rejection(client.request('TRACE', '/x'))).toMatchObject({ code: 'INVALID_OPTION' });
    expect(await rejection(client.request('GET', '/x', { body: {} }))).toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  describe('sends again', () => {
    const attemptsOf = async (method: 'GET' | 'POST' | 'DELETE', first: () => Response) => {
      vi.useFakeTimers();
      const { fetch, requests } = respondingInTurn(first, status(200, {}, { success: true }));
      const end = await underFakeTimers(create({ baseUrl, fetch }).request(method, '/x'));
      vi.useRealTimers();
      return { attempts: requests.length, error: end.error };
    };

    it.each([status(500), status(503), status(429), networkFailure('ECONNRESET')])(
      'repeats a GET after a temporary failure (%#)',
      async (failure) => {
        expect(await attemptsOf('GET', failure)).toEqual({ attempts: 2, error: undefined });
      },
    );

    it.each([status(503), status(429)])('repeats a POST that was not handled (%#)', async (failure) => {
      expect(await attemptsOf('POST', failure)).toEqual({ attempts: 2, error: undefined });
    });

    it.each([status(500), status(502), networkFailure('ECONNRESET')])(
      'repeats neither a POST nor a DELETE that may have been handled (%#)',
      async (failure) => {
        for (const method of ['POST', 'DELETE'] as const)
          expect(await attemptsOf(method, failure)).toMatchObject({
            attempts: 1,
            error: { code: 'UNKNOWN_OUTCOME', retryable: false, operation: 'request' },
          });
      },
    );
  });

  it("doesn't rely on the service's support for order keys, because another route may ignore the key", async () => {
    const { fetch, requests } = respondingInTurn(status(500));
    const client = create({ baseUrl, fetch, idempotency: 'supported', maxRetries: 1 });

    expect(await rejection(client.request('POST', '/x', { idempotencyKey: 'cart-17' }))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      retryable: false,
      idempotencyKey: 'cart-17',
      message: expect.stringMatching(/request took effect.*cart-17/),
    });
    expect(requests).toHaveLength(1);
  });

  it("doesn't learn whether the service supports order keys", async () => {
    vi.useFakeTimers();
    const echo = (request: Request) => ({ 'Idempotency-Key': request.headers.get('Idempotency-Key') ?? '' });
    const steps = [
      (request: Request) => Response.json({ success: true }, { headers: echo(request) }),
      () => Response.json({}, { status: 500 }),
    ];
    const fetch = async (request: Request) => (steps.shift() ?? (() => Response.error()))(request);
    const client = create({ baseUrl, fetch });
    await client.request('POST', '/x');

    const { error } = await underFakeTimers(client.orders.create(orderRequest));
    vi.useRealTimers();

    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', attempts: 1 });
  });

  it('applies the time limits that apply to all calls', async () => {
    const client = create({ baseUrl, fetch: () => new Promise(() => {}) });

    expect(await rejection(client.request('GET', '/x', { timeout: 10, maxRetries: 0 }))).toMatchObject({
      code: 'TIMEOUT',
      timeout: 10,
    });
    expect(await rejection(client.request('GET', '/x', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
  });

  it("resolves with a schema's output", async () => {
    const client = create({ baseUrl, fetch: responding(200, { balance: 7, more: true }) });

    const parsed = await client.request('GET', '/balance', { schema: balance });

    expectTypeOf(parsed).toEqualTypeOf<{ balance: number }>();
    expect(parsed).toEqual({ balance: 7 });
  });

  it('rejects a response that a schema rejects, with the path and without values', async () => {
    const client = create({ baseUrl, fetch: responding(200, { balance: '0812' }) });

    expect(await rejection(client.request('POST', '/balance', { schema: balance }))).toMatchObject({
      name: 'TopupResponseError',
      code: 'INVALID_RESPONSE',
      path: '$.balance',
      attempts: 1,
      retryable: false,
      message: expect.not.stringContaining('0812'),
      cause: [{ path: ['balance'] }],
    });
  });

  it('rejects with a TopupError if the schema throws', async () => {
    const broken: ResponseSchema<string> = {
      '~standard': {
        validate: () => {
          throw new Error('async schema');
        },
      },
    };

    expect(
      await rejection(
        create({ baseUrl, fetch: responding(200, {}) }).request('GET', '/x', { schema: broken }),
      ),
    ).toMatchObject({ code: 'HOOK_FAILED', attempts: 1 });
  });
});

it('types the data as unknown, unless the caller gives a type', () => {
  const check = (_call: (client: ReturnType<typeof createTopupClient>) => unknown): void => {};
  check(async (client) => {
    expectTypeOf(await client.request('GET', '/x')).toBeUnknown();
    expectTypeOf(await client.request<{ id: number }>('GET', '/x')).toEqualTypeOf<{ id: number }>();
  });
});
