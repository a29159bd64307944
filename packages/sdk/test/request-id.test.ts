import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { silence } from './attempts.ts';
import { entries } from './entries.ts';
import { baseUrl, cutBody, orderRequest, rejection, responding, stalledBody } from './responses.ts';

const id = { 'X-Request-Id': 'req-7' };
const refusing: Fetch = () => Promise.reject(new TypeError('fetch failed'));

describe.concurrent.each(entries)('the request id of %s', (_entry, create) => {
  it.each<[string, Fetch, code: string]>([
    ['an error response', responding(404, {}, id), 'NOT_FOUND'],
    ['an unreadable response', async () => new Response('<p>', { headers: id }), 'NOT_JSON'],
    ['a response that was cut off', async () => new Response(cutBody(), { headers: id }), 'NETWORK_ERROR'],
    [
      'a response that did not end in time',
      async () => new Response(stalledBody(), { headers: id }),
      'TIMEOUT',
    ],
  ])('shows the request id on the error: %s', async (_case, fetch, code) => {
    const client = create({ baseUrl, fetch, maxRetries: 0, timeout: 20 });

    expect(await rejection(client.games.list())).toMatchObject({ code, requestId: 'req-7' });
  });

  it('shows the request id on the error of an unknown outcome, and on its cause', async () => {
    const client = create({ baseUrl, fetch: responding(500, {}, id), maxRetries: 0 });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      requestId: 'req-7',
      cause: { requestId: 'req-7' },
    });
  });

  it('shows the request id on the error of a wait', async () => {
    const client = create({ baseUrl, fetch: responding(404, {}, id) });

    expect(await rejection(client.orders.waitFor('INV-1'))).toMatchObject({
      code: 'STATUS_UNAVAILABLE',
      requestId: 'req-7',
    });
  });

  it("shows the last response's request id, even if a later attempt had none", async () => {
    const fetches = [responding(502, {}, id), refusing];
    const fetch: Fetch = (request) => (fetches.shift() ?? refusing)(request);

    const error = await rejection(create({ baseUrl, fetch, maxRetries: 1 }).games.list());

    expect(error).toMatchObject({ code: 'NETWORK_ERROR', attempts: 2, requestId: 'req-7' });
  });

  it("shows no earlier response's request id if the last response has none", async () => {
    const fetches = [responding(502, {}, id), responding(502, {})];
    const fetch: Fetch = (request) => (fetches.shift() ?? refusing)(request);

    const error = await rejection(create({ baseUrl, fetch, maxRetries: 1 }).games.list());

    expect(error).toMatchObject({ code: 'SERVER_ERROR', attempts: 2, requestId: undefined });
  });

  it('shows no request id of a response after its attempt timed out', async () => {
    const late = Promise.withResolvers<Response>();
    const answers = [late.promise, silence()];
    const fetch: Fetch = () => {
      if (answers.length === 1) late.resolve(Response.json({}, { headers: id }));
      return answers.shift() ?? silence();
    };

    const error = await rejection(create({ baseUrl, fetch, timeout: 20, maxRetries: 1 }).games.list());

    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 2, requestId: undefined });
  });

  it('has no request id without a response', async () => {
    expect(await rejection(create({ baseUrl, fetch: refusing, maxRetries: 0 }).games.list())).toHaveProperty(
      'requestId',
      undefined,
    );
  });
});

describe.each(entries)('the request id of %s', (_entry, create) => {
  const list = { success: true, games: [], populerGames: [] };

  it("shows the request id on a result, but doesn't print, compare or store it", async () => {
    const result = await create({ baseUrl, fetch: responding(200, list, id) }).games.list();

    expect(result.requestId).toBe('req-7');
    expect(Object.keys(result)).toEqual(Object.keys(list));
    expect(JSON.stringify(result)).toBe(JSON.stringify(list));
  });

  it('shows the request id on the result of an order', async () => {
    const created = { success: true, message: '', orderId: 'INV-1', data: {} };
    const order = await create({ baseUrl, fetch: responding(201, created, id) }).orders.create(orderRequest);

    expect(order).toHaveProperty('requestId', 'req-7');
    expect(order).toEqual(created);
  });

  it('shows the request id on the result of safe()', async () => {
    const result = await create({ baseUrl, fetch: responding(200, list, id) })
      .games.list()
      .safe();

    expect(result.data?.requestId).toBe('req-7');
  });

  it('returns no request id on a result if the response has no request id', async () => {
    const result = await create({ baseUrl, fetch: responding(200, list) }).games.list();

    expect(result.requestId).toBeUndefined();
  });

  it('never replaces a field of the response', async () => {
    const fetch = responding(200, { ...list, requestId: 'of-the-body' }, id);

    expect(await create({ baseUrl, fetch }).games.list()).toEqual({ ...list, requestId: 'of-the-body' });
  });
});

it('hides a request id that contains the key', async () => {
  const apiKey = 'tk_live_canary';
  const fetch = responding(404, {}, { 'X-Request-Id': `req-${apiKey}` });

  expect(await rejection(createTopupClient({ baseUrl, apiKey, fetch }).games.list())).toMatchObject({
    requestId: 'req-[apiKey]',
  });
});
