import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { answering, baseUrl, orderRequest, recording, rejection } from './answers.ts';

describe('Idempotency-Key', () => {
  it('is 128 fresh random bits for each order', async () => {
    const { fetch, requests } = recording();
    const { orders } = createTopupClient({ baseUrl, fetch });

    await orders.create(orderRequest);
    await orders.create(orderRequest);

    const keys = requests.map((request) => request.headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('is your own when you give one', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, { idempotencyKey: 'cart-17' });

    expect(requests[0]?.headers.get('Idempotency-Key')).toBe('cart-17');
  });

  it('is not sent with a read', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  it.each(['', 'two words', 'x'.repeat(256)])(
    '%j is refused before anything is sent',
    async (idempotencyKey) => {
      const { fetch, requests } = recording();

      const call = createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, { idempotencyKey });

      expect(await rejection(call)).toMatchObject({
        name: 'TopupUsageError',
        code: 'INVALID_IDEMPOTENCY_KEY',
      });
      expect(requests).toHaveLength(0);
    },
  );

  it('is on the error', async () => {
    const fetch = answering(422, { success: false, message: 'Kuota kode promo sudah habis.' });

    const call = createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, {
      idempotencyKey: 'cart-17',
    });

    expect(await rejection(call)).toMatchObject({ idempotencyKey: 'cart-17', operation: 'createOrder' });
  });
});
