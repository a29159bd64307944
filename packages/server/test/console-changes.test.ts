import { type OrderChange, StoreError } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { createChanges } from '../src/features/console/changes.ts';

class LockedError extends StoreError {
  override readonly retryAfter = 1;
  override readonly isReported = true;
}

/** A store that only has changes of orders, and counts what it is asked. */
function changingStore() {
  const changes: OrderChange[] = [];
  const asked = { count: 0 };
  return {
    asked,
    change(count: number): void {
      for (let left = count; left > 0; left -= 1) {
        const position = changes.length + 1;
        changes.push({ position, orderId: `INV-${position}`, version: 1, entry: null });
      }
    },
    async lastPosition() {
      asked.count += 1;
      return changes.length;
    },
    async findChanges(after: number, limit: number) {
      asked.count += 1;
      return changes.slice(after, after + limit);
    },
  };
}

/** Opened pages that ask as the script of a page does: each from the place that it was told last. */
function openTabs(count: number, read: ReturnType<typeof createChanges>, position: number) {
  const tabs = Array.from({ length: count }, () => ({ position, seen: [] as string[] }));
  return {
    tabs,
    async ask(): Promise<void> {
      await Promise.all(
        tabs.map(async (tab) => {
          const since = await read(tab.position);
          tab.position = since.position;
          tab.seen.push(...since.orders.map(({ id }) => id));
        }),
      );
    },
  };
}

const orderIds = (count: number): string[] => Array.from({ length: count }, (_, index) => `INV-${index + 1}`);

describe('changes that opened pages notice', () => {
  it('queries the store once a second for any number of pages', async () => {
    const store = changingStore();
    let ms = 0;
    const read = createChanges({ store, failure: () => null, monotonicMs: () => ms });
    const { ask } = openTabs(50, read, (await read(null)).position);
    for (; ms < 3_000; ms += 100) await ask();
    // The first one asks where the sequence ends, too.
    expect(store.asked.count).toBe(4);
  });

  it("sends no queries without open pages, and doesn't report earlier changes to a later page", async () => {
    const store = changingStore();
    let ms = 0;
    const read = createChanges({ store, failure: () => null, monotonicMs: () => ms });
    await read(null);
    const { count } = store.asked;
    store.change(10_000);
    ms += 3_600_000;
    expect(store.asked.count).toBe(count);
    expect(await read(null)).toEqual({ position: 10_000, orders: [] });
  });

  it('reports each change once to every page, even if 600 changes happen together', async () => {
    const store = changingStore();
    let ms = 0;
    const read = createChanges({ store, failure: () => null, monotonicMs: () => ms });
    const { tabs, ask } = openTabs(50, read, (await read(null)).position);
    store.change(600);
    for (; ms < 4_000; ms += 500) await ask();
    for (const { seen } of tabs) expect(seen).toEqual(orderIds(600));
  });

  it('reports changes to a page that asks a few seconds late', async () => {
    const store = changingStore();
    let ms = 0;
    const read = createChanges({ store, failure: () => null, monotonicMs: () => ms });
    const { position } = await read(null);
    const [often, seldom] = [openTabs(1, read, position), openTabs(1, read, position)];
    for (; ms < 10_000; ms += 1_000) {
      store.change(100);
      await often.ask();
    }
    await seldom.ask();
    expect(seldom.tabs[0]?.seen).toEqual(often.tabs[0]?.seen);
  });

  it('reports changes as soon as the store works again', async () => {
    const store = changingStore();
    let ms = 0;
    let fails = false;
    const failing = {
      ...store,
      findChanges: (after: number, limit: number) =>
        fails ? Promise.reject(new LockedError()) : store.findChanges(after, limit),
    };
    const read = createChanges({ store: failing, failure: () => null, monotonicMs: () => ms });
    const { tabs, ask } = openTabs(1, read, (await read(null)).position);
    store.change(3);
    fails = true;
    ms += 1_000;
    await ask();
    expect(tabs[0]?.seen).toEqual([]);
    fails = false;
    ms += 1_000;
    await ask();
    expect(tabs[0]?.seen).toEqual(orderIds(3));
  });

  it("doesn't delay pages while the store is locked, and reports changes afterwards", async () => {
    const store = changingStore();
    let ms = 0;
    const lock = Promise.withResolvers<void>();
    const locked = {
      ...store,
      async findChanges(after: number, limit: number) {
        await lock.promise;
        return store.findChanges(after, limit);
      },
    };
    const read = createChanges({ store: locked, failure: () => null, monotonicMs: () => ms });
    const begin = performance.now();
    const { position } = await read(null);
    store.change(3);
    const { tabs, ask } = openTabs(1, read, position);
    await ask();
    expect(performance.now() - begin).toBeLessThan(1_500);
    lock.resolve();
    await ask();
    ms += 1_000;
    await ask();
    expect(tabs[0]?.seen).toEqual(orderIds(3));
  });

  it("doesn't query a store that rejects writes, and reports changes afterwards", async () => {
    const store = changingStore();
    let ms = 0;
    let failure: Error | null = null;
    const read = createChanges({ store, failure: () => failure, monotonicMs: () => ms });
    const { tabs, ask } = openTabs(1, read, (await read(null)).position);
    store.change(3);
    failure = new LockedError();
    const { count } = store.asked;
    for (ms = 1_000; ms < 5_000; ms += 1_000) await ask();
    expect(store.asked.count).toBe(count);
    failure = null;
    ms += 1_000;
    await ask();
    expect(tabs[0]?.seen).toEqual(orderIds(3));
  });
});
