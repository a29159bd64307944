import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  another,
  catalog,
  change,
  key,
  order,
  place,
  promo,
  reconciliation,
  reserve,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { inspectStore, lockForServer } from '../src/sqlite/index.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { makeStore, openedStore, rejectionOf, tempFolder } from './helpers/store-file.ts';

const storePath = (): string => join(tempFolder(), 'topup.db');

it('reports the content of a store', async () => {
  const path = storePath();
  const store = await openedStore(path);
  await store.claimMode('sandbox');
  await store.replaceCatalog(catalog([promo(), promo({ code: 'TWENTY' })]));
  await store.createKey(key());
  await store.createKey(key({ keyId: 'key_2', hash: 'b'.repeat(64) }));
  await store.revokeKey('key_2', 1);
  await store.placeOrder(place(another('A')));
  await store.placeOrder(place(another('B')));
  await store.placeOrder(place(another('C', { paymentStatus: 'PAID', buyStatus: 'Sukses' })));
  await store.reserveOrder(reserve(another('D')));
  const units = [unit(1, { state: 'unknown' }), unit(2), unit(3, { state: 'unknown' })];
  await store.changeOrder(change({ to: { paymentStatus: 'UNPAID', buyStatus: 'Pending' }, units }));
  await store.addReconciliation(reconciliation());
  await store.addReconciliation(reconciliation({ reconciliationId: 'rec-2', state: 'returned' }));

  expect(await inspectStore(path)).toMatchObject({
    formatVersion: migrations.length,
    newestFormat: migrations.length,
    mode: 'sandbox',
    orders: 3,
    states: [
      { paymentStatus: 'UNPAID', buyStatus: 'Pending', count: 2 },
      { paymentStatus: 'PAID', buyStatus: 'Sukses', count: 1 },
    ],
    reserved: 1,
    newestOrderAt: order().createdAt,
    keys: 2,
    activeKeys: 1,
    games: 0,
    products: 0,
    promos: 2,
    openReconciliations: 1,
    unknownUnits: 2,
    refundsToPay: 0,
    amountToPay: 0,
    alerts: [
      { kind: 'stuck-orders', names: [another('A').orderId], count: 1 },
      { kind: 'money-without-an-order', names: ['rec-1'], count: 1 },
      { kind: 'unclear-payments', names: [another('D').orderId], count: 1 },
    ],
    server: null,
  });
});

it('reports overdue work in world time', async () => {
  const path = storePath();
  const store = await openedStore(path);
  const now = Date.now();
  const hour = 3_600_000;
  await store.placeOrder(place(another('A', { createdAt: now, expiresAt: now + hour })));
  await store.placeOrder(place(another('B', { createdAt: now, expiresAt: now + 3 * hour })));

  expect(await inspectStore(path)).toMatchObject({ worldOffset: 0, nextDueAt: now + hour, overdue: 0 });

  await store.moveWorld(2 * hour);
  expect(await inspectStore(path)).toMatchObject({ worldOffset: 2 * hour, overdue: 1 });
});

it("names the server that has the store open, and doesn't disturb the server", async () => {
  const path = storePath();
  await makeStore(path);
  const lock = lockForServer(path, { pid: 4711, address: '127.0.0.1:4000' });
  onTestFinished(() => lock.release());

  expect((await inspectStore(path)).server).toEqual({ pid: 4711, address: '127.0.0.1:4000' });
  expect(() => lockForServer(path, { pid: 1 })).toThrow('pid 4711');
  lock.release();
  expect((await inspectStore(path)).server).toBeNull();
});

it('neither changes nor creates the file', async () => {
  const path = storePath();
  await makeStore(path, 3);
  const before = readFileSync(path);

  await inspectStore(path, { check: 'full' });
  expect(readFileSync(path).equals(before)).toBe(true);

  expect(await rejectionOf(inspectStore(`${path}-none`))).toMatchObject({ problem: 'missing' });
  expect(existsSync(`${path}-none`)).toBe(false);
});

it('looks for a damaged page only on request', async () => {
  const path = storePath();
  await makeStore(path, 200);
  const bytes = readFileSync(path);
  bytes.fill(0xff, 20 * 4_096, 20 * 4_096 + 12);
  writeFileSync(path, bytes);

  expect(await inspectStore(path)).toMatchObject({ orders: 200 });
  expect(await rejectionOf(inspectStore(path, { check: 'quick' }))).toMatchObject({
    problem: 'damaged',
    message: `${path} is damaged: database disk image is malformed.`,
  });
});

it('finds an index with a missing row only with the full check', async () => {
  const path = storePath();
  const store = await openedStore(path, 3);
  await store.close();
  const bytes = readFileSync(path);
  // Find the id of an order in the file; the first place is in the index of ids or in the row.
  bytes.write('INV-9', bytes.indexOf('INV-1'));
  writeFileSync(path, bytes);

  expect(await inspectStore(path, { check: 'quick' })).toMatchObject({ orders: 3 });
  expect(await rejectionOf(inspectStore(path, { check: 'full' }))).toMatchObject({ problem: 'damaged' });
});
