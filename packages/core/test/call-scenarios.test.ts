import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestService, fixtureOrder, type TestServiceOptions } from './helpers/test-service.ts';

const scenario = (name: string) => ({ headers: { 'X-Topup-Scenario': name } });

/** A sandbox in which a scenario is on, chosen by its control route. */
async function sandboxWith(name: string, options: TestServiceOptions = {}) {
  const service = await createTestService(options);
  const response = await service.app.fetch(
    new Request('http://localhost/sandbox/scenario', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    }),
  );
  expect(response.status).toBe(200);
  return service;
}

describe('a scenario of a sandbox', () => {
  it('rate-limited: rejects every operation with a 429 and Retry-After, and places no order', async () => {
    const service = await sandboxWith('rate-limited');
    for (const { status, headers, json } of [await service.get('/games'), await service.order()]) {
      expect(status).toBe(429);
      expect(headers.get('Retry-After')).toBe('1');
      expect(headers.get('X-Error-Code')).toBe('RATE_LIMITED');
      expect(json).toEqual({ message: 'Too Many Attempts.' });
    }
    expect(await service.store.listOrders({ limit: 1 })).toEqual([]);
  });

  it('maintenance: rejects every operation with a 503, until the scenario is none', async () => {
    const service = await sandboxWith('maintenance');
    expect(await service.get('/games')).toMatchObject({
      status: 503,
      json: { success: false, error_code: 'UNAVAILABLE' },
    });
    service.sandbox.chooseScenario('none');
    expect((await service.get('/games')).status).toBe(200);
  });

  it('flaky: rejects every third call of an operation with a 503', async () => {
    const { get } = await sandboxWith('flaky');
    const statuses: number[] = [];
    for (const path of ['/games', '/games', '/games/mobile-legends', '/games', '/games', '/games', '/games'])
      statuses.push((await get(path)).status);
    expect(statuses).toEqual([200, 200, 200, 503, 200, 200, 503]);
  });

  it('offline: sends no response, and places no order', async () => {
    const service = await sandboxWith('offline');
    const request = new Request('http://localhost/api/order', {
      method: 'POST',
      headers: { 'X-API-KEY': await service.keyOf('shop'), 'Content-Type': 'application/json' },
      body: JSON.stringify(fixtureOrder),
    });
    expect((await service.app.fetch(request)).type).toBe('error');
    expect(await service.store.listOrders({ limit: 1 })).toEqual([]);
  });

  it('applies a scenario to operations only, not to control routes and pages', async () => {
    const { app } = await sandboxWith('maintenance');
    for (const path of ['/sandbox', '/health', '/openapi.json'])
      expect((await app.fetch(new Request(`http://localhost${path}`))).status).toBe(200);
  });

  it('reveals no scenario to a client without a valid key', async () => {
    const { get } = await sandboxWith('maintenance');
    expect((await get('/games', { key: 'wrong' })).status).toBe(401);
  });

  it('ends the scenario at a reset', async () => {
    const service = await sandboxWith('maintenance');
    await service.sandbox.reset();
    expect((await service.get('/games')).status).toBe(200);
  });
});

describe('the scenario slow', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('places an order immediately, and responds after three seconds', async () => {
    const service = await sandboxWith('slow');
    const responded = vi.fn();
    const ordering = service.order().then(responded);
    await vi.advanceTimersByTimeAsync(1);
    expect(await service.store.listOrders({ limit: 1 })).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_998);
    expect(responded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await ordering;
    expect(responded).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 201 }));
  });

  it('delays a rejection by three seconds as well', async () => {
    const service = await sandboxWith('slow');
    const responded = vi.fn();
    const asking = service.get('/games/no-such-game').then(responded);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(responded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await asking;
    expect(responded).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 404 }));
  });
});

describe('the header X-Topup-Scenario', () => {
  it('applies the header to one request', async () => {
    const { get } = await createTestService();
    expect((await get('/games', scenario('maintenance'))).status).toBe(503);
    expect((await get('/games')).status).toBe(200);
  });

  it("accepts several scenarios in the header, in addition to the sandbox's scenario", async () => {
    const { get } = await sandboxWith('rate-limited');
    expect((await get('/games', scenario('flaky, maintenance'))).status).toBe(503);
  });

  it('adds no scenario when the header says none', async () => {
    const { get } = await createTestService();
    expect((await get('/games', scenario('none'))).status).toBe(200);
    const faulty = await sandboxWith('maintenance');
    expect((await faulty.get('/games', scenario('none'))).status).toBe(503);
  });

  it.each(['rain', 'supplier-down', ''])(
    'rejects the header %j, and lists the valid scenarios',
    async (name) => {
      const { get } = await createTestService();
      const { status, json } = await get('/games', scenario(name));
      expect(status).toBe(422);
      expect(json.errors['X-Topup-Scenario']).toEqual([
        expect.stringContaining('none, rate-limited, slow, flaky, maintenance, offline'),
      ]);
    },
  );
});
