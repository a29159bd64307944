import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { orderEventTypes } from '@topup-kit/core/contract';
import { createEndpoint, eraseOrder, findCustomerOrders } from '@topup-kit/core/engine';
import { reportSales } from '@topup-kit/core/features/reports/sales-report';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Store } from '@topup-kit/core/store';
import postgres from 'postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { createSecretBox } from '../src/config/secret-cipher.ts';
import { createCustomerHash, createSqliteStore, emptyLog, openStore, verifyStore } from '../src/internal.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { tempFolder } from './helpers/store-file.ts';

const server = usePostgres();
const minute = 60_000;

/** Opens a store, and returns all that somebody who has its bytes or its tables can read in it. */
const stores: [kind: string, make: () => Promise<{ address: Address; readAll: () => Promise<string> }>][] = [
  [
    'a file',
    async () => {
      const path = join(tempFolder(), 'topup.db');
      const files = [path, `${path}-wal`];
      const readAll = async () =>
        files.map((file) => (existsSync(file) ? readFileSync(file).toString('latin1') : '')).join('');
      return { address: { kind: 'file', path }, readAll };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const url = await server.newSchema();
      return { address: { kind: 'postgres', url }, readAll: () => dump(url) };
    },
  ],
];
type Address = { kind: 'file'; path: string } | { kind: 'postgres'; url: string };

/** All rows of all tables, the bytes of callbacks as text. */
async function dump(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const names = await sql`
      SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = current_schema() AND relkind = 'r'`;
    const rows: string[] = [];
    for (const { name } of names)
      for (const row of await sql`SELECT * FROM ${sql(name)}`)
        rows.push(
          ...Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value),
          ),
        );
    return rows.join('\n');
  } finally {
    await sql.end();
  }
}

/** What the store may not have any more of Budi, as it is in texts of any case. */
const texts = ['81277712345', '7771-2345', 'budi', '55544433', '77788'];
const found = (all: string): string[] => texts.filter((text) => all.toLowerCase().includes(text));

/** A day of a shop whose customers include Budi, with a webhook that fails, and callbacks of a gateway and a supplier. */
async function trade(store: Store) {
  await store.replaceCatalog(sandboxCatalog());
  const stop = new AbortController();
  const service = await createTestService({
    after: store,
    webhooks: {
      // It repeats what it was sent.
      send: async ({ body }) => ({ status: 500, retryAfter: null, body: `no: ${body}` }),
      secrets: { open: (stored) => stored },
      isBusy: () => false,
      stop: stop.signal,
    },
  });
  const { clock, engine, sandbox } = service;
  await createEndpoint(
    { store, random: secureRandom, realClock: () => clock.now, seal: (secret) => secret },
    {
      ...{ accountId: null, url: 'https://shop.test/hooks', types: orderEventTypes },
      ...{ description: '', disabled: null },
    },
  );
  const budi = {
    ...{ id: '55544433', server: '77788', nickname: 'BudiPro', email: 'budi@mail.test' },
    ...{ whatsapp: '0812-7771-2345', return_url: 'https://shop.test/budi/{order_id}' },
  };
  const place = async (changes: object): Promise<string> =>
    (await service.order({ ...fixtureOrder, promo_code: undefined, ...changes })).json.orderId;
  const pass = async (minutes: number): Promise<void> => {
    for (let step = 0; step < minutes; step += 1) {
      clock.now += minute;
      await engine.dueWork.run();
    }
  };
  const ids = [await place(budi)];
  await pass(40);
  ids.push(await place({ ...budi, promo_code: 'RAMADAN10' }), await place({}));
  for (const orderId of ids.slice(1)) await sandbox.act(orderId, 'pay');
  await pass(3);
  for (const orderId of ids.slice(1)) await sandbox.act(orderId, 'deliver').catch(() => {});
  await pass(10);
  for (const [index, orderId] of [...ids, null].entries())
    await store.addCallback({
      ...{ callbackId: `cb_${index}`, provider: 'depot', receivedAt: clock.now, address: '203.0.113.7' },
      ...{ headers: { 'x-name': 'BudiPro' }, sentBytes: null, outcome: 'applied', reason: null, attempts: 1 },
      ...{ orderId: index === 2 ? null : orderId, handledAt: clock.now, replay: false },
      body: Buffer.from('{"buyer":"Budi","phone":"+6281277712345","customer_no":"5554443377788"}'),
    });
  // The expired order is not looked for any more.
  clock.now += 2 * 1_440 * minute;
  stop.abort();
  return { ids, clock, budi: ids.slice(0, 2) };
}

