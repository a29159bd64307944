import { createTopupClient, type RequestOptions } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, orderRequest, recording, rejection } from './responses.ts';

/** The headers of a sent request, for the given headers of the client and of the call. */
async function sent(
  ofClient: RequestOptions['headers'],
  ofCall?: RequestOptions['headers'],
): Promise<Headers> {
  const { fetch, requests } = recording();
  await createTopupClient({ baseUrl, fetch, headers: ofClient }).games.list({ headers: ofCall });
  return requests[0]?.headers ?? new Headers();
}

describe('custom headers', () => {
  it("sends the client's headers with every call", async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch, headers: { 'X-Shop': '7' } });

    await client.games.list();
    await client.orders.create(orderRequest);

    expect(requests.map(({ headers }) => headers.get('X-Shop'))).toEqual(['7', '7']);
  });

  it("sends a call's headers only with this call", async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    await client.games.list({ headers: { 'X-Shop': '7' } });
    await client.games.list();

    expect(requests.map(({ headers }) => headers.get('X-Shop'))).toEqual(['7', null]);
  });

  it("sends a call's headers together with the client's headers", async () => {
    const headers = await sent({ 'X-Shop': '7' }, { 'X-Cart': '17' });

    expect([headers.get('X-Shop'), headers.get('X-Cart')]).toEqual(['7', '17']);
  });

  it.each([
    ['X-Shop', 'X-Shop'],
    ['X-Shop', 'x-shop'],
    ['accept-language', 'Accept-Language'],
  ])("prefers a call's headers to the client's headers: %s, %s", async (ofClient, ofCall) => {
    expect((await sent({ [ofClient]: 'client' }, { [ofCall]: 'call' })).get(ofClient)).toBe('call');
  });

  it('accepts another User-Agent', async () => {
    expect((await sent({ 'user-agent': 'shop/2' })).get('User-Agent')).toBe('shop/2');
  });

  it.each(['client', 'call'])(
    "never replaces the SDK's headers with the headers of the %s",
    async (where) => {
      const { fetch, requests } = recording();
      const headers = Object.fromEntries(
        ['accept', 'content-type', 'idempotency-key'].map((name) => [name, 'mine']),
      );
      const apiKey = 'tk_test_1';
      const client = createTopupClient({
        baseUrl,
        fetch,
        apiKey,
        headers: where === 'client' ? headers : {},
      });

      await client.orders.create(orderRequest, {
        idempotencyKey: 'cart-17',
        headers: where === 'call' ? headers : {},
      });

      const left = requests[0]?.headers;
      expect(left?.get('Accept')).toBe('application/json');
      expect(left?.get('Content-Type')).toBe('application/json');
      expect(left?.get('X-API-KEY')).toBe('tk_test_1');
      expect(left?.get('Idempotency-Key')).toBe('cart-17');
    },
  );

  it('accepts no idempotency key or content type if the client sends none', async () => {
    const headers = await sent({ 'Idempotency-Key': 'mine', 'Content-Type': 'text/plain' });

    for (const name of ['Idempotency-Key', 'Content-Type']) expect(headers.has(name)).toBe(false);
  });

  it.each([
    ['of a call', { 'X-API-KEY': 'tk_live_canary' }],
    ['of a call, in lower case', { 'x-api-key': 'tk_live_canary' }],
    ['of a call, as Headers', new Headers({ 'X-API-KEY': 'tk_live_canary' })],
  ])('rejects %s with an API key, and sends nothing', async (_case, headers) => {
    const { fetch, requests } = recording();

    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list({ headers }));

    expect(error).toMatchObject({
      name: 'TopupUsageError',
      code: 'INVALID_HEADER',
      operation: 'listGames',
      message: expect.stringMatching(/^(?!.*canary).*X-API-KEY.*apiKey/),
    });
    expect(requests).toHaveLength(0);
  });

  it('rejects headers that contain an API key when a client is created', () => {
    expect(() => createTopupClient({ baseUrl, headers: { 'X-API-KEY': 'tk_live_canary' } })).toThrow(
      expect.objectContaining({ name: 'TopupUsageError', code: 'INVALID_HEADER' }),
    );
  });

  it.each<[string, Record<string, string>]>([
    ['a name with a space', { 'X A': '1' }],
    ['a line break in a value', { 'X-A': '1\r\nX-B: 2' }],
    ["a character that headers can't contain", { 'X-A': '→' }],
  ])('rejects invalid headers, and sends nothing: %s', async (_case, headers) => {
    const { fetch, requests } = recording();

    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list({ headers }));

    expect(error).toMatchObject({ name: 'TopupUsageError', code: 'INVALID_HEADER' });
    expect(requests).toHaveLength(0);
  });

  it("rejects a client's invalid headers when the client is created", () => {
    expect(() => createTopupClient({ baseUrl, headers: { 'X A': '1' } })).toThrow(
      expect.objectContaining({ name: 'TopupUsageError', code: 'INVALID_HEADER' }),
    );
  });

  it('accepts a Headers object for a client and for a call', async () => {
    const ofClient = new Headers({ 'X-Shop': '7', 'X-Cart': '1' });
    const headers = await sent(ofClient, new Headers({ 'X-Cart': '17' }));

    expect([headers.get('X-Shop'), headers.get('X-Cart')]).toEqual(['7', '17']);
  });

  it('copies the headers when a client is created', async () => {
    const mine = { 'X-Shop': '7' };
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch, headers: mine });

    mine['X-Shop'] = '8';
    await client.games.list();

    expect(requests[0]?.headers.get('X-Shop')).toBe('7');
  });

  it("doesn't change the client's headers in a call", async () => {
    const mine = Object.freeze({ 'X-Shop': '7' });

    expect((await sent(mine, mine)).get('X-Shop')).toBe('7');
  });
});
