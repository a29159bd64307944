import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FaultInput } from '../src/features/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

async function control({ app }: Service, path: string, body?: object) {
  const response = await app.fetch(
    new Request(`http://localhost/sandbox${path && `/${path}`}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, json: await response.json() };
}

/** A sandbox with these faults, which were added by its route. */
async function sandboxWith(...faults: FaultInput[]) {
  const service = await createTestService();
  for (const fault of faults)
    expect(await control(service, 'add-fault', fault)).toMatchObject({ status: 200 });
  return service;
}

const statusesOf = async (ask: () => Promise<{ status: number }>, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await ask()).status);
  return statuses;
};

const struck = async (service: Service): Promise<number[]> =>
  (await control(service, 'faults')).json.data.faults.map((fault: { struck: number }) => fault.struck);

/** An order, sent as it is, so that a test can look at a response that breaks. */
async function sendOrder(service: Service): Promise<Response> {
  return service.app.fetch(
    new Request('http://localhost/api/order', {
      method: 'POST',
      headers: { 'X-API-KEY': await service.keyOf('shop'), 'Content-Type': 'application/json' },
      body: JSON.stringify(fixtureOrder),
    }),
  );
}

const orders = ({ store }: Service) => store.listOrders({ limit: 10 });

describe('the effect of a fault on a call', () => {
  it.each([
    ['SERVER_ERROR', 500],
    ['SAVE_FAILED', 500],
    ['IDEMPOTENCY_IN_FLIGHT', 409],
    ['GAME_CLOSED', 422],
    ['VALIDATION_ERROR', 422],
    ['RATE_LIMITED', 429],
  ] as const)('responds with the error %s, and places no order', async (error, status) => {
    const service = await sandboxWith({ error, operation: 'createOrder' });
    const response = await service.order();
    expect([response.headers.get('X-Error-Code'), response.status >= 400]).toEqual([error, true]);
    expect(status).toBe(status);
    expect(await orders(service)).toEqual([]);
    expect((await service.get('/games')).status).toBe(200);
    expect(service.reported.filter((one) => !String(one).includes('IntendedError'))).toEqual([]);
  });

  it('cuts the connection before the server does anything', async () => {
    const service = await sandboxWith({ connection: 'cut' });
    expect((await sendOrder(service)).type).toBe('error');
    expect(await orders(service)).toEqual([]);
  });

  it('places an order, and then cuts the connection', async () => {
    const service = await sandboxWith({ connection: 'cut-after', times: 1 });
    expect((await sendOrder(service)).type).toBe('error');
    expect(await orders(service)).toHaveLength(1);
  });

  it('places an order, and cuts the connection in the middle of the body', async () => {
    const service = await sandboxWith({ connection: 'half-body' });
    const response = await sendOrder(service);
    expect(response.status).toBe(201);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"success":true/);
    await expect(reader?.read()).rejects.toThrow('terminated');
    expect(await orders(service)).toHaveLength(1);
  });

  it("places an order, and responds with a proxy's HTML page", async () => {
    const service = await sandboxWith({ connection: 'html' });
    const response = await sendOrder(service);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toMatch(/^<html>/);
    expect(await orders(service)).toHaveLength(1);
  });
});

describe('a delay', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('adds a delay to other faults and to an error', async () => {
    const service = await sandboxWith({ delay: '2s' }, { delay: '1s', error: 'UNAVAILABLE' });
    const responded = vi.fn();
    const asking = service.get('/games').then(responded);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(responded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await asking;
    expect(responded).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 503 }));
  });
});

describe('the calls that a fault affects', () => {
  const error = 'UNAVAILABLE';

  it.each<[string, FaultInput, boolean]>([
    ['the account', { error, account: fixtureOrder.id }, true],
    ['another account', { error, account: '87654321' }, false],
    ['the phone number, written in another way', { error, phone: '+62 812-3456-7890' }, true],
    ['another phone number', { error, phone: '081234567891' }, false],
    ['the game', { error, game: 'mobile-legends' }, true],
    ['another game', { error, game: 'free-fire' }, false],
    ['the payment method', { error, method: 12 }, true],
    ['another payment method', { error, method: 13 }, false],
    ['all filters', { error, account: fixtureOrder.id, game: 'mobile-legends', method: 12 }, true],
    [
      'all filters, one of which does not match',
      { error, account: fixtureOrder.id, game: 'free-fire' },
      false,
    ],
  ])('affects an order by %s, and later requests about that order', async (_name, fault, strikes) => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    await control(service, 'add-fault', fault);
    const isStruck = (response: { status: number }) => response.status === 503;
    expect(isStruck(await service.order())).toBe(strikes);
    expect(isStruck(await service.get(`/invoice/${orderId}`))).toBe(strikes);
    expect(await struck(service)).toEqual([strikes ? 2 : 0]);
  });

  it('affects a game by its path', async () => {
    const { get } = await sandboxWith({ error, game: 'free-fire' });
    const paths = ['/games/free-fire', '/order/free-fire', '/games/mobile-legends', '/games'];
    expect(await Promise.all(paths.map(async (path) => (await get(path)).status))).toEqual([
      503, 503, 200, 200,
    ]);
  });

  it.each([
    ['X-Shop', { 'X-Shop': 'any' }, 503],
    ['X-Shop: mine', { 'X-Shop': 'mine' }, 503],
    ['X-Shop: mine', { 'X-Shop': 'yours' }, 200],
    ['X-Shop: mine', {}, 200],
  ])('applies to requests with the header %s: %o', async (header, headers, status) => {
    const { get } = await sandboxWith({ error, header });
    expect((await get('/games', { headers: headers as Record<string, string> })).status).toBe(status);
  });

  it("doesn't affect a request with a malformed body, which gets the usual error", async () => {
    const service = await sandboxWith({ error, game: 'mobile-legends' });
    const response = await service.send('/order', {
      method: 'POST',
      body: '{"game":',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.headers.get('X-Error-Code')).toBe('MALFORMED_JSON');
  });

  it("doesn't affect a client without a valid key", async () => {
    const service = await sandboxWith({ error });
    expect((await service.get('/games', { key: 'wrong' })).status).toBe(401);
    expect(await struck(service)).toEqual([0]);
  });
});

describe('the number of times that a fault takes effect', () => {
  const error = 'UNAVAILABLE';

  it('takes effect a given number of times', async () => {
    const service = await sandboxWith({ error, times: 2 });
    expect(await statusesOf(() => service.get('/games'), 4)).toEqual([503, 503, 200, 200]);
    expect((await control(service, 'faults')).json.data.faults).toMatchObject([{ struck: 2, active: false }]);
  });

  it('takes effect a given number of times, even for simultaneous calls', async () => {
    const service = await sandboxWith({ error, times: 3, game: 'mobile-legends' });
    const statuses = await Promise.all(Array.from({ length: 10 }, () => service.order()));
    expect(statuses.filter(({ status }) => status === 503)).toHaveLength(3);
  });

  it('takes effect on every nth call', async () => {
    const service = await sandboxWith({ error, every: 3, operation: 'listGames' });
    expect(await statusesOf(() => service.get('/games'), 7)).toEqual([200, 200, 503, 200, 200, 503, 200]);
    expect(await struck(service)).toEqual([2]);
  });

  it('takes effect with a probability, on the same calls for the same seed', async () => {
    const calls = async (seed: number) => {
      const service = await sandboxWith({ error, percent: 30, seed });
      return statusesOf(() => service.get('/games'), 200);
    };
    const first = await calls(7);
    expect(await calls(7)).toEqual(first);
    expect(await calls(8)).not.toEqual(first);
    const count = first.filter((status) => status === 503).length;
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(90);
  });

  it("takes effect for a given time of the sandbox's clock", async () => {
    const service = await sandboxWith({ error, for: '10m' });
    expect((await service.get('/games')).status).toBe(503);
    await control(service, 'advance', { by: '9m' });
    expect((await service.get('/games')).status).toBe(503);
    await control(service, 'advance', { by: '1m' });
    expect((await service.get('/games')).status).toBe(200);
    expect((await control(service, 'faults')).json.data.faults).toMatchObject([{ struck: 2, active: false }]);
  });
});

describe("a supplier's response with a fault", () => {
  async function failureOf(service: Service, id: string) {
    const { orderId } = (await service.order({ ...fixtureOrder, id })).json;
    await control(service, `orders/${orderId}/pay`, {});
    await control(service, 'advance', { by: '3s' });
    const units = await service.store.findUnits(orderId);
    const invoice = (await service.get(`/invoice/${orderId}`)).json;
    return {
      state: invoice.order.buy_status,
      reasons: units.map(({ reason }) => reason),
      why: invoice.order.failure_reason,
    };
  }

  it("fails the units of one account with the fault's message and the reason for the customer", async () => {
    const service = await sandboxWith({
      word: 'Nomor tujuan salah',
      reason: 'region_mismatch',
      account: '11111111',
    });
    expect(await failureOf(service, '11111111')).toEqual({
      state: 'Gagal',
      reasons: ['Nomor tujuan salah', 'Nomor tujuan salah'],
      why: 'region_mismatch',
    });
    expect(await failureOf(service, '22222222')).toMatchObject({ state: 'Sukses' });
    expect(await struck(service)).toEqual([2]);
  });

  it('fails as many units as requested', async () => {
    const service = await sandboxWith({ word: 'habis', times: 1 });
    expect((await failureOf(service, '11111111')).reasons).toEqual(['habis', null]);
  });

  it('has no effect while a scenario makes the supplier unavailable for one game', async () => {
    const service = await sandboxWith({ scenario: 'supplier-down', game: 'mobile-legends' });
    expect(await failureOf(service, '11111111')).toMatchObject({ state: 'Proses' });
  });
});

describe("a gateway's report on a payment with a fault", () => {
  async function placeAndPay(service: Service, more: object = {}) {
    const { orderId } = (await service.order({ ...fixtureOrder, ...more })).json;
    return { orderId, pay: () => control(service, `orders/${orderId}/pay`, {}) };
  }

  it.each([
    ['declined', 'FAILED', 'Batal', []],
    ['expired', 'EXPIRED', 'Batal', []],
    ['pending', 'UNPAID', 'Pending', []],
    ['late', 'UNPAID', 'Pending', ['late']],
    ['wrong-amount', 'UNPAID', 'Pending', ['amount']],
    ['twice', 'PAID', 'Proses', ['closed']],
    ['unknown', 'UNPAID', 'Pending', ['unknown']],
  ] as const)('%s: a paid order becomes %s / %s', async (payment, payment_status, buy_status, waits) => {
    const service = await sandboxWith({ payment, times: 1 });
    const { pay } = await placeAndPay(service);
    expect((await pay()).json.data).toMatchObject({ payment_status, buy_status });
    const reconciliations = await service.store.listReconciliations({});
    expect(reconciliations.map(({ reason }) => reason)).toEqual(waits);
    expect(await struck(service)).toEqual([1]);
  });

  it('reports an order as paid once after the fault has ended', async () => {
    const service = await sandboxWith({ payment: 'pending', times: 1 });
    const { pay } = await placeAndPay(service);
    await pay();
    expect((await pay()).json.data).toMatchObject({ payment_status: 'PAID' });
  });

  it('affects only the orders of its filter, and each payment once', async () => {
    const service = await sandboxWith({ payment: 'declined', account: '11111111' });
    const declined = await placeAndPay(service, { id: '11111111' });
    const other = await placeAndPay(service, { id: '22222222' });
    expect((await declined.pay()).json.data).toMatchObject({ payment_status: 'FAILED' });
    expect((await other.pay()).json.data).toMatchObject({ payment_status: 'PAID' });
    expect([(await declined.pay()).status, (await other.pay()).status]).toEqual([409, 409]);
    expect(await struck(service)).toEqual([1]);
  });

  it("doesn't affect the payments of a triggered event", async () => {
    const service = await sandboxWith({ payment: 'declined' });
    const { orderId } = await placeAndPay(service);
    for (const order of [{}, { order: orderId }])
      expect((await control(service, 'trigger', { event: 'order.delivered', ...order })).json).toMatchObject({
        data: { buy_status: 'Sukses' },
      });
    expect(await struck(service)).toEqual([0]);
  });

  it('declines a payment in the scenario payment-declined', async () => {
    const service = await createTestService();
    await control(service, 'scenario', { name: 'payment-declined' });
    const { pay } = await placeAndPay(service);
    expect((await pay()).json.data).toMatchObject({ payment_status: 'FAILED' });
    expect(await struck(service)).toEqual([1]);
  });

  it('rejects a filter of calls and any other effect', async () => {
    const service = await createTestService();
    const header = await control(service, 'add-fault', { payment: 'late', header: 'X-Shop' });
    expect(header.json.errors).toHaveProperty('header');
    const delay = await control(service, 'add-fault', { payment: 'late', delay: '1s' });
    expect(delay.json.errors).toHaveProperty('fault');
  });
});

describe('scenarios are a kind of fault', () => {
  it('lists a chosen scenario, and counts its uses', async () => {
    const service = await createTestService();
    await control(service, 'scenario', { name: 'maintenance' });
    await service.get('/games');
    expect((await control(service, 'faults')).json.data.faults).toEqual([
      { id: 1, scenario: 'maintenance', struck: 1, active: true },
    ]);
    await control(service, 'scenario', { name: 'none' });
    expect(await struck(service)).toEqual([]);
  });

  it('ends only the chosen scenario when another scenario is chosen', async () => {
    const service = await sandboxWith({ error: 'GAME_CLOSED', operation: 'createOrder' });
    await control(service, 'scenario', { name: 'slow' });
    await control(service, 'scenario', { name: 'gateway-down' });
    expect((await control(service, 'faults')).json.data.faults).toMatchObject([
      { error: 'GAME_CLOSED' },
      { scenario: 'gateway-down' },
    ]);
    expect((await control(service, '')).json.data.scenario).toBe('gateway-down');
  });

  it('turns a scenario off when it is removed as a fault', async () => {
    const service = await createTestService();
    await control(service, 'scenario', { name: 'maintenance' });
    await control(service, 'remove-fault', { id: 1 });
    expect((await service.get('/games')).status).toBe(200);
    expect((await control(service, '')).json.data.scenario).toBe('none');
  });

  it('gives a scenario the filters and the count of a fault', async () => {
    const service = await sandboxWith({ scenario: 'maintenance', operation: 'getGame', times: 1 });
    expect((await service.get('/games')).status).toBe(200);
    expect(await statusesOf(() => service.get('/games/free-fire'), 2)).toEqual([503, 200]);
  });

  it('simulates an unavailable gateway for one phone number', async () => {
    const service = await sandboxWith({ scenario: 'gateway-down', phone: '081234567890' });
    expect((await service.order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect((await service.order({ ...fixtureOrder, whatsapp: '081111111111' })).status).toBe(201);
    expect(await struck(service)).toEqual([1]);
  });
});

describe('the list of faults', () => {
  it('removes one fault by its id, or all of them, and removes all with a reset', async () => {
    const service = await sandboxWith({ error: 'UNAVAILABLE' }, { error: 'RATE_LIMITED' });
    expect((await control(service, 'remove-fault', { id: 1 })).json.data.faults).toMatchObject([{ id: 2 }]);
    expect((await service.get('/games')).status).toBe(429);
    expect((await control(service, 'remove-fault', { id: 1 })).status).toBe(422);
    expect((await control(service, 'remove-fault', {})).json.data.faults).toEqual([]);
    await control(service, 'add-fault', { error: 'UNAVAILABLE' });
    await control(service, 'reset', {});
    expect(await struck(service)).toEqual([]);
    expect((await service.get('/games')).status).toBe(200);
  });

  it('responds with the first of several errors', async () => {
    const { get } = await sandboxWith({ error: 'SERVER_ERROR', every: 2 }, { error: 'UNAVAILABLE' });
    expect(await statusesOf(() => get('/games'), 2)).toEqual([503, 500]);
  });

  it.each<[object, string]>([
    [{}, 'fault'],
    [{ times: 2 }, 'fault'],
    [{ error: 'UNAVAILABLE', connection: 'cut' }, 'fault'],
    [{ error: 'UNAVAILABLE', scenario: 'slow' }, 'fault'],
    [{ error: 'UNAVAILABLE', word: 'no' }, 'fault'],
    [{ scenario: 'supplier-down', word: 'no' }, 'fault'],
    [{ error: 'NO_SUCH_CODE' }, 'error'],
    [{ delay: 'soon' }, 'delay'],
    [{ delay: '11m' }, 'delay'],
    [{ error: 'UNAVAILABLE', for: 'ever' }, 'for'],
    [{ error: 'UNAVAILABLE', times: 0 }, 'times'],
    [{ error: 'UNAVAILABLE', every: 0 }, 'every'],
    [{ error: 'UNAVAILABLE', percent: 101 }, 'percent'],
    [{ error: 'UNAVAILABLE', phone: 'a phone' }, 'phone'],
    [{ error: 'UNAVAILABLE', operation: 'buy' }, 'operation'],
    [{ error: 'UNAVAILABLE', gmae: 'free-fire' }, 'gmae'],
    [{ word: 'no', operation: 'createOrder' }, 'operation'],
    [{ reason: 'region_mismatch', header: 'X-Shop' }, 'header'],
    [{ scenario: 'gateway-down', game: 'free-fire' }, 'game'],
  ])('rejects %o, and names %s', async (fault, field) => {
    const service = await createTestService();
    const { status, json } = await control(service, 'add-fault', fault);
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    expect(await struck(service)).toEqual([]);
  });
});

it.each([{ error: 'GAME_CLOSED' }, { scenario: 'gateway-down' }, { reason: 'account_not_found' }] as const)(
  'uses up no fault %o when a test prepares an order',
  async (fault) => {
    const service = await sandboxWith({ ...fault, times: 1 });
    const created = await control(service, 'create-order', { ...fixtureOrder, state: 'PAID / Sukses' });
    expect(created.json.data).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
    expect(await struck(service)).toEqual([0]);
  },
);
