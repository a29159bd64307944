import { describe, expect, it, vi } from 'vitest';
import { sandboxKey, scopes } from '../src/contract/index.ts';
import { createKeyring } from '../src/engine/keys.ts';
import { type FixedKey, issueKey, keyState, rotateKey } from '../src/features/index.ts';
import { createMemoryStore, type Store, type StoredKey } from '../src/features/store.ts';
import { secureRandom } from '../src/platform/index.ts';
import { createTestService, fixtureOrder, sha256 } from './helpers/test-service.ts';

const namesOf = (headers: Headers): string[] => [...headers.keys()];

describe('a key', () => {
  it('hides orders from accounts with a similar name or another letter case', async () => {
    const names = ['shop', 'shop-2', 'sho', 's', 'my-shop', 'SHOP', 'shop '];
    const { order, get, keyOf } = await createTestService();
    const accounts = [];
    for (const name of names) {
      const key = await keyOf(name);
      const { orderId } = (await order(fixtureOrder, { key, headers: { 'Idempotency-Key': 'same' } })).json;
      accounts.push({ name, key, orderId });
    }
    expect(new Set(accounts.map(({ orderId }) => orderId)).size).toBe(names.length);
    for (const { name, key } of accounts)
      for (const { name: owner, orderId } of accounts)
        for (const path of ['', '/payment-status']) {
          const { status } = await get(`/invoice/${orderId}${path}`, { key });
          expect({ name, owner, path, status }).toEqual({
            name,
            owner,
            path,
            status: name === owner ? 200 : 404,
          });
        }
  });

  it('compares whole keys by their hash, so that a key with one changed character is rejected', async () => {
    const digits = sha256('the key');
    const stored: StoredKey = {
      keyId: 'key_1',
      hash: digits,
      accountId: 'shop',
      name: 'shop',
      scopes: ['catalog:read'],
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
    };
    // A store that finds keys by less than their hash, so that the comparison decides.
    const store = { ...createMemoryStore(), findKey: async () => stored };
    const keyringOf = (fixedKeys: FixedKey[]) =>
      // The key of this test is its own hash.
      createKeyring({
        store: fixedKeys.length > 0 ? createMemoryStore() : store,
        hash: (key) => key,
        realClock: () => 0,
        fixedKeys,
      });
    for (const keyring of [keyringOf([]), keyringOf([{ key: digits, directOnly: false }])]) {
      expect(await keyring.authenticate(digits, true)).not.toBeNull();
      for (let at = 0; at < digits.length; at += 1) {
        const other = digits.slice(0, at) + (digits[at] === '0' ? '1' : '0') + digits.slice(at + 1);
        expect(await keyring.authenticate(other, true)).toBeNull();
      }
      for (const other of [digits.slice(0, -1), `${digits}0`, digits.slice(0, 2)])
        expect(await keyring.authenticate(other, true)).toBeNull();
    }
  });

  it("allows what a key's scopes allow, and names a missing scope in the error", async () => {
    const { order, get, keyOf } = await createTestService();
    const reader = await keyOf('shop', ['catalog:read']);
    expect((await get('/games', { key: reader })).status).toBe(200);
    const rejected = await order(fixtureOrder, { key: reader });
    expect(rejected.status).toBe(403);
    expect(rejected.json).toEqual({
      success: false,
      message: 'API key ini tidak memiliki izin orders:write.',
      error_code: 'FORBIDDEN',
      errors: {},
    });
  });

  it('rejects a revoked key', async () => {
    const { get, keyOf, store } = await createTestService();
    const key = await keyOf('shop');
    expect((await get('/games', { key })).status).toBe(200);
    const [stored] = await store.listKeys();
    await store.revokeKey(stored?.keyId ?? '', 1);
    expect((await get('/games', { key })).status).toBe(401);
  });

  it('rejects a revoked key, even if another request reads slowly', async () => {
    const memory = createMemoryStore();
    const slow = Promise.withResolvers<void>();
    let wait: Promise<void> | null = slow.promise;
    const store: Store = {
      ...memory,
      async findKey(hash) {
        const found = await memory.findKey(hash);
        const waited = wait;
        wait = null;
        await waited;
        return found;
      },
    };
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => 0 };
    const { key, stored } = await issueKey(deps, { mode: 'test', accountId: 'a', name: 'a', scopes });
    const keyring = createKeyring({ ...deps, fixedKeys: [] });
    const early = keyring.authenticate(key, true);
    await new Promise(setImmediate);
    await store.revokeKey(stored.keyId, 1);
    const revoked = { keyId: stored.keyId, state: 'revoked' };
    expect(await keyring.authenticate(key, true)).toEqual(revoked);
    slow.resolve();
    expect(await early).toMatchObject({ keyId: stored.keyId, accountId: 'a' });
    expect(await keyring.authenticate(key, true)).toEqual(revoked);
  });

  it('reads a key from the store once, until a key changes', async () => {
    const memory = createMemoryStore();
    let reads = 0;
    const store: Store = {
      ...memory,
      findKey(hash) {
        reads += 1;
        return memory.findKey(hash);
      },
    };
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => 0 };
    const { key } = await issueKey(deps, { mode: 'test', accountId: 'a', name: 'a', scopes });
    const keyring = createKeyring({ ...deps, fixedKeys: [] });
    const readsOf = async () => {
      for (let count = 0; count < 3; count += 1) await keyring.authenticate(key, true);
      return reads;
    };
    expect(await readsOf()).toBe(1);
    await issueKey(deps, { mode: 'test', accountId: 'b', name: 'b', scopes });
    expect(await readsOf()).toBe(2);
  });

  it("gives direct requests with a sandbox's key that key's account and all scopes", async () => {
    const fixedKeys = [{ key: sandboxKey, directOnly: true }];
    const keyring = createKeyring({
      store: createMemoryStore(),
      hash: sha256,
      realClock: () => 0,
      fixedKeys,
    });
    expect(await keyring.authenticate(sandboxKey, true)).toEqual({
      keyId: 'sandbox',
      accountId: 'sandbox',
      scopes,
    });
    for (const key of [sandboxKey, '', null]) expect(await keyring.authenticate(key, false)).toBeNull();
  });

  it.each([
    [null, null, 'active'],
    [null, 11, 'active'],
    [null, 10, 'expired'],
    [5, 10, 'revoked'],
    [15, null, 'revoked'],
  ] as const)(
    'treats a key that is revoked at %s and expires at %s, at 10, as %s',
    (revokedAt, expiresAt, state) => {
      expect(keyState({ revokedAt, expiresAt }, 10)).toBe(state);
    },
  );

  it('stores only the hash of a key', async () => {
    const { keyOf, store } = await createTestService();
    const key = await keyOf('shop');
    expect(JSON.stringify(await store.listKeys())).not.toContain(key);
  });
});

