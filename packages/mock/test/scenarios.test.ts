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

describe('the effect of each scenario', () => {
  it('payment-declined: changes an order to FAILED two seconds later', async () => {
    mock.scenarios.use('payment-declined');
    const { orderId } = await shop.order();
    mock.scenarios.clear();
    await mock.clock.advance('1s');
    expect(await shop.state(orderId)).toBe('UNPAID / Pending');
    await mock.clock.advance('1s');
    expect(await shop.state(orderId)).toBe('FAILED / Batal');
  });

  it('payment-declined: fails the payment of an earlier order', async () => {
    const { orderId } = await shop.order();
    mock.scenarios.use('payment-declined');
    expect(await mock.orders.pay(orderId)).toMatchObject({ payment_status: 'FAILED', buy_status: 'Batal' });
  });

  it("payment-declined: releases a declined order's promo code", async () => {
    mock.scenarios.use('payment-declined', { times: 1 });
    await shop.order({ promo_code: 'ONCE20' });
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(422);
    await mock.clock.advance('2s');
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(201);
  });

  it('supplier-fails: changes a paid order to Gagal', async () => {
    mock.scenarios.use('supplier-fails');
    const { orderId } = await shop.order();
    mock.scenarios.clear();
    await mock.orders.pay(orderId);
    expect(await shop.state(orderId)).toBe('PAID / Gagal');
  });

  it('supplier-fails: affects an earlier order while it is active', async () => {
    const { orderId } = await shop.order();
    mock.scenarios.use('supplier-fails');
    expect(await mock.orders.pay(orderId)).toMatchObject({ buy_status: 'Gagal' });
  });

  it('supplier-down: keeps paid orders in Proses until it ends', async () => {
    mock.scenarios.use('supplier-down');
    const { orderId } = await shop.order();
    await mock.orders.pay(orderId);
    await mock.clock.advance('1h');
    expect(await shop.state(orderId)).toBe('PAID / Proses');
    mock.scenarios.clear();
    await mock.clock.advance('2m');
    expect(await shop.state(orderId)).toBe('PAID / Sukses');
  });

  it('gateway-down: fails an order with 500 and stores nothing, but reports other errors of the order first', async () => {
    mock.scenarios.use('gateway-down');
    const failed = await shop.post({ promo_code: 'ONCE20' });
    expect(failed.status).toBe(500);
    expect(failed.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect((await shop.post({ game: 'no-such-game' })).status).toBe(404);
    mock.scenarios.clear();
    expect((await shop.post({ promo_code: 'ONCE20' })).status).toBe(201);
  });

  it("rate-limited: responds with a 429 and the service's body", async () => {
    mock.scenarios.use('rate-limited');
    const response = await shop.ask('/games');
    expect(response.status).toBe(429);
    expect(response.headers.get('Retry-After')).toBe('1');
    expect(await response.json()).toEqual({ message: 'Too Many Attempts.' });
  });

  it("maintenance: responds with a 503 and the service's body", async () => {
    mock.scenarios.use('maintenance');
    const response = await shop.post();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ success: false, error_code: 'UNAVAILABLE' });
  });

  it('offline: causes a network error', async () => {
    mock.scenarios.use('offline');
    await expect(shop.ask('/games')).rejects.toThrow(TypeError);
    expect(mock.requests).toMatchObject([{ path: '/games', status: null }]);
  });

  it('flaky: fails every third call of an operation, and the same calls for a seed', async () => {
    const statuses = async (seed: number): Promise<number[]> => {
      const { ask } = shopOf(createMockService({ seed, scenario: 'flaky' }));
      const received = [];
      for (let count = 0; count < 9; count += 1) received.push((await ask('/games')).status);
      return received;
    };
    const first = await statuses(1);
    expect(first.filter((status) => status === 503)).toHaveLength(3);
    expect(first.join()).not.toContain('503,503');
    expect(await statuses(1)).toEqual(first);
    const seeds = await Promise.all([2, 3, 4, 5, 6].map(statuses));
    expect(seeds.some((other) => other.join() !== first.join())).toBe(true);
  });

  it('flaky: names a random seed in a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const drawn = createMockService({ scenario: 'flaky' });
    for (let count = 0; count < 9; count += 1) await shopOf(drawn).ask('/games');
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      `[topup-kit] GET /games failed randomly (scenario flaky): createTopupMock({ seed: ${drawn.seed} }) repeats it.`,
    );
  });

  it("uses the service's dialect in scenarios", async () => {
    const other = createMockService({
      scenario: 'maintenance',
      dialect: { errorBodies: { http: 'message' }, headers: { errorCode: false } },
    });
    const response = await shopOf(other).ask('/games');
    expect(response.headers.has('X-Error-Code')).toBe(false);
    expect(Object.keys(await response.json())).toEqual(['message']);
  });
});

