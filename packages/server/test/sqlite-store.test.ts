import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  another,
  catalog,
  change,
  claim,
  expired,
  key,
  order,
  place,
  promo,
  response,
} from '../../suites/src/store/fixtures.ts';
import { storeSuite } from '../../suites/src/store/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';

function freshStore() {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  const store = createSqliteStore({ path: join(folder, 'topup.db') });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

describe('the SQLite store passes the tests of every store', () => {
  for (const { name, run } of storeSuite) it(name, () => run(freshStore()));
});

describe('the SQLite store', () => {
  it('reports the first of several violated constraints, like the memory store', async () => {
    const store = freshStore();
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    const all = { promo: claim({ perCustomer: 1 }), response: response({ orderId: order().orderId }) };
    await store.placeOrder(place(order({}, 7), all));
    const conflictOf = async (command: Parameters<typeof store.placeOrder>[0]) => {
      const outcome = await store.placeOrder(command);
      return 'conflict' in outcome ? outcome.conflict : 'none';
    };
    const otherKey = { ...all, response: response({ orderId: another('B').orderId, key: 'key-2' }) };
    expect(await conflictOf(place(order({}, 7), all))).toBe('idempotency_conflict');
    expect(await conflictOf(place(order({}, 7), otherKey))).toBe('order_id_taken');
    const sameReference = another('B', { payment: order().payment }, 7);
    expect(await conflictOf(place(sameReference, otherKey))).toBe('reference_taken');
    expect(await conflictOf(place(another('B', {}, 7), otherKey))).toBe('code_taken');
    expect(await conflictOf(place(another('B', {}, 8), otherKey))).toBe('promo_exhausted');
    await store.replaceCatalog(catalog([promo({ quota: 2 })]));
    expect(await conflictOf(place(another('B', {}, 8), otherKey))).toBe('promo_used');
  });

  it("returns only the promos of the current catalogue, in the catalogue's sequence", async () => {
    const store = freshStore();
    const promos = (codes: string) => catalog([...codes].map((code) => promo({ code })));
    await store.replaceCatalog(promos('BCA'));
    // The rows of used promos remain in the table with any later catalogue.
    for (const code of 'ABC') await store.placeOrder(place(another(code), { promo: claim({ code }) }));
    for (const codes of ['BCA', 'ACB', 'DB']) {
      await store.replaceCatalog(promos(codes));
      expect(await store.readCatalog()).toEqual(promos(codes));
    }
  });

  it('keeps the use of a promo when a change of state does not release it', async () => {
    const store = freshStore();
    await store.placeOrder(place(order(), { promo: claim() }));
    await store.changeOrder(change({ orderId: order().orderId, to: expired }));
    expect(await store.countPromoUses('TEN', claim().customer)).toEqual({ total: 1, byCustomer: 1 });
  });

  it('counts and allows claims of a code that is not in the catalogue', async () => {
    const store = freshStore();
    expect(await store.placeOrder(place(order(), { promo: claim() }))).toEqual({ done: true });
    expect(await store.countPromoUses('TEN', claim().customer)).toEqual({ total: 1, byCustomer: 1 });
    expect(await store.countPromoUses('TEN', 'another')).toEqual({ total: 1, byCustomer: 0 });
  });

  it('does not increment the revision when a revoked key is revoked again', async () => {
    const store = freshStore();
    await store.createKey(key());
    await store.revokeKey('key_1', 1);
    const before = await store.revision();
    await store.revokeKey('key_1', 2);
    expect(await store.revision()).toBe(before);
  });

  it('runs queued commands before it closes, and rejects later commands', async () => {
    const store = freshStore();
    const queued = store.placeOrder(place(order()));
    const closing = store.close();
    expect(await queued).toEqual({ done: true });
    await closing;
    await expect(store.placeOrder(place(another('A')))).rejects.toMatchObject({ problem: 'closed' });
    await expect(store.findOrder(order().orderId)).rejects.toThrow('was closed');
    await expect(store.revision()).rejects.toThrow('was closed');
    await store.close();
  });
});
