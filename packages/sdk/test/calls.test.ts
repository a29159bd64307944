import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { baseUrl, orderRequest, recording, rejection, responding } from './responses.ts';
import { unheardRejections } from './status-service.ts';

afterEach(() => void vi.useRealTimers());

const list = { success: true, games: [], populerGames: [] };
const created = { success: true, message: 'Pesanan berhasil dibuat.', orderId: 'INV-1', data: {} };

/** A fetch that responds to the first requests with these statuses, and to later ones with the list. */
function afterStatuses(...statuses: number[]): Fetch {
  return async () => {
    const status = statuses.shift();
    return status === undefined ? Response.json(list) : Response.json({}, { status });
  };
}

describe('withResponse()', () => {
  it('returns the JSON with status, headers and request id', async () => {
    const fetch = responding(200, list, { 'X-Request-Id': 'req-7', 'X-Served-By': 'a' });

    const { data, response, requestId } = await createTopupClient({ baseUrl, fetch })
      .games.list()
      .withResponse();

    expect(data).toEqual(list);
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Served-By')).toBe('a');
    expect(requestId).toBe('req-7');
  });

  it('returns no request id if the service sends none', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(200, list) });

    expect((await client.games.list().withResponse()).requestId).toBeUndefined();
  });

  it('returns the number of attempts', async () => {
    vi.useFakeTimers();
    const client = createTopupClient({ baseUrl, fetch: afterStatuses(503, 503) });

    const exchange = client.games.list().withResponse();
    await vi.advanceTimersByTimeAsync(10_000);

    expect((await exchange).attempts).toBe(3);
  });

  it('returns one attempt if the first succeeds', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(200, list) });

    expect((await client.games.list().withResponse()).attempts).toBe(1);
  });

  it('returns the idempotency key of an order, but no key of a read', async () => {
    const order = createTopupClient({ baseUrl, fetch: responding(201, created) });
    const read = createTopupClient({ baseUrl, fetch: responding(200, list) });

    const options = { idempotencyKey: 'cart-17' };
    const exchange = await order.orders.create(orderRequest, options).withResponse();

    expect(exchange.idempotencyKey).toBe('cart-17');
    expect(exchange.data.idempotencyKey).toBe('cart-17');
    expect((await read.games.list().withResponse()).idempotencyKey).toBeUndefined();
  });

  it('rejects with the error of the call', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(401, {}) });

    expect(await rejection(client.games.list().withResponse())).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('sends no second request for withResponse()', async () => {
    const { fetch, requests } = recording();

    const call = createTopupClient({ baseUrl, fetch }).games.list();
    await Promise.all([call, call.withResponse(), call.withResponse(), call.safe(), call.safe()]);

    expect(requests).toHaveLength(1);
  });
});

describe('asResponse()', () => {
  it('returns the response with its status, URL, headers and a body that can be read', async () => {
    const fetch: Fetch = async ({ url }) =>
      Object.defineProperty(
        new Response(' {"success":true,"games":[],"populerGames":[]} ', {
          status: 203,
          statusText: 'Cached',
          headers: { 'X-Served-By': 'a' },
        }),
        'url',
        { value: url },
      );

    const response = await createTopupClient({ baseUrl, fetch }).games.list().asResponse();

    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 203, statusText: 'Cached', url: `${baseUrl}/games` });
    expect(response.headers.get('X-Served-By')).toBe('a');
    expect(response.bodyUsed).toBe(false);
    expect(await response.text()).toBe(' {"success":true,"games":[],"populerGames":[]} ');
  });

  it('returns a body to each caller of asResponse(), even after the result was read', async () => {
    const { fetch, requests } = recording();
    const call = createTopupClient({ baseUrl, fetch }).games.list();
    await call;

    const responses = await Promise.all([call.asResponse(), call.asResponse()]);

    const [first, second] = await Promise.all(responses.map((response) => response.json()));
    expect(first).toEqual(second);
    expect(first).toEqual(await call);
    expect(requests).toHaveLength(1);
  });

  it('returns a response without a body', async () => {
    const fetch: Fetch = async () => new Response(null, { status: 204 });

    const response = await createTopupClient({ baseUrl, fetch }).request('DELETE', '/x').asResponse();

    expect(response).toMatchObject({ status: 204, body: null });
  });

  it('rejects with the error of the call', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(401, {}) });

    expect(await rejection(client.games.list().asResponse())).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('adds nothing to the result of withResponse()', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(200, list) });

    expect(Object.keys(await client.games.list().withResponse()).sort()).toEqual([
      'attempts',
      'data',
      'idempotencyKey',
      'requestId',
      'response',
    ]);
  });
});

