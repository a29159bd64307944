import { expect, it } from 'vitest';
import { createFeed } from '../../core/src/engine/feed.ts';
import { moment, order, place } from '../../suites/src/store/fixtures.ts';
import { createSqliteStore } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

it('starts with events after all earlier orders, even after a burst of orders', async () => {
  await using folder = await temporaryFolder();
  const store = createSqliteStore({ path: `${folder.path}/topup.db` });
  const orders = Array.from({ length: 1_201 }, (_, index) => {
    const orderId = `INV-20260328100000-${String(index).padStart(8, 'A')}`;
    return order({ orderId, payment: { ...order().payment, reference: `ref-${index}` } });
  });
  await Promise.all(orders.map((placed) => store.placeOrder(place(placed))));
  // Safe: nothing else is used while there is no event.
  const read = createFeed({ store, realClock: () => moment } as unknown as Parameters<typeof createFeed>[0]);
  const now = await read('shop', { after: undefined, limit: 100 });
  expect(now?.events).toEqual([]);
  expect((await read('shop', { after: now?.cursor, limit: 100 }))?.events).toEqual([]);
  await store.close();
});