describe('a key that expires', () => {
  it('accepts a key until it expires in real time, and then treats it as unknown', async () => {
    const { get, keyOf, clock, sandbox } = await createTestService();
    const key = await keyOf('shop', undefined, clock.now + 60_000);
    clock.now += 59_999;
    await sandbox.advance(24 * 60 * 60_000);
    expect((await get('/games', { key })).status).toBe(200);
    clock.now += 1;
    const [expired, unknown] = [await get('/games', { key }), await get('/games', { key: `${key}x` })];
    expect(expired.status).toBe(401);
    expect(expired.text).toBe(unknown.text);
    expect(namesOf(expired.headers)).toEqual(namesOf(unknown.headers));
    expect(expired.headers.get('X-Error-Code')).toBe('UNAUTHORIZED');
  });
});

describe('a key that is rotated', () => {
  const day = 24 * 60 * 60_000;

  async function rotated(overlapMs: number, lifetime: number | null = null) {
    const service = await createTestService();
    const { clock, store, keyOf } = service;
    const old = await keyOf('shop', ['catalog:read'], lifetime === null ? null : clock.now + lifetime);
    clock.now += 1_000;
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => clock.now };
    const [before] = await store.listKeys();
    if (!before) throw new Error('no key');
    const issued = await rotateKey(deps, before, { mode: 'test', overlapMs });
    if ('conflict' in issued) throw new Error(issued.conflict);
    const again = async () => {
      const [now = before] = await store.listKeys();
      return rotateKey(deps, now, { mode: 'test', overlapMs });
    };
    return { ...service, old, ...issued, again };
  }

  it('accepts both a rotated key and its replacement until the overlap ends', async () => {
    const { get, clock, old, key } = await rotated(day);
    const statuses = async () => [
      (await get('/games', { key: old })).status,
      (await get('/games', { key })).status,
    ];
    clock.now += day - 1;
    expect(await statuses()).toEqual([200, 200]);
    clock.now += 1;
    expect(await statuses()).toEqual([401, 200]);
  });

  it('rejects a rotated key immediately without an overlap', async () => {
    const { get, old } = await rotated(0);
    expect((await get('/games', { key: old })).status).toBe(401);
  });

  it('gives the replacement the account, name, scopes and lifetime of the key', async () => {
    const { stored, clock } = await rotated(day, 90 * day);
    expect(stored).toMatchObject({ accountId: 'shop', name: 'shop', scopes: ['catalog:read'] });
    expect(stored).toMatchObject({ createdAt: clock.now, expiresAt: clock.now + 90 * day });
    expect((await rotated(day)).stored.expiresAt).toBeNull();
  });

  it.each([null, 90 * day])(
    'rotates a key again after its replacement was revoked, with the original lifetime: %s',
    async (lifetime) => {
      const { again, store, stored, clock } = await rotated(day, lifetime);
      await store.revokeKey(stored.keyId, clock.now);
      const expiresAt = lifetime === null ? null : clock.now + lifetime;
      expect(await again()).toMatchObject({ stored: { expiresAt } });
    },
  );

  it('creates another replacement if a replacement already exists', async () => {
    const store = createMemoryStore();
    const tried: string[] = [];
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => 0 };
    const { stored } = await issueKey(deps, { mode: 'test', accountId: 'a', name: 'a', scopes });
    const taken: Store = {
      ...store,
      async rotateKey(keyId, next, until) {
        tried.push(next.keyId);
        return tried.length === 1 ? { conflict: 'key_taken' } : store.rotateKey(keyId, next, until);
      },
    };
    const issued = await rotateKey({ ...deps, store: taken }, stored, { mode: 'live', overlapMs: 500 });
    expect(issued).toMatchObject({ key: expect.stringMatching(/^tk_live_/), stored: { keyId: tried[1] } });
    expect((await store.listKeys())[0]).toMatchObject({ replacedBy: tried[1], expiresAt: 500 });
  });

  it('rejects a second rotation of the same key', async () => {
    const { again, store } = await rotated(day);
    expect(await again()).toEqual({ conflict: 'key_inactive' });
    expect(await store.listKeys()).toHaveLength(2);
  });
});

