import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { answering, baseUrl, cutBody, orderRequest, recording, rejection, stalledBody } from './answers.ts';

const ambiguous: [string, Fetch][] = [
  ['500', answering(500, { success: false, message: 'Gagal menyimpan pesanan.' })],
  ['502', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  ['no connection', async () => Promise.reject(new TypeError('fetch failed'))],
  ['a connection cut in the body', async () => new Response(cutBody(), { status: 201 })],
  ['a time-out', async () => new Response(stalledBody(), { status: 201 })],
  ['a body that ends early', async () => new Response('{"success":tr', { status: 201 })],
];

describe('an order whose outcome is unknown', () => {
  it.each(ambiguous)('%s: the message says so and names the key', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, fetch, timeout: 20 });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }));

    expect(error).toMatchObject({
      message: expect.stringMatching(/Whether the order was made is unknown.*'cart-17'.*invoice/),
    });
  });

  it('an abort under way: the message says so', async () => {
    const controller = new AbortController();
    const fetch: Fetch = async () => {
      controller.abort();
      return Promise.reject(controller.signal.reason);
    };

    const call = createTopupClient({ baseUrl, fetch }).orders.create(orderRequest, {
      signal: controller.signal,
    });

    expect(await rejection(call)).toMatchObject({ message: expect.stringContaining('is unknown') });
  });

  it('an abort before the start: the message says that nothing was sent', async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    const error = await rejection(client.orders.create(orderRequest, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ code: 'ABORTED', message: expect.stringContaining('Nothing was sent.') });
    expect(requests).toHaveLength(0);
  });

  it('a refusal is not one', async () => {
    const fetch = answering(422, { success: false, message: 'Kode promo tidak ditemukan.' });

    const error = await rejection(createTopupClient({ baseUrl, fetch }).orders.create(orderRequest));

    expect(error).toMatchObject({ message: expect.not.stringContaining('unknown') });
  });

  it('a failed read is not one', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: answering(500, {}) }).games.list());

    expect(error).toMatchObject({ message: expect.stringContaining('safe to call again') });
  });
});
