import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMockService, type MockService, type ScenarioName, scenarios } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

let mock: MockService;
let shop: ReturnType<typeof shopOf>;
beforeEach(() => {
  mock = createMockService({ seed: 1 });
  shop = shopOf(mock);
});
afterEach(() => vi.restoreAllMocks());

describe('what each does', () => {
  it('payment-declined: an order becomes FAILED two seconds later, all by itself', async () => {
    mock.scenarios.use('payment-declined');
    const { orderId } = await shop.order();
    mock.scenarios.clear();
    await mock.clock.advance('1s');
    expect(await shop.state(orderId)).toBe('UNPAID / Pending');
    await mock.clock.advance('1s');
    expect(await shop.state(orderId)).toBe('FAILED / Batal');
  });

  it('payment-declined: paying an order made before fails', async () => {
    const { orderId } = await shop.order();
    mock.scenarios.use('payment-declined');
    expect(await mock.orders.pay(orderId)).toMatchObject({ payment_status: 'FAILED', buy_status: 'Batal' });
  });

  it('payment-declined: a declined order gives its promo code back', async () => {
    mock.scenarios.use('payment-declined', { times: 1 });
    await shop.order({ promo_code: 'ONCE20' });
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(422);
    await mock.clock.advance('2s');
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(201);
  });

  it('supplier-fails: a paid order becomes Gagal', async () => {
    mock.scenarios.use('supplier-fails');
    const { orderId } = await shop.order();
    mock.scenarios.clear();
    await mock.orders.pay(orderId);
    expect(await shop.state(orderId)).toBe('PAID / Gagal');
  });

  it('supplier-fails: also an order made before, while it is on', async () => {
    const { orderId } = await shop.order();
    mock.scenarios.use('supplier-fails');
    expect(await mock.orders.pay(orderId)).toMatchObject({ buy_status: 'Gagal' });
  });

  it('supplier-down: paid orders stay Proses until it is over', async () => {
    mock.scenarios.use('supplier-down');
    const { orderId } = await shop.order();
    await mock.orders.pay(orderId);
    await mock.clock.advance('1h');
    expect(await shop.state(orderId)).toBe('PAID / Proses');
    mock.scenarios.clear();
    await mock.clock.advance('2m');
    expect(await shop.state(orderId)).toBe('PAID / Sukses');
  });

  it('gateway-down: an order is a 500 and nothing is kept of it; what is wrong with it is told first', async () => {
    mock.scenarios.use('gateway-down');
    const failed = await shop.post({ promo_code: 'ONCE20' });
    expect(failed.status).toBe(500);
    expect(failed.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect((await shop.post({ game: 'no-such-game' })).status).toBe(404);
    mock.scenarios.clear();
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(201);
  });

  it('rate-limited: 429 as the service says it', async () => {
    mock.scenarios.use('rate-limited');
    const answer = await shop.ask('/games');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(await answer.json()).toEqual({ message: 'Too Many Attempts.' });
  });

  it('maintenance: 503 as the service says it', async () => {
    mock.scenarios.use('maintenance');
    const answer = await shop.post();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ success: false, error_code: 'UNAVAILABLE' });
  });

  it('offline: no answer at all', async () => {
    mock.scenarios.use('offline');
    await expect(shop.ask('/games')).rejects.toThrow(TypeError);
    expect(mock.requests).toMatchObject([{ path: '/games', status: null }]);
  });

  it('flaky: every third call to an operation, the same ones for the same seed', async () => {
    const statuses = async (seed: number): Promise<number[]> => {
      const { ask } = shopOf(createMockService({ seed, scenario: 'flaky' }));
      const answers = [];
      for (let count = 0; count < 9; count += 1) answers.push((await ask('/games')).status);
      return answers;
    };
    const first = await statuses(1);
    expect(first.filter((status) => status === 503)).toHaveLength(3);
    expect(first.join()).not.toContain('503,503');
    expect(await statuses(1)).toEqual(first);
    const seeds = await Promise.all([2, 3, 4, 5, 6].map(statuses));
    expect(seeds.some((other) => other.join() !== first.join())).toBe(true);
  });

  it('flaky: tells the seed when chance drew it', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const drawn = createMockService({ scenario: 'flaky' });
    for (let count = 0; count < 9; count += 1) await shopOf(drawn).ask('/games');
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      `[topup-kit] GET /games failed by chance (scenario flaky): createTopupMock({ seed: ${drawn.seed} }) repeats it.`,
    );
  });

  it('speaks the dialect of the service', async () => {
    const other = createMockService({
      scenario: 'maintenance',
      dialect: { errorBodies: { http: 'message' }, headers: { errorCode: false } },
    });
    const answer = await shopOf(other).ask('/games');
    expect(answer.headers.has('X-Error-Code')).toBe(false);
    expect(Object.keys(await answer.json())).toEqual(['message']);
  });
});