describe('the scope and the count of a scenario', () => {
  it('affects one operation', async () => {
    mock.scenarios.use('maintenance', { operation: 'listGames' });
    expect((await shop.ask('/games')).status).toBe(503);
    expect((await shop.ask('/games/mobile-legends')).status).toBe(200);
  });

  it('affects the next calls', async () => {
    mock.scenarios.use('maintenance', { times: 2 });
    expect(mock.scenarios.active).toEqual([{ name: 'maintenance', times: 2 }]);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await shop.ask('/games')).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(mock.scenarios.active).toEqual([]);
  });

  it('counts only orders if the scenario is about orders', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    await shop.ask('/games');
    const affected = await shop.order();
    const unaffected = await shop.order();
    for (const { orderId } of [affected, unaffected]) await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await shop.state(affected.orderId)).toBe('PAID / Gagal');
    expect(await shop.state(unaffected.orderId)).toBe('PAID / Sukses');
  });

  it('does not count rejected orders', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    expect((await shop.post({ game: 'no-such-game' })).status).toBe(404);
    const { orderId } = await shop.order();
    await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await shop.state(orderId)).toBe('PAID / Gagal');
    expect(mock.scenarios.active).toEqual([]);
  });

  it('makes the gateway fail only for the first order that reaches it', async () => {
    mock.scenarios.use('gateway-down', { times: 1 });
    const statuses = [];
    for (const changes of [{ game: 'no-such-game' }, {}, {}])
      statuses.push((await shop.post(changes)).status);
    expect(statuses).toEqual([404, 500, 201]);
  });

  it('affects one of two simultaneous orders', async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    const both = await Promise.all([shop.order(), shop.order()]);
    for (const { orderId } of both) await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    const states = await Promise.all(both.map(({ orderId }) => shop.state(orderId)));
    expect(states.sort()).toEqual(['PAID / Gagal', 'PAID / Sukses']);
  });

  it("doesn't count an order with the scenario in its header", async () => {
    mock.scenarios.use('supplier-fails', { times: 1 });
    await shop.order({}, { 'X-Topup-Scenario': 'supplier-fails' });
    expect(mock.scenarios.active).toEqual([{ name: 'supplier-fails', times: 1 }]);
  });

  it("doesn't count calls that match no route", async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    mock.scenarios.use('maintenance', { times: 1 });
    expect((await shop.ask('/gams')).status).toBe(404);
    expect((await shop.ask('/games')).status).toBe(503);
  });

  it('affects one request through its header', async () => {
    expect((await shop.post({}, { 'X-Topup-Scenario': 'gateway-down' })).status).toBe(500);
    const { orderId } = await shop.order({}, { 'X-Topup-Scenario': 'supplier-down' });
    const other = await shop.order();
    for (const one of [orderId, other.orderId]) await mock.orders.pay(one);
    await mock.clock.advance('1m');
    expect(await shop.state(orderId)).toBe('PAID / Proses');
    expect(await shop.state(other.orderId)).toBe('PAID / Sukses');
  });

  it('keeps the outcome of an order when an idempotency key replays it', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const { orderId } = await shop.order({}, headers);
    await shop.order({}, { ...headers, 'X-Topup-Scenario': 'payment-declined' });
    await mock.clock.advance('1m');
    expect(await shop.state(orderId)).toBe('UNPAID / Pending');
  });

  it('allows several scenarios at the same time', async () => {
    mock.scenarios.use('supplier-fails');
    mock.scenarios.use('maintenance', { operation: 'listGames' });
    expect((await shop.ask('/games')).status).toBe(503);
    await shop.order();
    mock.scenarios.clear();
    expect(mock.scenarios.active).toEqual([]);
  });
});

describe('invalid scenarios', () => {
  const all = Object.keys(scenarios).join(', ');

  it('rejects an unknown scenario, and lists the known scenarios', () => {
    expect(() => mock.scenarios.use('fire' as ScenarioName)).toThrow(
      `unknown scenario "fire". The scenarios are ${all}.`,
    );
  });

  it('rejects an unknown scenario in a header, in every host', async () => {
    const response = await shop.ask('/games', { headers: { 'X-Topup-Scenario': 'fire' } });
    expect(response.status).toBe(422);
    expect((await response.json()).message).toBe(`The X-Topup-Scenario header must be one of none, ${all}.`);
  });

  it('accepts no empty scenario in a header', async () => {
    const response = await shop.ask('/games', { headers: { 'X-Topup-Scenario': 'none' } });
    expect(response.status).toBe(200);
  });

  it('rejects an unknown operation', () => {
    expect(() => mock.scenarios.use('slow', { operation: 'buy' as 'getGame' })).toThrow(
      'unknown operation "buy". The operations are listGames,',
    );
  });

  it('rejects an unknown scope', () => {
    expect(() => mock.scenarios.use('maintenance', { op: 'getGame' } as object)).toThrow(
      'unknown option "op" of scenarios.use. Did you mean operation? The options are operation, times.',
    );
  });

  it('rejects an invalid number of calls', () => {
    expect(() => mock.scenarios.use('slow', { times: 0 })).toThrow('times must be a whole number above 0');
  });

  it('rejects a scenario about orders for another operation', () => {
    expect(() => mock.scenarios.use('gateway-down', { operation: 'listGames' })).toThrow(
      'its operation can only be createOrder',
    );
  });
});
