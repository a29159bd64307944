import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { catalog, key, moment, order, place, promo, reserve } from '../../suites/src/store/fixtures.ts';
import { readCompletionNames } from '../src/sqlite/index.ts';
import { makeStore, openedStore, orderNumber, rejectionOf, tempFolder } from './helpers/store-file.ts';
import { addWebhook } from './helpers/webhook.ts';

const storePath = (): string => join(tempFolder(), 'topup.db');

it('reads the names in a store, with a short description of each', async () => {
  const path = storePath();
  const store = await openedStore(path, 1);
  await store.replaceCatalog(catalog([promo({ code: 'TWENTY' }), promo({ code: 'TEN' })]));
  await store.createKey(key());
  await store.addCallback(callback());
  await addWebhook(store);

  expect(await readCompletionNames(path)).toEqual({
    orders: [{ name: 'INV-0', about: 'UNPAID / Pending' }],
    promos: [
      { name: 'TWENTY', about: '' },
      { name: 'TEN', about: '' },
    ],
    callbacks: [{ name: 'cb_1', about: 'provider, applied' }],
    keys: [{ name: 'key_1', about: 'web shop' }],
    webhooks: [{ name: 'ep_1', about: 'https://shop.example/hooks' }],
    events: [{ name: 'evt_1', about: 'order.paid' }],
    catalog: { categories: catalog().categories, games: [], payment_methods: [] },
  });
});

it('reads the newest 100 orders and callbacks, with the newest first', async () => {
  const path = storePath();
  const store = await openedStore(path, 101);
  for (let number = 0; number < 101; number += 1)
    await store.addCallback(callback({ callbackId: `cb_${number}`, receivedAt: moment + number }));

  const { orders, callbacks } = await readCompletionNames(path);

  expect(orders.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, at) => `INV-${100 - at}`));
  expect(callbacks.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, at) => `cb_${100 - at}`));
});

it('sorts orders with the same time by id, with the last id first', async () => {
  const path = storePath();
  const store = await openedStore(path, 3);
  const { createdAt } = orderNumber(2);
  const later = { ...order().payment, reference: 'ref-later' };
  await store.placeOrder(place(order({ orderId: 'INV-9', createdAt, payment: later })));

  const { orders } = await readCompletionNames(path);

  expect(orders.map(({ name }) => name)).toEqual(['INV-9', 'INV-2', 'INV-1', 'INV-0']);
});

it('leaves out orders without a payment, deleted promo codes, and revoked keys', async () => {
  const path = storePath();
  const store = await openedStore(path);
  await store.reserveOrder(reserve(order()));
  await store.replaceCatalog(catalog([promo()]));
  await store.replaceCatalog(catalog());
  await store.createKey(key({ keyId: 'key_2', hash: 'b'.repeat(64), createdAt: moment + 1 }));
  await store.createKey(key());
  await store.createKey(key({ keyId: 'key_3', hash: 'c'.repeat(64) }));
  await store.revokeKey('key_3', moment);

  const { orders, promos, keys } = await readCompletionNames(path);

  expect([orders, promos]).toEqual([[], []]);
  expect(keys.map(({ name }) => name)).toEqual(['key_1', 'key_2']);
});

it('reads a store without a catalogue', async () => {
  const path = storePath();
  await makeStore(path, 1);
  expect(await readCompletionNames(path)).toMatchObject({
    ...{ orders: [{ name: 'INV-0' }], callbacks: [], catalog: null },
  });
});

it("doesn't create a missing store", async () => {
  const path = storePath();
  expect(await rejectionOf(readCompletionNames(path))).toMatchObject({ problem: 'missing' });
  expect(existsSync(path)).toBe(false);
});