describe('where and how often', () => {
  it('is on for one operation', async () => {
    mock.scenarios.use('maintenance', { operation: 'listGames' });
    expect((await shop.ask('/games')).status).toBe(503);
    expect((await shop.ask('/games/mobile-legends')).status).toBe(200);
  });

  it('is on for the next calls', async () => {
    mock.scenarios.use('maintenance', { times: 2 });
    expect(mock.scenarios.active).toEqual([{ name: 'maintenance', times: 2 }]);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await shop.ask('/games')).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(mock.scenarios.active).toEqual([]);
  });

  it('counts orders alone where it is about orders', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    await shop.ask('/games');
    const fated = await shop.order();
    const spared = await shop.order();
    for (const { orderId } of [fated, spared]) await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await shop.state(fated.orderId)).toBe('PAID / Gagal');
    expect(await shop.state(spared.orderId)).toBe('PAID / Sukses');
  });

  it('does not count orders that are refused', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    expect((await shop.post({ game: 'no-such-game' })).status).toBe(404);
    const { orderId } = await shop.order();
    await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await shop.state(orderId)).toBe('PAID / Gagal');
    expect(mock.scenarios.active).toEqual([]);
  });

  it('lets a gateway fail one order that came so far, and no other', async () => {
    mock.scenarios.use('gateway-down', { times: 1 });
    const statuses = [];
    for (const changes of [{ game: 'no-such-game' }, {}, {}])
      statuses.push((await shop.post(changes)).status);
    expect(statuses).toEqual([404, 500, 201]);
  });

  it('takes effect on one of two orders that come at once', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    const both = await Promise.all([shop.order(), shop.order()]);
    for (const { orderId } of both) await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    const states = await Promise.all(both.map(({ orderId }) => shop.state(orderId)));
    expect(states.sort()).toEqual(['PAID / Gagal', 'PAID / Sukses']);
  });

  it('does not count an order that asks for the same by its header', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    await shop.order({}, { 'X-Topup-Scenario': 'supplier-fails' });
    expect(mock.scenarios.active).toEqual([{ name: 'supplier-fails', times: 1 }]);
  });

  it('does not count calls to nothing', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    mock.scenarios.use('maintenance', { times: 1 });
    expect((await shop.ask('/gams')).status).toBe(404);
    expect((await shop.ask('/games')).status).toBe(503);
  });

  it('is asked for by the header of one request', async () => {
    expect((await shop.post({}, { 'X-Topup-Scenario': 'gateway-down' })).status).toBe(500);
    const { orderId } = await shop.order({}, { 'X-Topup-Scenario': 'supplier-down' });
    const other = await shop.order();
    for (const one of [orderId, other.orderId]) await mock.orders.pay(one);
    await mock.clock.advance('1m');
    expect(await shop.state(orderId)).toBe('PAID / Proses');
    expect(await shop.state(other.orderId)).toBe('PAID / Sukses');
  });

  it('leaves the fate of an order alone that an idempotency key replays', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const { orderId } = await shop.order({}, headers);
    await shop.order({}, { ...headers, 'X-Topup-Scenario': 'payment-declined' });
    await mock.clock.advance('1m');
    expect(await shop.state(orderId)).toBe('UNPAID / Pending');
  });

  it('takes several at once', async () => {
    mock.scenarios.use('supplier-fails');
    mock.scenarios.use('maintenance', { operation: 'listGames' });
    expect((await shop.ask('/games')).status).toBe(503);
    await shop.order();
    mock.scenarios.clear();
    expect(mock.scenarios.active).toEqual([]);
  });
});

describe('what it refuses', () => {
  const all = Object.keys(scenarios).join(', ');

  it('a name that there is not, with those that there are', () => {
    expect(() => mock.scenarios.use('fire' as ScenarioName)).toThrow(
      `There is no scenario "fire"; there are ${all}.`,
    );
  });

  it('such a name in a header, in the same way in every host', async () => {
    const answer = await shop.ask('/games', { headers: { 'X-Topup-Scenario': 'fire' } });
    expect(answer.status).toBe(422);
    expect((await answer.json()).message).toBe(`The X-Topup-Scenario header must be one of ${all}.`);
  });

  it('an operation that there is not', () => {
    expect(() => mock.scenarios.use('slow', { operation: 'buy' as 'getGame' })).toThrow(
      'There is no operation "buy"; there are listGames,',
    );
  });

  it('a place that there is not', () => {
    expect(() => mock.scenarios.use('maintenance', { op: 'getGame' } as object)).toThrow(
      'There is no "op" in the place of the scenario maintenance; there are operation, times.',
    );
  });

  it('a number of calls that is none', () => {
    expect(() => mock.scenarios.use('slow', { times: 0 })).toThrow('times must be a whole number above 0');
  });

  it('a scenario about orders for another operation', () => {
    expect(() => mock.scenarios.use('gateway-down', { operation: 'listGames' })).toThrow(
      'its operation can only be createOrder',
    );
  });
});
