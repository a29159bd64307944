import { describe, expect, it } from 'vitest';
import { catalog, order, promo } from '../../suites/src/store/fixtures.ts';
import { storeSuite } from '../../suites/src/store/index.ts';
import { createMemoryStore } from '../src/features/store.ts';

describe('memory store', () => {
  for (const { name, run } of storeSuite) it(name, () => run(createMemoryStore()));
});

describe('memory store from a snapshot', () => {
  for (const { name, run } of storeSuite)
    it(name, () => run(createMemoryStore(createMemoryStore().snapshot())));

  const place = (store: ReturnType<typeof createMemoryStore>) =>
    store.placeOrder({
      order: order(),
      promo: { code: 'TEN', customer: '62812', perCustomer: 1 },
      response: null,
    });

  it("keeps the snapshot's content, without later changes", async () => {
    const first = createMemoryStore();
    await first.replaceCatalog(catalog([promo({ per_customer: 1 })]));
    const before = first.snapshot();
    await place(first);
    await first.moveWorld(1_000);
    const after = first.snapshot();

    const early = createMemoryStore(before);
    expect(await early.findOrder(order().orderId)).toBeNull();
    expect(await early.readWorldOffset()).toBe(0);
    expect(await early.readCatalog()).toEqual(await first.readCatalog());
    const late = createMemoryStore(after);
    expect(await late.findOrder(order().orderId)).toEqual(order());
    expect(await late.countPromoUses('TEN', '62812')).toEqual({ total: 1, byCustomer: 1 });
    expect(await late.nextDueAt()).toBe(order().expiresAt);
  });

  it('shares nothing with another store from the same snapshot', async () => {
    const empty = createMemoryStore().snapshot();
    const [one, other] = [createMemoryStore(empty), createMemoryStore(empty)];
    await place(one);
    expect(await other.findOrder(order().orderId)).toBeNull();
    expect(await place(other)).toEqual({ done: true });
  });
});
