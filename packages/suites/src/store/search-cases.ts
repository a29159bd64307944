import type { Store, StoredOrder } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, catalog, change, delivered, entry, moment, paid, place } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

/** Creates an unpaid order that is placed this many minutes after the others. */
const order = (letter: string, minutes: number, over: Partial<StoredOrder> = {}): StoredOrder => {
  const base = another(letter);
  return {
    ...base,
    createdAt: moment + minutes * 60_000,
    contact: { ...base.contact, whatsapp: `08120000000${minutes}`, email: `${letter}.Sari@example.com` },
    target: { ...base.target, id: `9000${minutes}`, nickname: `Player_${letter}%` },
    pricing: { ...base.pricing, total_price: 22_000 + minutes },
    ...over,
  };
};

const [first, second] = [order('A', 1), order('B', 2)];

async function pay(
  { orderId }: StoredOrder,
  store: Store,
  serialNumber: string | null = null,
): Promise<void> {
  const to = serialNumber === null ? paid : delivered;
  const version = serialNumber === null ? 1 : 2;
  const event = serialNumber === null ? 'paid' : 'delivered';
  await store.changeOrder(change({ orderId, version, to, serialNumber, entry: entry({ event, to }) }));
}

/** Places two orders: the first is delivered, the second is unpaid. */
async function fill(store: Store): Promise<void> {
  await store.replaceCatalog(catalog());
  for (const order of [first, second]) await store.placeOrder(place(order));
  await pay(first, store);
  await pay(first, store, 'SN-111, XY-222');
  while ((await store.indexForSearch(1)) > 0);
}

const found = async (store: Store, text: string, more: object = {}): Promise<string[]> =>
  (await store.searchOrders({ text, limit: 9, ...more })).map(({ orderId }) => orderId);

const lastPart = ({ orderId }: StoredOrder): string => orderId.split('-').at(-1) ?? '';

export const searchCases: StoreCases = {
  'an order is found by each thing that is known of it, before and after it is paid': async (store) => {
    await fill(store);
    for (const { orderId, contact, target, pricing, payment, product, ...order } of [first, second]) {
      const own = [
        ...[orderId, orderId.toLowerCase(), lastPart({ orderId } as StoredOrder), contact.email ?? ''],
        ...[(contact.email ?? '').slice(0, 6).toUpperCase(), target.nickname ?? '', target.id],
        ...[
          contact.whatsapp,
          `+62 ${contact.whatsapp.slice(1)}`,
          payment.reference,
          String(pricing.total_price),
        ],
        `Rp ${pricing.total_price.toLocaleString('de')}`,
      ];
      for (const text of own)
        assertEqual(await found(store, text), [orderId], `${text} of ${order.createdAt}`);
      const all = await found(store, product.code);
      assertEqual(all, [second.orderId, first.orderId], 'product code, newest first');
    }
  },
  'a delivered order is found by each of its serial numbers, and nothing by what only looks alike': async (
    store,
  ) => {
    await fill(store);
    assertEqual(await found(store, 'sn-111'), [first.orderId], 'first');
    assertEqual(await found(store, 'XY-2'), [first.orderId], 'second');
    for (const text of ['111', 'player_a_', 'player%', 'nickname', '22.003', '%%%', '___', "' OR 1=1"])
      assertEqual(await found(store, text), [], text);
  },
  'a search takes the filters of lists, and a limit': async (store) => {
    await fill(store);
    const { code } = first.product;
    assertEqual(await found(store, code, { limit: 1 }), [second.orderId], 'limit');
    assertEqual(await found(store, code, { paymentStatus: 'PAID' }), [first.orderId], 'payment');
    assertEqual(await found(store, code, { buyStatus: 'Pending' }), [second.orderId], 'delivery');
    assertEqual(await found(store, code, { from: second.createdAt }), [second.orderId], 'from');
    assertEqual(await found(store, code, { before: second.createdAt }), [first.orderId], 'before');
    assertEqual(await found(store, code, { gameId: 404 }), [], 'game');
    assertEqual(await found(store, code, { accountId: 'nobody' }), [], 'account');
  },
  'orders that are deleted are not found any more, and new ones are': async (store) => {
    await fill(store);
    await store.clearOrders();
    assertEqual(await found(store, first.product.code), [], 'deleted');
    await store.placeOrder(place(first));
    await pay(first, store);
    while ((await store.indexForSearch(100)) > 0);
    assertEqual(await found(store, lastPart(first)), [first.orderId], 'new');
  },
};
