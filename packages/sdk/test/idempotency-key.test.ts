import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { baseUrl, made, orderRequest, recording, rejection, responding } from './responses.ts';

describe('Idempotency-Key', () => {
  it('creates 128 fresh random bits for each order', async () => {
    const { fetch, requests } = recording();
    const { orders } = createTopupClient({ baseUrl, fetch });

    await orders.create(orderRequest);
    await orders.create(orderRequest);

    const keys = requests.map((request) => request.headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('writes two digits for each byte, even for a small byte', async () => {
    const { fetch, requests } = recording();
    using _zeros = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => bytes);

    await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest);

    expect(requests[0]?.headers.get('Idempotency-Key')).toBe('0'.repeat(32));
  });

  it.each([
    ['a usual key', 'cart-17'],
    ['the shortest key', '!'],
    ['the longest key', '~'.repeat(255)],
  ])("uses the caller's key: %s", async (_case, idempotencyKey) => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, { idempotencyKey });

    expect(requests[0]?.headers.get('Idempotency-Key')).toBe(idempotencyKey);
  });

  it('sends no key with a read', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  it.each(['', 'two words', 'x'.repeat(256), 17, null])(
    'rejects %j as a key before anything is sent',
    async (given) => {
      const idempotencyKey = given as string; // Safe: a caller without types can pass this value.
      const { fetch, requests } = recording();

      const call = createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, { idempotencyKey });

      expect(await rejection(call)).toMatchObject({
        name: 'TopupUsageError',
        code: 'INVALID_IDEMPOTENCY_KEY',
      });
      expect(requests).toHaveLength(0);
    },
  );

  it.each([
    ['a refusal', responding(422, { success: false, message: 'Kuota kode promo sudah habis.' })],
    ['an exhausted rate limit', responding(429, {})],
    ['an unknown outcome', responding(500, {})],
    ['no network', async () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))],
  ])('shows the key on the error: %s', async (_case, fetch) => {
    const call = createTopupClient({ baseUrl, fetch, maxRetries: 0 }).orders.create(orderRequest, {
      idempotencyKey: 'cart-17',
    });

    expect(await rejection(call)).toMatchObject({ idempotencyKey: 'cart-17', operation: 'createOrder' });
  });

  it('shows the key on the error of a hook that threw', async () => {
    const onRequest = (): never => {
      throw new Error('a bug');
    };
    const { fetch } = recording();

    const call = createTopupClient({ baseUrl, fetch, hooks: { onRequest } }).orders.create(orderRequest, {
      idempotencyKey: 'cart-17',
    });

    expect(await rejection(call)).toMatchObject({ code: 'HOOK_FAILED', idempotencyKey: 'cart-17' });
  });

  it('shows the key on the result, which otherwise equals the JSON', async () => {
    const { fetch } = recording();

    const result = await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, {
      idempotencyKey: 'cart-17',
    });

    expect(result.idempotencyKey).toBe('cart-17');
    expect(JSON.stringify(result)).toBe(JSON.stringify(made));
  });
});
