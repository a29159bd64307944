import { expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();

it('stores callbacks while another transaction has locked every existing row', async () => {
  const url = await database.newSchema();
  await using resources = new AsyncDisposableStack();
  const store = createPostgresStore({ url });
  resources.defer(() => store.close());
  const kept = (name: string) => callback({ callbackId: `cb_${name}`, outcome: 'rejected' });
  await store.pruneUnverified({ add: [kept('before')], drop: [] });
  await using sql = connectTo(url);
  await sql.begin(async (other) => {
    await other`SELECT * FROM revisions FOR UPDATE`;
    await other`SELECT * FROM callbacks FOR UPDATE`;
    const begun = performance.now();
    for (const outcome of ['rejected', 'ignored', 'applied'] as const)
      await store.addCallback(callback({ callbackId: `cb_${outcome}`, outcome }));
    await store.pruneUnverified({ add: [kept('during')], drop: [] });
    expect(performance.now() - begun).toBeLessThan(1_500);
  });
  expect(await store.listCallbacks({ limit: 10 })).toHaveLength(5);
});

it('keeps the same callbacks on two servers that delete old callbacks at the same time, without long waits', async () => {
  const url = await database.newSchema();
  await using resources = new AsyncDisposableStack();
  const stores = [1, 2].map(() => createPostgresStore({ url }));
  for (const store of stores) resources.defer(() => store.close());
  const ids = Array.from({ length: 200 }, (_, index) => `cb_${index}`);
  const add = ids.map((callbackId) => callback({ callbackId, outcome: 'rejected' }));
  await stores[0]?.pruneUnverified({ add, drop: [] });
  await Promise.all([
    stores[0]?.pruneUnverified({ add: [], drop: ids.slice(0, 150) }),
    stores[1]?.pruneUnverified({ add: [], drop: ids.slice(0, 150).toReversed() }),
  ]);
  const left = await stores[0]?.listUnverified();
  expect(left?.map(({ callbackId }) => callbackId).toSorted()).toEqual(ids.slice(150));
});
