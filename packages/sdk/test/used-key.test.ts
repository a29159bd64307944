import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { networkFailure, respondingInTurn, status } from './attempts.ts';
import { baseUrl, orderRequest, rejection, underFakeTimers } from './responses.ts';

/** A mock and its client. */
function shop(createClient: typeof createTopupClient) {
  const mock = createMockService();
  const { baseUrl: url, apiKey } = mock;
  return {
    mock,
    client: createClient({ baseUrl: url, apiKey, fetch: async (request) => mock.fetch(request) }),
  };
}

const idempotencyKey = 'cart-17';
const options = { idempotencyKey, idempotency: 'supported' } as const;

/** The response of a service to a key whose order is too old to be replayed. */
const used = status(
  409,
  { 'X-Error-Code': 'IDEMPOTENCY_KEY_USED', 'Idempotency-Key': idempotencyKey },
  { success: false, message: 'Sudah dipakai.', orderId: 'INV-1-ABCDEFGH' },
);

describe.each([
  ['@topup-kit/sdk', createTopupClient],
  ['@topup-kit/sdk/light', createLightClient],
])('a client of %s that sends an order again with its key', (_entry, createClient) => {
  it('returns the order for a used key for 30 days, then an error that names it', async () => {
    const { mock, client } = shop(createClient);
    const { orderId } = await client.orders.create(orderRequest, options);

    await mock.clock.advance('29d');
    expect(await client.orders.create(orderRequest, options)).toMatchObject({ orderId });

    await mock.clock.advance('2d');
    const error = await rejection(client.orders.create(orderRequest, options));
    expect(isTopupError(error, 'IDEMPOTENCY_KEY_USED') && error.orderId).toBe(orderId);
    expect(error).toMatchObject({
      name: 'TopupHttpError',
      status: 409,
      retryable: false,
      idempotencyKey,
      message: expect.stringContaining(orderId),
    });

    const lists = [await client.orders.list(), await client.orders.list({ idempotency_key: idempotencyKey })];
    for (const { data } of lists) expect(data.map(({ order_id }) => order_id)).toEqual([orderId]);
  });

  it('rejects another order with a used key', async () => {
    const { mock, client } = shop(createClient);
    await client.orders.create(orderRequest, options);
    await mock.clock.advance('31d');

    const error = await rejection(client.orders.create({ ...orderRequest, quantity: 3 }, options));

    expect(error).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', orderId: undefined });
  });

  it('returns the error even after an attempt without a response, and sends no other attempt', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch, requests } = respondingInTurn(networkFailure('ECONNRESET'), used, used);
    const client = createClient({ baseUrl, fetch });

    const { error } = await underFakeTimers(client.orders.create(orderRequest, options));

    expect(error).toMatchObject({ code: 'IDEMPOTENCY_KEY_USED', orderId: 'INV-1-ABCDEFGH', attempts: 2 });
    expect(requests).toHaveLength(2);
  });
});
