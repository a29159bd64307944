import type { GetPaymentStatusResponse } from '@topup-kit/core/contract';
import type { SetupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const { ask, post } = shopOf(mock, (url, init) => fetch(url, init));
let server: SetupServer;
beforeAll(async () => {
  server = await mock.server();
  server.listen({ onUnhandledFrame: 'error' });
});
beforeEach(() => mock.reset());
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const paid: GetPaymentStatusResponse = {
  success: true,
  data: { order_id: 'INV-1', payment_status: 'PAID', buy_status: 'Sukses', expired_time: 1 },
};

it('replaces the response of an operation with a body, until the handlers are reset', async () => {
  server.use(mock.override('getPaymentStatus', paid));
  expect(await (await ask('/invoice/INV-1/payment-status')).json()).toEqual(paid);
  server.resetHandlers();
  expect((await ask('/invoice/INV-1/payment-status')).status).toBe(404);
});

it('responds with the result of a function that gets the request', async () => {
  server.use(
    mock.override('getPaymentStatus', (request) => {
      const [, orderId = ''] = /invoice\/([^/]+)/.exec(request.url) ?? [];
      return { ...paid, data: { ...paid.data, order_id: orderId } };
    }),
  );
  const { data } = await (await ask('/invoice/INV-7/payment-status')).json();
  expect(data.order_id).toBe('INV-7');
});

it('responds with an error like the service', async () => {
  server.use(mock.override('createOrder', { status: 422, code: 'PROMO_MINIMUM' }));
  const response = await post();
  expect(response.status).toBe(422);
  expect(response.headers.get('X-Error-Code')).toBe('PROMO_MINIMUM');
  expect(await response.json()).toEqual({
    success: false,
    message: 'Minimal pembelian Rp 50.000 tidak terpenuhi.',
  });
});

it('responds with the fields of a validation failure', async () => {
  server.use(mock.override('createOrder', { code: 'VALIDATION_ERROR' }));
  expect(await (await post()).json()).toMatchObject({ errors: { id: ['The id field is required.'] } });
});

it('fills in all placeholders of an error', async () => {
  for (const code of ['PAYMENT_LIMIT', 'PROMO_NOT_ELIGIBLE', 'PAYLOAD_TOO_LARGE', 'FORBIDDEN'] as const) {
    server.use(mock.override('createOrder', { code }));
    expect(await (await post()).text()).not.toContain('{minimum}');
    expect(JSON.stringify(await (await post()).json()).slice(1, -1)).not.toMatch(/\{\w+\}/);
  }
});

it('lists the overridden call in mock.requests', async () => {
  server.use(mock.override('createOrder', { code: 'PAYMENT_FAILED' }));
  await post({ quantity: 3 });
  expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 500, body: { quantity: 3 } }]);
});

it("translates this kit's statuses to the mock's dialect", async () => {
  const other = createTopupMock({
    baseUrl: 'https://other.test/api',
    dialect: { paymentStatuses: { PAID: 'SETTLED' }, buyStatuses: { Sukses: 'Success' } },
  });
  server.use(other.override('getPaymentStatus', paid));
  const response = await shopOf(other, fetch).ask('/invoice/INV-1/payment-status');
  expect((await response.json()).data).toMatchObject({ payment_status: 'SETTLED', buy_status: 'Success' });
});

it.each([
  [true, true],
  [false, false],
])('adds the usual headers to any overridden response: a request id %s', async (requestId, has) => {
  const other = createTopupMock({ baseUrl: 'https://other.test/api', dialect: { headers: { requestId } } });
  server.use(other.override('getPaymentStatus', paid));
  const { headers } = await shopOf(other, fetch).ask('/invoice/INV-1/payment-status');
  expect(headers.has('X-Request-Id')).toBe(has);
  expect(headers.get('Cache-Control')).toBe('no-store');
});

it.each<[string, Parameters<typeof mock.override<'listGames'>>[1]]>([
  ['a body', { success: true, games: [], populerGames: [] }],
  ['an error', { code: 'SERVER_ERROR' }],
  [
    'a function',
    () => {
      throw new Error('not to be called');
    },
  ],
])('checks the key before an override: %s', async (_what, response) => {
  server.use(mock.override('listGames', response));
  expect((await fetch(`${mock.baseUrl}/games`)).status).toBe(401);
});