describe('the last use of a key', () => {
  it("records a key's first use, and then at most one use per minute", async () => {
    const store = createMemoryStore();
    const clock = { now: 1_000_000 };
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => clock.now };
    const { key } = await issueKey(deps, { mode: 'test', accountId: 'a', name: 'a', scopes });
    const keyring = createKeyring({ ...deps, fixedKeys: [] });
    const stored: number[] = [];
    for (const wait of [0, 0, 59_999, 1, 59_999, 1]) {
      clock.now += wait;
      await keyring.authenticate(key, true);
      stored.push(await keyring.recordUses());
    }
    expect(stored).toEqual([1, 0, 0, 1, 0, 1]);
    expect(await store.listKeys()).toMatchObject([{ lastUsedAt: clock.now }]);
  });

  it('writes nothing while no key is used', async () => {
    const recordKeyUses = vi.fn();
    const store = { ...createMemoryStore(), recordKeyUses };
    const keyring = createKeyring({ store, hash: sha256, realClock: () => 0, fixedKeys: [] });
    expect(await keyring.recordUses()).toBe(0);
    expect(recordKeyUses).not.toHaveBeenCalled();
  });

  it('stores the last use of a key together with due work, to about a minute, however often the key is used', async () => {
    let writes = 0;
    const { get, keyOf, clock, engine, store } = await createTestService({
      store: (memory) => ({
        ...memory,
        recordKeyUses(uses) {
          writes += 1;
          return memory.recordKeyUses(uses);
        },
      }),
    });
    const [key, unused] = [await keyOf('shop'), await keyOf('other-shop')];
    const start = clock.now;
    for (let second = 0; second < 150; second += 1) {
      clock.now = start + second * 1_000;
      expect((await get('/games', { key })).status).toBe(200);
      await engine.dueWork.run();
    }
    expect(writes).toBe(3);
    expect((await store.listKeys()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([start + 120_000, null]);
    expect(unused).not.toBe(key);
  });

  it("serves requests while the last use of a key can't be stored, and stores it later", async () => {
    let isBroken = true;
    const { get, keyOf, clock, engine, store } = await createTestService({
      store: (memory) => ({
        ...memory,
        recordKeyUses: (uses) =>
          isBroken ? Promise.reject(new Error('disk full')) : memory.recordKeyUses(uses),
      }),
    });
    const key = await keyOf('shop');
    expect((await get('/games', { key })).status).toBe(200);
    await engine.dueWork.run();
    isBroken = false;
    clock.now += 60_000;
    expect((await get('/games', { key })).status).toBe(200);
    await engine.dueWork.run();
    expect((await store.listKeys())[0]?.lastUsedAt).toBe(clock.now);
  });

  it('keeps the last use unchanged for a rejected key', async () => {
    const { get, keyOf, clock, engine, store } = await createTestService();
    const key = await keyOf('shop', undefined, clock.now);
    expect((await get('/games', { key })).status).toBe(401);
    await engine.dueWork.run();
    expect((await store.listKeys())[0]?.lastUsedAt).toBeNull();
  });
});

describe('an unknown route', () => {
  it('requires a key for an unknown route of the interface', async () => {
    const { get, send } = await createTestService();
    expect((await get('/nothing', { key: 'wrong' })).status).toBe(401);
    expect((await send('/games', { method: 'DELETE', key: 'wrong' })).status).toBe(401);
    expect((await get('/nothing')).json).toMatchObject({ error_code: 'ROUTE_NOT_FOUND' });
  });
});

describe('a request to a missing path outside the interface', () => {
  it.each([
    ['en', '/games', 'There is nothing at /games. The API is below /api.'],
    ['id', '/games', 'Tidak ada apa pun di /games. API berada di bawah /api.'],
    ['en', '/assets/games/none.svg', 'There is nothing at /assets/games/none.svg. The API is below /api.'],
    ['en', `/${'x'.repeat(2_000)}`, `There is nothing at /${'x'.repeat(99)}…. The API is below /api.`],
  ])('explains in %s where the interface is: %s', async (language, path, message) => {
    const { app } = await createTestService();
    const headers = { 'Accept-Language': language };
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      success: false,
      message,
      error_code: 'ROUTE_NOT_FOUND',
      errors: {},
    });
  });
});