describe.each(stores)('personal data of orders, erased from %s,', (_kind, make) => {
  it('removes erased personal data everywhere, and keeps the books unchanged', {
    timeout: 60_000,
  }, async () => {
    const { address, readAll } = await make();
    const store = openStore(address);
    onTestFinished(() => store.close());
    const { clock, budi } = await trade(store);
    expect(found(await readAll())).toEqual(texts);
    const report = () =>
      reportSales(
        { store, timezone: 'Asia/Jakarta' },
        { span: { from: 0, before: clock.now + 1 }, by: 'product' },
      );
    const before = [await report(), await store.countOrders(), await store.countPromoUses('RAMADAN10', '')];
    const hashCustomer = await createCustomerHash(
      store,
      createSecretBox({ secretKey: undefined, secretKeyPrevious: undefined }),
    );
    const deps = { store, worldClock: () => clock.now, hashCustomer };
    const orders = await findCustomerOrders(deps, '6281277712345');
    expect(orders.map(({ order, kept }) => [order.orderId, kept]).sort()).toEqual(
      budi.map((orderId) => [orderId, null]).sort(),
    );
    const erasure = { at: clock.now, by: 'ani' };
    for (const { order } of orders) expect(await eraseOrder(deps, order, erasure)).toBe(true);
    await store.eraseCallbacks(await store.findStrayCallbacks('81277712345'), erasure);
    for (const { order } of orders) expect(await eraseOrder(deps, order, erasure)).toBe(false);
    if (address.kind === 'file') expect(await emptyLog(address.path)).toBe(true);
    expect(found(await readAll())).toEqual([]);
    const after = [await report(), await store.countOrders(), await store.countPromoUses('RAMADAN10', '')];
    expect(after).toEqual(before);
    expect(await verifyStore(address)).toMatchObject({ orders: 3, found: 0, differences: [] });
    expect(await store.listErasures()).toEqual([
      { ...erasure, orders: 2, callbacks: 4, events: expect.any(Number) },
    ]);
  });
});

describe('the hash of a customer', () => {
  const key = () => randomBytes(32).toString('base64');
  const boxOf = (secretKey?: string, secretKeyPrevious?: string) =>
    createSecretBox({ secretKey, secretKeyPrevious });
  const opened = () => {
    const store = createSqliteStore({ path: join(tempFolder(), 'topup.db') });
    onTestFinished(() => store.close());
    return store;
  };
  const phone = '6281277712345';

  it("keeps a customer's hash after an encryption key was set or rotated", async () => {
    const store = opened();
    const first = await createCustomerHash(store, boxOf());
    const [one, two] = [key(), key()];
    for (const box of [boxOf(one), boxOf(two, one), boxOf(two)])
      expect((await createCustomerHash(store, box, { reseal: true }))(phone)).toBe(first(phone));
    expect(first(phone)).toMatch(/^[\da-f]{64}$/);
    expect(first('6281277712346')).not.toBe(first(phone));
    // Each start has encrypted it with the key of then.
    await expect(createCustomerHash(store, boxOf(one))).rejects.toThrow("can't be decrypted");
    await expect(createCustomerHash(store, boxOf())).rejects.toThrow('set TOPUP_SECRET_KEY');
  });

  it('uses different hashes in different stores', async () => {
    const [one, two] = [
      await createCustomerHash(opened(), boxOf()),
      await createCustomerHash(opened(), boxOf()),
    ];
    expect(one(phone)).not.toBe(two(phone));
  });
});

it('lets a server write while another process reads the file whose log must be emptied', async () => {
  const path = join(tempFolder(), 'topup.db');
  await createSqliteStore({ path }).close();
  using reader = new DatabaseSync(path);
  using server = new DatabaseSync(path, { timeout: 0 });
  const write = (at: number): void =>
    server.exec(
      `INSERT INTO erasures (at, operator, orders, callbacks, events) VALUES (${at}, 'ani', 1, 0, 0)`,
    );
  write(1);
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM erasures').all();
  write(2);

  const emptied = emptyLog(path);
  for (let at = 3; at < 20; at += 1) {
    write(at);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  reader.exec('COMMIT');

  expect(await emptied).toBe(true);
});
