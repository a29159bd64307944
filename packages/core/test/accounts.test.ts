import { describe, expect, it, vi } from 'vitest';
import {
  createSimulatedSupplier,
  magicIds,
  type PlayerRequest,
  type Supplier,
} from '../src/supplier/index.ts';
import { createTestService, fixtureOrder, type TestServiceOptions } from './helpers/test-service.ts';

const player = { game: 'mobile-legends', id: '12345678', server: '2012' };

/** A service whose supplier looks players up with `findPlayer`, and what it was asked. */
async function serviceWith(findPlayer: Supplier['findPlayer'], options: TestServiceOptions = {}) {
  const asked: PlayerRequest[] = [];
  const supplier = createSimulatedSupplier({ clock: Date.now });
  const service = await createTestService({
    ...options,
    supplier: {
      ...supplier,
      findPlayer:
        findPlayer &&
        ((request, signal) => {
          asked.push(request);
          return findPlayer(request, signal);
        }),
    } as Supplier, // Safe: without the ability, the property is undefined, like a missing property.
  });
  const check = (body: object = player) =>
    service.send('/account/check', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const factsOf = async (body: object = player) => {
    const { status, nickname } = (await check(body)).json.data;
    return [status, nickname];
  };
  return { service, asked, check, factsOf };
}

describe('checking an account', () => {
  it('asks the supplier about an account by game, id and server, and returns all three with the nickname', async () => {
    const { asked, check } = await serviceWith(async () => ({ exists: true, nickname: 'Rani' }));
    const { status, json } = await check({ ...player, id: ' 12345678 ' });
    expect([status, json]).toEqual([
      200,
      { success: true, data: { ...player, status: 'found', nickname: 'Rani' } },
    ]);
    expect(asked).toEqual([player]);
  });

  it.each([
    ['a player without a known name', { exists: true, nickname: null }, ['found', null]],
    ['a player that does not exist', { exists: false }, ['not_found', null]],
    ["a game whose players it can't look up", null, ['unsupported', null]],
  ] as const)("returns the supplier's answer for %s", async (_, result, facts) => {
    const { factsOf } = await serviceWith(async () => result);
    expect(await factsOf()).toEqual(facts);
  });

  it('reports an account check as unsupported if the supplier has none', async () => {
    const { factsOf } = await serviceWith(undefined);
    expect(await factsOf()).toEqual(['unsupported', null]);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('down'))],
    // Safe: another author's adapter may do this.
    ['returns nonsense', async () => ({ exists: 'yes' }) as never],
    ['returns an empty name', async () => ({ exists: true as const, nickname: '' })],
  ])(
    'reports an account as unavailable when the supplier %s, and asks again next time',
    async (_, findPlayer) => {
      const { asked, factsOf } = await serviceWith(findPlayer);
      expect(await factsOf()).toEqual(['unavailable', null]);
      expect(await factsOf()).toEqual(['unavailable', null]);
      expect(asked).toHaveLength(2);
    },
  );

  it('reports an account as unavailable when the supplier takes more than five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { factsOf } = await serviceWith(() => new Promise(() => {}));
      const facts = factsOf();
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await facts).toEqual(['unavailable', null]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("caches the supplier's answer for each account for an hour", async () => {
    const { service, asked, factsOf } = await serviceWith(async ({ id }) => ({
      exists: true,
      nickname: `N${id}`,
    }));
    for (const id of ['1', '2', '1']) expect(await factsOf({ ...player, id })).toEqual(['found', `N${id}`]);
    expect(asked).toHaveLength(2);
    service.clock.now += 60 * 60_000 - 1;
    await factsOf({ ...player, id: '1' });
    expect(asked).toHaveLength(2);
    service.clock.now += 1;
    await factsOf({ ...player, id: '1' });
    expect(asked).toHaveLength(3);
    await factsOf({ ...player, id: '1', server: '9' });
    expect(asked).toHaveLength(4);
  });

  it('asks once for simultaneous checks of one account, and checks at most ten accounts at a time', async () => {
    const waiting: (() => void)[] = [];
    const { asked, factsOf } = await serviceWith(
      () => new Promise((resolve) => waiting.push(() => resolve({ exists: true, nickname: 'Rani' }))),
    );
    const same = [factsOf(), factsOf(), factsOf()];
    const others = Array.from({ length: 12 }, (_, id) => factsOf({ ...player, id: String(id) }));
    await vi.waitFor(() => expect(asked).toHaveLength(10));
    const beyond = await Promise.all(others.slice(9));
    expect(beyond).toEqual([
      ['unavailable', null],
      ['unavailable', null],
      ['unavailable', null],
    ]);
    for (const go of waiting) go();
    expect(await Promise.all(same)).toEqual(Array(3).fill(['found', 'Rani']));
    expect(asked).toHaveLength(10);
  });

  it('rejects an account check with an unknown game, missing fields, or a server that the game lacks', async () => {
    const { asked, check } = await serviceWith(async () => null);
    expect((await check({ ...player, game: 'nothing' })).status).toBe(404);
    expect((await check({})).json.errors).toEqual({ game: [expect.any(String)], id: [expect.any(String)] });
    expect((await check({ game: 'mobile-legends', id: '1' })).json.errors).toEqual({
      server: [expect.any(String)],
    });
    expect((await check({ game: 'genshin-impact', id: '1', server: 'Mars' })).json.errors).toEqual({
      server: [expect.any(String)],
    });
    expect(asked).toEqual([]);
  });

  it("names a sandbox's players by their last digits, and reports the magic id as unknown", async () => {
    const service = await createTestService();
    const check = async (id: string) =>
      (
        await service.send('/account/check', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...player, id }),
        })
      ).json.data.status;
    expect(await check(magicIds.unknownPlayer)).toBe('not_found');
    expect(await check(magicIds.timesOutOnce)).toBe('unavailable');
  });
});

describe('an order for an account', () => {
  const missing = async () => ({ exists: false as const });

  it('does not look up accounts of orders by default', async () => {
    const { service, asked } = await serviceWith(missing);
    expect((await service.order()).status).toBe(201);
    expect(asked).toEqual([]);
  });

  it("rejects an order for an account that certainly doesn't exist if this is configured, shows the id, and stores nothing", async () => {
    const { service } = await serviceWith(missing, { rejectUnknownAccounts: true });
    const { status, json } = await service.order(fixtureOrder, { headers: { 'Accept-Language': 'en' } });
    expect([status, json]).toEqual([
      422,
      {
        message: 'There is no account with this id in the selected game.',
        errors: { id: ['There is no account with this id in the selected game.'] },
      },
    ]);
    expect(await service.store.listOrders({ limit: 1 })).toEqual([]);
  });

  it.each([
    ['exists', async () => ({ exists: true as const, nickname: null })],
    ['no supplier can look up', async () => null],
    ['no supplier could look up now', async () => Promise.reject(new Error('down'))],
  ])(
    'places an order for an account that %s, even if unknown accounts are rejected',
    async (_, findPlayer) => {
      const { service, asked } = await serviceWith(findPlayer, { rejectUnknownAccounts: true });
      expect((await service.order()).status).toBe(201);
      expect(asked).toEqual([player]);
    },
  );
});
