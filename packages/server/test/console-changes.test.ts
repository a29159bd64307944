import { DatabaseSync } from 'node:sqlite';
import { createMemoryStore } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { another, change, entry, place } from '../../suites/src/store/fixtures.ts';
import { createChanges } from '../src/console/changes.ts';
import { hiddenFields, sameOrigin, startConsole } from './helpers/console.ts';

/** A store that counts what it is asked about changes, with a clock that stands until it is moved. */
function watched() {
  const store = createMemoryStore();
  const clock = { ms: 0 };
  let queries = 0;
  const read = createChanges(
    {
      findChanges: (after, limit) => {
        queries += 1;
        return store.findChanges(after, limit);
      },
      lastPosition: () => {
        queries += 1;
        return store.lastPosition();
      },
    },
    () => clock.ms,
  );
  return { store, clock, read, queries: () => queries };
}

describe('what changed, for the pages of the console,', () => {
  it('costs one query a second, however many tabs ask', async () => {
    const { clock, read, queries } = watched();
    await read(null);
    const before = queries();
    for (let second = 1; second <= 10; second += 1) {
      clock.ms += 1_000;
      await Promise.all(Array.from({ length: 50 }, () => read(0)));
    }
    expect(queries() - before).toBe(10);
  });

  it('costs nothing while nobody looks, and begins anew after a minute', async () => {
    const { store, clock, read } = watched();
    const start = await read(null);
    for (const letter of ['A', 'B']) await store.placeOrder(place(another(letter)));
    clock.ms += 61_000;
    const later = await read(start.position);
    expect(later.orders).toEqual([]);
    expect(later.position).toBe(await store.lastPosition());
  });

  it('has each change once, with what was placed', async () => {
    const { store, clock, read } = watched();
    const { position } = await read(null);
    const placed = another('A');
    await store.placeOrder(place(placed));
    await store.changeOrder(change({ orderId: placed.orderId, entry: entry() }));
    clock.ms += 1_000;
    const first = await read(position);
    expect(first.orders.map(({ id, placed }) => [id, placed])).toEqual([
      [placed.orderId, true],
      [placed.orderId, false],
    ]);
    clock.ms += 1_000;
    expect((await read(first.position)).orders).toEqual([]);
  });
});

describe('a store that is locked by another program', () => {
  it('is still shown, keeps what was typed, and takes it when it is free again', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const path = '/catalog/products/ML86/close';
    const form = {
      ...hiddenFields(await live.ask(path, { cookie })),
      step: 'perform',
      note: 'sold out since noon',
    };
    const other = new DatabaseSync(live.path);
    other.exec('BEGIN IMMEDIATE');
    for (const page of ['', '/catalog'])
      expect([page, (await live.ask(page, { cookie })).status]).toEqual([page, 200]);
    const rejected = await live.ask(path, { method: 'POST', cookie, form, headers: sameOrigin });
    expect(rejected.status).toBe(503);
    expect(rejected.text).toContain('so nothing was done');
    expect(rejected.text).toContain('sold out since noon');
    other.exec('ROLLBACK');
    other.close();
    await expect
      .poll(
        async () => (await live.ask(path, { method: 'POST', cookie, form, headers: sameOrigin })).status,
        {
          timeout: 10_000,
        },
      )
      .toBe(303);
    expect(await live.store.listCatalogEdits(5)).toHaveLength(1);
  }, 30_000);
});