it('checks Accept first if the dialect requires it', async () => {
  const strict = createTopupMock({ baseUrl: 'https://strict.test/api', dialect: { acceptRequired: true } });
  server.use(strict.override('listGames', { success: true, games: [], populerGames: [] }));
  const read = async (Accept: string) =>
    (await shopOf(strict, fetch).ask('/games', { headers: { Accept } })).status;
  expect(await read('text/html')).toBe(422);
  expect(await read('application/json')).toBe(200);
});

describe('invalid overrides', () => {
  it('rejects an unknown operation', () => {
    expect(() => mock.override('buy' as 'getGame', { code: 'GAME_NOT_FOUND' })).toThrow(
      'unknown operation "buy". The operations are listGames,',
    );
  });

  it('rejects an operation that the service lacks', () => {
    const strict = createTopupMock({ profile: 'interface-only' });
    expect(() => strict.override('getGame', { code: 'GAME_NOT_FOUND' })).toThrow(
      'getGame is an extension that this service does not have (its profile or dialect); it has listGames, createOrder.',
    );
  });

  it.each([
    [null, 'got null'],
    ['text', 'got "text"'],
    [Response.json({}), "got a Response (to return one, use MSW's http.get or http.post)"],
  ])('rejects the override %s', (response, got) => {
    const override = (): unknown => mock.override('listGames', response as never);
    expect(override).toThrow(
      'must be its response body, { code } of an error, or a function that returns one of them',
    );
    expect(override).toThrow(got);
  });

  it('rejects a function that returns nothing', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    server.use(mock.override('listGames', (() => undefined) as never));
    expect((await ask('/games')).status).toBe(500);
    expect(String(logged.mock.calls[0]?.[1])).toContain('that returns one of them; got undefined.');
  });
});

describe('responses that violate the contract', () => {
  it('names a field with the wrong type by its JSON path', () => {
    const wrong = { ...paid, data: { ...paid.data, expired_time: '1' } };
    expect(() => mock.override('getPaymentStatus', wrong as unknown as GetPaymentStatusResponse)).toThrow(
      /Invalid response of getPaymentStatus:\n {2}\$\.data\.expired_time: /,
    );
  });

  it('names the expected value', () => {
    const data = { ...paid.data, expired_time: '1', payment_status: 'SETTLED' };
    const override = (): unknown => mock.override('getPaymentStatus', { ...paid, data } as never);
    expect(override).toThrow('$.data.expired_time: expected number, got "1"');
    expect(override).toThrow(/\$\.data\.payment_status: expected "UNPAID" or .*"PAID".*, got "SETTLED"/);
  });

  it('names a field in a list', () => {
    const list = { success: true, games: [{}], populerGames: [] };
    expect(() => mock.override('listGames', list as never)).toThrow('$.games[0].id: ');
  });

  it('names an unknown field', () => {
    const more = { ...paid, data: { ...paid.data, expired_tme: 1 } };
    expect(() => mock.override('getPaymentStatus', more)).toThrow(
      '$.data.expired_tme is not in the contract',
    );
  });

  it('rejects an error that the operation does not have', () => {
    expect(() => mock.override('listGames', { code: 'PAYMENT_FAILED' })).toThrow(
      "listGames can't fail with PAYMENT_FAILED. Its errors: UNAUTHORIZED",
    );
  });

  it('rejects a status that differs from the status of the error', () => {
    expect(() => mock.override('createOrder', { code: 'PAYMENT_FAILED', status: 503 })).toThrow(
      'PAYMENT_FAILED has the status 500, not 503.',
    );
  });

  it('logs an invalid result of a function on the console', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    server.use(mock.override('getPaymentStatus', () => ({ success: true }) as never));
    expect((await ask('/invoice/INV-1/payment-status')).status).toBe(500);
    expect(String(logged.mock.calls[0]?.[1])).toContain('$.data: ');
  });
});