it("accepts a sandbox's well-known key in direct requests only", async () => {
  const { get } = await createTestService();
  expect((await get('/games', { key: sandboxKey })).status).toBe(200);
  expect((await get('/games', { key: sandboxKey, direct: false })).status).toBe(401);
});

describe('a rate limit', () => {
  const limited = (readsPerMinute: number, ordersPerMinute: number) => async () => {
    const { defaultLimits } = await import('../src/app/index.ts');
    return createTestService({ settings: { limits: { ...defaultLimits, readsPerMinute, ordersPerMinute } } });
  };

  it('rejects requests above the limit per minute, and says when to try again', async () => {
    const { get, clock } = await limited(2, 0)();
    expect((await get('/games')).headers.get('RateLimit')).toBe('"reads";r=1;t=60');
    expect((await get('/games')).status).toBe(200);
    clock.now += 10_000;
    const rejected = await get('/games');
    expect(rejected.status).toBe(429);
    expect(rejected.json).toEqual({ message: 'Too Many Attempts.' });
    expect(rejected.headers.get('Retry-After')).toBe('50');
    expect(rejected.headers.get('RateLimit')).toBe('"reads";r=0;t=50');
    expect(rejected.headers.get('RateLimit-Policy')).toBe('"reads";q=2;w=60');
    clock.now += 50_000;
    expect((await get('/games')).status).toBe(200);
  });

  it('counts each pair of key and address separately, and counts reads and orders separately', async () => {
    const { get, order, keyOf } = await limited(1, 1)();
    const key = await keyOf('shop');
    expect((await get('/games', { key })).status).toBe(200);
    expect((await get('/games', { key })).status).toBe(429);
    expect((await get('/games', { key, address: '192.0.2.7' })).status).toBe(200);
    expect((await get('/games', { key: await keyOf('shop') })).status).toBe(200);
    expect((await order(fixtureOrder, { key })).status).toBe(201);
    expect((await order(fixtureOrder, { key })).status).toBe(429);
  });

  it('checks the rate limit after the key and before the body', async () => {
    const { send } = await limited(0, 1)();
    await send('/order', { method: 'POST', body: '{' });
    expect((await send('/order', { method: 'POST', body: '{' })).status).toBe(429);
    expect((await send('/order', { method: 'POST', body: '{', key: 'wrong' })).status).toBe(401);
  });
});
