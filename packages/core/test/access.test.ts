import { describe, expect, it } from 'vitest';
import { type FixedKey, sandboxKey } from '../src/engine/index.ts';
import { createKeyring } from '../src/engine/keys.ts';
import { createMemoryStore, type StoredKey } from '../src/store/index.ts';
import { createTestService, fixtureOrder, sha256 } from './helpers/test-service.ts';

describe('a key', () => {
  it('reads only the orders of its account; the response for any other order is that for a missing one, byte for byte', async () => {
    const { order, get, keyOf } = await createTestService();
    const [mine, theirs] = [await keyOf('mine'), await keyOf('theirs')];
    const { orderId } = (await order(fixtureOrder, { key: mine })).json;
    expect((await get(`/invoice/${orderId}`, { key: mine })).status).toBe(200);
    for (const path of ['', '/payment-status']) {
      const foreign = await get(`/invoice/${orderId}${path}`, { key: theirs });
      const missing = await get(`/invoice/INV-20260328100000-ZZZZZZZZ${path}`, { key: theirs });
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe('{"success":false,"message":"Invoice tidak ditemukan."}');
      expect(missing.text).toBe(foreign.text);
      expect([...missing.headers.keys()]).toEqual([...foreign.headers.keys()]);
    }
  });

  it('reads no order of an account whose name begins alike, ends alike or is written otherwise', async () => {
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

  it('is compared whole, by its hash: one that differs in any one character is wrong', async () => {
    const digits = sha256('the key');
    const stored: StoredKey = {
      keyId: 'key_1',
      hash: digits,
      accountId: 'shop',
      name: 'shop',
      scopes: ['catalog:read'],
      createdAt: 0,
      revokedAt: null,
    };
    // A store that finds keys by less than their hash, so that the comparison decides.
    const store = { ...createMemoryStore(), findKey: async () => stored };
    const keyringOf = (fixedKeys: FixedKey[]) =>
      // The key of this test is its own hash.
      createKeyring({
        store: fixedKeys.length > 0 ? createMemoryStore() : store,
        hash: (key) => key,
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

  it('allows what its scopes allow, and the error names a missing scope', async () => {
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

  it('no longer works once it is revoked', async () => {
    const { get, keyOf, store } = await createTestService();
    const key = await keyOf('shop');
    expect((await get('/games', { key })).status).toBe(200);
    const [stored] = await store.listKeys();
    await store.revokeKey(stored?.keyId ?? '', 1);
    expect((await get('/games', { key })).status).toBe(401);
  });

  it('is stored only as its hash', async () => {
    const { keyOf, store } = await createTestService();
    const key = await keyOf('shop');
    expect(JSON.stringify(await store.listKeys())).not.toContain(key);
  });
});

describe('an unknown route', () => {
  it('needs a key like any route of the interface', async () => {
    const { get, send } = await createTestService();
    expect((await get('/nothing', { key: 'wrong' })).status).toBe(401);
    expect((await send('/games', { method: 'DELETE', key: 'wrong' })).status).toBe(401);
    expect((await get('/nothing')).json).toMatchObject({ error_code: 'ROUTE_NOT_FOUND' });
  });
});

describe('a request outside the interface for what does not exist', () => {
  it.each([
    ['en', '/games', 'There is nothing at /games. The API is below /api.'],
    ['id', '/games', 'Tidak ada apa pun di /games. API berada di bawah /api.'],
    ['en', '/assets/games/none.svg', 'There is nothing at /assets/games/none.svg. The API is below /api.'],
    ['en', `/${'x'.repeat(2_000)}`, `There is nothing at /${'x'.repeat(99)}…. The API is below /api.`],
  ])('says in %s where the interface is: %s', async (language, path, message) => {
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

it('the well-known key of a sandbox works in direct requests only', async () => {
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

  it('counts each pair of key and address, and counts reads and orders separately', async () => {
    const { get, order, keyOf } = await limited(1, 1)();
    const key = await keyOf('shop');
    expect((await get('/games', { key })).status).toBe(200);
    expect((await get('/games', { key })).status).toBe(429);
    expect((await get('/games', { key, address: '192.0.2.7' })).status).toBe(200);
    expect((await get('/games', { key: await keyOf('shop') })).status).toBe(200);
    expect((await order(fixtureOrder, { key })).status).toBe(201);
    expect((await order(fixtureOrder, { key })).status).toBe(429);
  });

  it('is checked after the key and before the body', async () => {
    const { send } = await limited(0, 1)();
    await send('/order', { method: 'POST', body: '{' });
    expect((await send('/order', { method: 'POST', body: '{' })).status).toBe(429);
    expect((await send('/order', { method: 'POST', body: '{', key: 'wrong' })).status).toBe(401);
  });
});
