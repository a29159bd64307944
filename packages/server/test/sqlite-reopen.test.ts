import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import type { Store } from '@topup-kit/core/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bundledModule } from '../../../test/shared.ts';
import {
  another,
  catalog,
  change,
  claim,
  entry,
  inFlight,
  key,
  moment,
  order,
  paid,
  place,
  promo,
  reconciliation,
  reserve,
  response,
  unit,
  withoutPayment,
} from '../../suites/src/store/fixtures.ts';
import { createSqliteStore, lockForServer } from '../src/sqlite/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { tempFile } from './helpers/store-file.ts';

const module = async (path: string): Promise<string> =>
  JSON.stringify(await bundledModule(new URL(path, import.meta.url)));

function open(path: string): Store {
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

/** Runs code in another process, in which `store` is a store over the file. Returns its output. */
async function inAnotherProcess(path: string, code: string): Promise<string> {
  const script = `
    import { createSqliteStore } from ${await module('../src/sqlite/index.ts')};
    import * as fixtures from ${await module('../../suites/src/store/fixtures.ts')};
    const store = createSqliteStore({ path: ${JSON.stringify(path)} });
    ${code}
    await store.close();`;
  const options = ['--input-type=module-typescript', '--eval', script];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(0);
  return printed.trim();
}

it('keeps everything unchanged after close and reopen', async () => {
  const path = tempFile();
  const goods = catalog([promo({ quota: 3 }), promo({ code: 'OTHER' })]);
  const placed = another(
    'A',
    { serialNumber: 'SN-1', contact: { email: 'a@b.id', whatsapp: '08“\u0000”\n' } },
    7,
  );
  const before = open(path);
  await before.replaceCatalog(goods);
  await before.createKey(key());
  await before.createKey(key({ keyId: 'key_2', hash: 'b'.repeat(64), revokedAt: moment }));
  await before.placeOrder(place(placed, { promo: claim(), response: response() }));
  const revision = await before.revision();
  await before.close();

  const after = open(path);
  expect(JSON.stringify(await after.readCatalog())).toBe(JSON.stringify(goods));
  expect(await after.findOrder(placed.orderId)).toStrictEqual(placed);
  expect(await after.findOrderByReference(placed.payment.reference)).toStrictEqual(placed);
  expect(await after.findIdempotentResponse('shop', 'key-1')).toStrictEqual(response());
  expect(await after.listKeys()).toStrictEqual([
    key(),
    key({ keyId: 'key_2', hash: 'b'.repeat(64), revokedAt: moment }),
  ]);
  expect(await after.countPromoUses('TEN', claim().customer)).toEqual({ total: 1, byCustomer: 1 });
  expect(await after.revision()).toBe(revision);
});

it('keeps changed and reserved orders and reconciliations after close and reopen', async () => {
  const path = tempFile();
  const whole = change({ entry: entry(), units: [unit(1), unit(2)], serialNumber: 'SN-1', promo: 'release' });
  const before = open(path);
  await before.placeOrder(place(another('A'), { promo: claim() }));
  await before.changeOrder(whole);
  await before.reserveOrder(reserve(another('B'), { response: inFlight({ orderId: another('B').orderId }) }));
  await before.addReconciliation(reconciliation());
  await before.moveWorld(1_860_000);
  await before.close();

  const after = open(path);
  const changed = another('A', { ...paid, serialNumber: 'SN-1', version: 2 });
  expect(await after.findOrder(changed.orderId)).toStrictEqual(changed);
  expect(await after.findUnits(changed.orderId)).toStrictEqual([unit(1), unit(2)]);
  expect(await after.findHistory(changed.orderId)).toStrictEqual([entry()]);
  expect(await after.findReservedOrders(10)).toStrictEqual([withoutPayment(another('B'))]);
  expect(await after.findIdempotentResponse('shop', 'key-1')).toMatchObject({ body: null });
  expect(await after.listReconciliations()).toStrictEqual([reconciliation()]);
  expect(await after.readWorldOffset()).toBe(1_860_000);
  await after.changeOrder({ ...whole, version: 2, promo: 'reclaim' });
  expect(await after.countPromoUses('TEN', claim().customer)).toEqual({ total: 1, byCustomer: 1 });
});

it('stores one change per version when two stores change an order', async () => {
  const path = tempFile();
  const [one, two] = [open(path), open(path)];
  await one.placeOrder(place(another('A')));
  const outcomes = await Promise.all([one.changeOrder(change()), two.changeOrder(change())]);
  expect(outcomes).toContainEqual({ done: true });
  expect(outcomes).toContainEqual({ conflict: 'order_changed' });
  expect(await two.findOrder(another('A').orderId)).toMatchObject({ version: 2 });
});

it('waits for the disk in each commit, and for no lock on the event loop', () => {
  const db = openDatabase(tempFile());
  onTestFinished(() => db.close());
  const pragma = (name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'];
  expect(names.map(pragma)).toEqual(['wal', 2, 1, 0]);
});

it("doesn't recreate a store whose file is gone, because its log would be lost", async () => {
  const path = tempFile();
  const store = createSqliteStore({ path });
  await store.placeOrder(place(order()));
  // As after a kill: the file is moved away, and the log stays behind.
  copyFileSync(path, `${path}.saved`);
  copyFileSync(`${path}-wal`, `${path}-wal.saved`);
  await store.close();
  rmSync(path);
  renameSync(`${path}-wal.saved`, `${path}-wal`);
  const lost = { problem: 'missing', message: expect.stringContaining('Put the file back') };
  expect(() => createSqliteStore({ path })).toThrow(expect.objectContaining(lost));
  expect(() => lockForServer(path, { pid: 4711 })).toThrow(expect.objectContaining(lost));
  renameSync(`${path}.saved`, path);
  expect(await open(path).findOrder(order().orderId)).toEqual(order());
});

it('shows each of two stores over one file the writes of the other store immediately, and the revision within a second', async () => {
  const path = tempFile();
  const [one, two] = [open(path), open(path)];
  const before = await two.revision();
  await one.createKey(key());
  await one.placeOrder(place(order()));
  expect(await two.findKey(key().hash)).toEqual(key());
  expect(await two.findOrder(order().orderId)).toEqual(order());
  await vi.waitFor(async () => expect(await two.revision()).toBe(before + 1), {
    timeout: 1000,
    interval: 20,
  });
});

it("sees the revision of its own writes immediately, even after another process's write", async () => {
  const path = tempFile();
  const [one, two] = [open(path), open(path)];
  await two.revision();
  await one.createKey(key());
  await two.revokeKey('key_1', moment);
  expect(await two.revision()).toBe(2);
});

it("shows two processes each other's writes", async () => {
  const path = tempFile();
  const here = open(path);
  await here.placeOrder(place(another('A')));
  const before = await here.revision();
  const printed = await inAnotherProcess(
    path,
    `console.log((await store.findOrder(fixtures.another('A').orderId))?.payment.reference);
     await store.placeOrder(fixtures.place(fixtures.another('B')));
     await store.createKey(fixtures.key());`,
  );
  expect(printed).toBe('ref-A');
  expect(await here.findOrder(another('B').orderId)).toEqual(another('B'));
  expect(await here.findKey(key().hash)).toEqual(key());
  await vi.waitFor(async () => expect(await here.revision()).toBe(before + 1), {
    timeout: 1000,
    interval: 20,
  });
});

it('keeps a quota exact across two stores that write concurrently', async () => {
  const path = tempFile();
  const [one, two] = [open(path), open(path)];
  await one.replaceCatalog(catalog([promo({ quota: 10 })]));
  const outcomes = await Promise.all(
    [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, index) =>
      (index % 2 ? one : two).placeOrder(place(another(letter), { promo: claim() })),
    ),
  );
  expect(outcomes.filter((outcome) => 'done' in outcome)).toHaveLength(10);
  expect(await one.countPromoUses('TEN', '')).toMatchObject({ total: 10 });
});

it('keeps a quota exact across two processes that write concurrently', async () => {
  const path = tempFile();
  const here = open(path);
  await here.replaceCatalog(catalog([promo({ quota: 100 })]));
  const orderThem = (prefix: string): string => `
    let placed = 0;
    for (let n = 0; n < 100; n += 1) {
      const command = fixtures.place(fixtures.another('${prefix}' + n), { promo: fixtures.claim() });
      if ('done' in await store.placeOrder(command)) placed += 1;
    }
    console.log(placed);`;
  const placed = await Promise.all([
    inAnotherProcess(path, orderThem('A')),
    inAnotherProcess(path, orderThem('B')),
  ]);
  expect(placed.map(Number).reduce((sum, count) => sum + count)).toBe(100);
  expect(await here.countPromoUses('TEN', '')).toMatchObject({ total: 100 });
});