describe('safe()', () => {
  it('returns the JSON as a value', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(200, list) });

    expect(await client.games.list().safe()).toEqual({ ok: true, data: list });
  });

  it('returns as a value the same error that is thrown otherwise', async () => {
    const call = createTopupClient({ baseUrl, fetch: responding(401, {}) }).games.list();

    const result = await call.safe();

    expect(result).toMatchObject({ ok: false, error: { name: 'TopupHttpError', code: 'UNAUTHORIZED' } });
    expect(result.error).toBe(await rejection(call));
  });

  it('returns usage errors as a value', async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    const results = await Promise.all([
      client.games.get('').safe(),
      client.games.list({ timeout: 0 }).safe(),
      client.games.list({ headers: { 'X A': '1' } }).safe(),
      client.orders.create(orderRequest, { idempotencyKey: '' }).safe(),
    ]);

    expect(results.map(({ error }) => error?.code)).toEqual([
      'INVALID_PATH_PARAMETER',
      'INVALID_OPTION',
      'INVALID_HEADER',
      'INVALID_IDEMPOTENCY_KEY',
    ]);
    expect(requests).toHaveLength(0);
  });
});

describe('rejections are never unhandled', () => {
  const failing = () => createTopupClient({ baseUrl, fetch: responding(401, {}) }).games.list();

  it.each<[string, () => Promise<unknown>]>([
    ['of the call alone', () => rejection(failing())],
    ['of withResponse() alone', () => rejection(failing().withResponse())],
    ['of asResponse() alone', () => rejection(failing().asResponse())],
    ['of safe() alone', () => failing().safe()],
    ['of an order by safe() alone', () => createFailing().safe()],
    ['of an order by withResponse() alone', () => rejection(createFailing().withResponse())],
    [
      'of a call whose methods are all used',
      () => {
        const call = failing();
        return Promise.all([
          rejection(call),
          rejection(call.withResponse()),
          rejection(call.asResponse()),
          call.safe(),
        ]);
      },
    ],
  ])('leaves no unhandled rejection %s', async (_case, use) => {
    expect(await unheardRejections(use)).toEqual([]);
  });

  const createFailing = () =>
    createTopupClient({ baseUrl, fetch: responding(422, {}) }).orders.create(orderRequest);
});

describe('the idempotency key of an order', () => {
  it("shows the caller's idempotency key on the result", async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(201, created) });

    const order = await client.orders.create(orderRequest, { idempotencyKey: 'cart-17' });

    expect(order.idempotencyKey).toBe('cart-17');
  });

  it('shows the generated idempotency key on the result', async () => {
    let sent: string | null = null;
    const fetch: Fetch = async ({ headers }) => {
      sent = headers.get('Idempotency-Key');
      return Response.json(created, { status: 201 });
    };

    const order = await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest);

    expect(order.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect(order.idempotencyKey).toBe(sent);
  });

  it('neither prints, compares nor stores the key', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(201, created) });

    const order = await client.orders.create(orderRequest);

    expect(order).toEqual(created);
    expect(JSON.parse(JSON.stringify(order))).toEqual(created);
    expect(Object.keys({ ...order })).toEqual(Object.keys(created));
  });

  it('shows the key on the result of safe()', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(201, created) });

    const { data } = await client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }).safe();

    expect(data?.idempotencyKey).toBe('cart-17');
  });

  it.each([
    ['refused', 422, 'TopupHttpError'],
    ['of unknown outcome', 500, 'TopupUnknownOutcomeError'],
  ])('shows the key on the error of an order that was %s', async (_case, status, name) => {
    const client = createTopupClient({ baseUrl, fetch: responding(status, {}) });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }));

    expect(error).toMatchObject({ name, idempotencyKey: 'cart-17' });
  });
});
