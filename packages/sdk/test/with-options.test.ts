import { createTopupClient, type TopupClient } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, made, orderRequest, recording, rejection } from './responses.ts';

describe.each(entries)('client.withOptions of %s', (_entry, create) => {
  it('changes the given options, and keeps the others', async () => {
    const { fetch, requests } = recording();
    const client = create({ baseUrl, fetch, apiKey: 'tk_test_first' });

    await client.withOptions({ apiKey: 'tk_test_second' }).games.list();
    await client.games.list();

    expect(requests.map(({ url, headers }) => [url, headers.get('X-API-KEY')])).toEqual([
      [`${baseUrl}/games`, 'tk_test_second'],
      [`${baseUrl}/games`, 'tk_test_first'],
    ]);
  });

  it("sends the headers of withOptions together with the client's headers", async () => {
    const { fetch, requests } = recording();
    const headers = { 'X-Shop': 'a', 'Accept-Language': 'id', 'User-Agent': 'shop/1' };
    const client = create({ baseUrl, fetch, headers });

    await client.withOptions({ headers: { 'Accept-Language': 'en' } }).games.list();
    await client.games.list();

    const sent = requests.map(({ headers: all }) => Object.keys(headers).map((name) => all.get(name)));
    expect(sent).toEqual([
      ['a', 'en', 'shop/1'],
      ['a', 'id', 'shop/1'],
    ]);
  });

  it('derives a client from a client that withOptions created', async () => {
    const { fetch, requests } = recording();
    const client = create({ baseUrl, fetch }).withOptions({ headers: { 'X-Shop': 'a' } });

    await client.withOptions({ headers: { 'X-Till': '7' } }).games.list();

    expect([requests[0]?.headers.get('X-Shop'), requests[0]?.headers.get('X-Till')]).toEqual(['a', '7']);
  });

  it('rejects an unknown option', () => {
    const client = create({ baseUrl });

    expect(() => client.withOptions({ timeout: 1, ...{ maxRetires: 1 } })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining('maxRetries') }),
    );
  });
});

/** A service that honours keys, and loses the connection of the first order. */
function losing() {
  let orders = 0;
  return vi.fn(async (request: Request) => {
    const headers = { 'Idempotency-Supported': 'true' };
    if (request.method === 'POST') orders += 1;
    if (request.method === 'POST' && orders === 1) throw new TypeError('terminated');
    return Response.json({ ...made, games: [], populerGames: [] }, { headers });
  });
}

const order = (client: TopupClient) => client.orders.create(orderRequest);

it('keeps the knowledge that the service honours keys in a client with other options', async () => {
  const client = createTopupClient({ baseUrl, fetch: losing(), validation: 'off' });
  await client.games.list();

  await expect(order(client.withOptions({ timeout: 5_000 }))).resolves.toMatchObject(made);
});

it('forgets whether keys are honoured if a client gets another fetch', async () => {
  const client = createTopupClient({ baseUrl, fetch: losing(), validation: 'off' });
  await client.games.list();

  const other = client.withOptions({ fetch: losing() });

  expect(await rejection(order(other))).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
});

it('forgets whether keys are honoured if a client gets another service', async () => {
  const client = createTopupClient({ baseUrl, fetch: losing(), validation: 'off' });
  await client.games.list();

  const other = client.withOptions({ baseUrl: 'http://other.test/api' });

  expect(await rejection(order(other))).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
});

it('changes the option validation', async () => {
  const { fetch } = recording();
  const client = createTopupClient({ baseUrl, fetch, validation: 'off' });

  await expect(client.games.list()).resolves.toMatchObject(made);
  expect(await rejection(client.withOptions({ validation: 'strict' }).games.list())).toMatchObject({
    code: 'INVALID_RESPONSE',
  });
});
