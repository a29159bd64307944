import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Promo } from '@topup-kit/core/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type RunningServer } from '../src/index.ts';
import { countStatuses, send, sendPatiently } from './helpers/fleet.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { startSandbox } from './helpers/sandbox.ts';

let database: TestPostgres;
let url: string;
let servers: RunningServer[] = [];
beforeAll(async () => {
  database = await startPostgres();
  url = await database.newSchema();
  // At the same moment, on an empty database.
  servers = await Promise.all([0, 1, 2].map(() => startSandbox({ TOPUP_STORE: url })));
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database[Symbol.asyncDispose]();
});

/** Orders sent to all servers in turn, at the same moment. */
const sendAll = (count: number, order: (index: number) => Parameters<typeof send>[1]) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      sendPatiently(servers[index % servers.length]?.baseUrl ?? '', order(index)),
    ),
  );

const limited: Promo = {
  ...(sandboxCatalog('id').promos[0] ?? expect.fail('no promo')),
  code: 'LIMITED',
  quota: 7,
  per_customer: null,
};

describe('servers on one PostgreSQL', () => {
  it('creates tables, claims and seeds once when servers start together on an empty database', async () => {
    expect(servers.filter(({ seeded }) => seeded)).toHaveLength(1);
  });

  it("creates a database's tables once, however many servers open it together", async () => {
    const empty = await database.newSchema();
    const stores = Array.from({ length: 12 }, () => openStore({ kind: 'postgres', url: empty }));
    expect(await Promise.all(stores.map((store) => store.readMode()))).toEqual(stores.map(() => null));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('uses a promo exactly as often as its quota allows', async () => {
    const store = openStore({ kind: 'postgres', url });
    await store.putPromo(limited);
    // Within a second, every server knows it.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const sent = await sendAll(60, () => ({ promo_code: 'LIMITED' }));
    expect(countStatuses(sent)).toEqual({ 201: 7, 422: 53 });
    expect((await store.countPromoUses('LIMITED', '')).total).toBe(7);
    await store.close();
  });

  it('places one order for each key, and responds to all requests with that key with the same bytes', async () => {
    const keys = 8;
    const each = 6;
    const sent = await sendAll(keys * each, (index) => ({
      key: `key-${index % keys}`,
      id: `1234${index % keys}`,
    }));
    expect(countStatuses(sent)).toEqual({ 201: keys * each });
    for (let key = 0; key < keys; key += 1)
      expect(new Set(sent.filter((_, index) => index % keys === key).map((one) => one?.body)).size).toBe(1);
    expect(new Set(sent.map((one) => one?.body)).size).toBe(keys);
  });

  it("notices an operator's change within a second", async () => {
    const store = openStore({ kind: 'postgres', url });
    const catalog = await store.readCatalog();
    // Each has just looked.
    for (const { baseUrl } of servers) expect((await send(baseUrl))?.status).toBe(201);
    await store.replaceCatalog({ ...(catalog ?? expect.fail('no catalogue')), games: [] });
    await expect
      .poll(() => Promise.all(servers.map(async ({ baseUrl }) => (await send(baseUrl))?.status)), {
        timeout: 1_000,
      })
      .toEqual([404, 404, 404]);
    await store.replaceCatalog(catalog ?? expect.fail('no catalogue'));
    await store.close();
  });
});
