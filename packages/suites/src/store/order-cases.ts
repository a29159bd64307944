import type { StoredOrder } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, change, expired, moment, ok, order, place, reserve, unpaid } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

export const orderCases: StoreCases = {
  'orders of a target are found by its id from a moment on, also while they are reserved': async (store) => {
    const of = (id: string, createdAt = moment) => ({
      createdAt,
      target: { id, server: '2012', nickname: null },
    });
    await store.placeOrder(place(another('A', of('player'))));
    await store.placeOrder(place(another('B', of('player', moment - 1))));
    await store.placeOrder(place(another('C', of('other'))));
    await store.reserveOrder(reserve(another('D', of('player', moment + 5))));
    const ordersOf = async (id: string, since: number) =>
      (await store.findOrdersOfTarget(id, since)).map(({ orderId }) => orderId).sort();
    assertEqual(
      await ordersOf('player', moment),
      ['A', 'D'].map((letter) => another(letter).orderId),
      'since',
    );
    assertEqual((await ordersOf('player', 0)).length, 3, 'all');
    assertEqual(await ordersOf('nobody', 0), [], 'none');
    const [first] = await store.findOrdersOfTarget('other', 0);
    assertEqual(first?.target, { id: 'other', server: '2012', nickname: null }, 'target');
  },
  'an order is found by its id and by its payment reference, with all its fields': async (store) => {
    const placed = order();
    assertEqual(await store.placeOrder(place(placed)), ok, 'place');
    assertEqual(await store.findOrder(placed.orderId), placed, 'by id');
    assertEqual(await store.findOrderByReference('ref-a'), placed, 'by reference');
    assertEqual(await store.findOrder('INV-20260328100000-ZZZZZZZZ'), null, 'unknown id');
    assertEqual(await store.findOrderByReference('ref-z'), null, 'unknown reference');
  },
  'orders are found by their ids together, each once, without those that there are not': async (store) => {
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    await store.reserveOrder(reserve(another('C')));
    const idOf = (letter: string): string => another(letter).orderId;
    const found = async (letters: string): Promise<StoredOrder[]> =>
      (await store.findOrders([...letters].map(idOf))).toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
    assertEqual(await found('BZAC'), [another('A'), another('B')], 'both');
    assertEqual(await found('B'), [another('B')], 'one');
    assertEqual(await found(''), [], 'none');
  },
  'the progress of an order is the part of it that polling needs': async (store) => {
    const { orderId } = order();
    await store.placeOrder(place(order()));
    const placed = { orderId, accountId: order().accountId, expiresAt: order().expiresAt };
    assertEqual(await store.findProgress(orderId), { ...placed, ...unpaid }, 'placed');
    await store.changeOrder(change({ orderId, to: expired }));
    assertEqual(await store.findProgress(orderId), { ...placed, ...expired }, 'expired');
    assertEqual(await store.findProgress('INV-20260328100000-ZZZZZZZZ'), null, 'unknown id');
    await store.reserveOrder(reserve(another('B')));
    assertEqual(await store.findProgress(another('B').orderId), null, 'reserved');
  },
  'optional fields of an order are stored, both with a value and without one': async (store) => {
    const full = another('A', {
      target: { id: '1', server: '2', nickname: 'Budi “Ω”' },
      contact: { email: 'budi@example.id', whatsapp: '6281' },
      product: { ...order().product, image: 'http://localhost/p.svg' },
      payment: { reference: 'ref-A', code: null, url: null, qrString: '00020101“≥”' },
      serialNumber: 'SN-1',
      version: 4,
    });
    const payment = { ...another('B').payment, code: null };
    const bare = another('B', { target: { id: '1', server: null, nickname: null }, payment });
    for (const placed of [full, bare]) {
      await store.placeOrder(place(placed));
      assertEqual(await store.findOrder(placed.orderId), placed, placed.orderId);
    }
  },
  'an order id can be taken only once': async (store) => {
    await store.placeOrder(place(order()));
    const second = another('A', { orderId: order().orderId });
    assertEqual(await store.placeOrder(place(second)), { conflict: 'order_id_taken' }, 'second');
    assertEqual(await store.findOrderByReference('ref-A'), null, 'not stored');
  },
  'a payment reference can be taken only once': async (store) => {
    await store.placeOrder(place(order()));
    const second = another('B', { payment: order().payment });
    assertEqual(await store.placeOrder(place(second)), { conflict: 'reference_taken' }, 'second');
    assertEqual(await store.findOrder(second.orderId), null, 'not stored');
  },
  'an id that is taken counts before a payment reference that another order has': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.placeOrder(place(another('B')));
    const both = another('A', { payment: another('B').payment });
    assertEqual(await store.placeOrder(place(both)), { conflict: 'order_id_taken' }, 'both are taken');
  },
  'a unique code can be taken only once per method and total while its order is unpaid': async (store) => {
    await store.placeOrder(place(another('A', {}, 7)));
    assertEqual(await store.placeOrder(place(another('B', {}, 7))), { conflict: 'code_taken' }, 'same');
    assertEqual(await store.placeOrder(place(another('C', {}, 8))), ok, 'another code');
    const otherMethod = { ...order().paymentMethod, id: 99 };
    assertEqual(await store.placeOrder(place(another('D', { paymentMethod: otherMethod }, 7))), ok, 'method');
    assertEqual(await store.changeOrder(change({ to: expired })), ok, 'expire');
    assertEqual(await store.placeOrder(place(another('B', {}, 7))), ok, 'free again');
    assertEqual(await store.changeOrder(change({ version: 2 })), ok, 'a late payment of the first');
    const third = place(another('E', {}, 7));
    assertEqual(await store.placeOrder(third), { conflict: 'code_taken' }, 'still of the second');
    const { orderId, expiresAt } = another('B');
    assertEqual(await store.changeOrder(change({ orderId, to: unpaid })), ok, 'still unpaid');
    assertEqual(
      await store.placeOrder(third),
      { conflict: 'code_taken' },
      'after a change that pays nothing',
    );
    const overdue = await store.findOverdueOrders(expiresAt, 10);
    assertEqual(overdue.filter((order) => order.orderId === orderId).length, 1, 'and still expires');
  },
  'the totals that unpaid orders of a method have by their unique codes are found, also of reserved ones':
    async (store) => {
      const { id } = order().paymentMethod;
      const total = order().pricing.total_price;
      const otherMethod = { ...order().paymentMethod, id: 99 };
      await store.placeOrder(place(order()));
      await store.placeOrder(place(another('B', {}, 3)));
      await store.reserveOrder(reserve(another('C', {}, 5)));
      await store.placeOrder(place(another('D', { paymentMethod: otherMethod }, 4)));
      await store.placeOrder(place(another('E', {}, 9)));
      const codesBetween = async (lowest: number, highest: number): Promise<number[]> =>
        (await store.findTakenTotals(id, total + lowest, total + highest)).sort((a, b) => a - b);
      assertEqual(await codesBetween(1, 9), [total + 3, total + 5, total + 9], 'all');
      assertEqual(await codesBetween(3, 8), [total + 3, total + 5], 'the ends count');
      assertEqual(await codesBetween(4, 4), [], 'none of another method');
      assertEqual(await codesBetween(0, 0), [], 'none without a unique code');
      await store.changeOrder(change({ orderId: another('B').orderId, to: expired }));
      await store.abandonOrder(another('C').orderId);
      assertEqual(await codesBetween(1, 9), [total + 9], 'none that is free again');
    },
  'orders without a unique code may have the same total': async (store) => {
    assertEqual(await store.placeOrder(place(another('A'))), ok, 'first');
    assertEqual(await store.placeOrder(place(another('B'))), ok, 'second');
  },
  'a change of an order does not change the record that was passed to the store': async (store) => {
    const placed = order();
    await store.placeOrder(place(placed));
    await store.changeOrder(change({ orderId: placed.orderId, to: expired, serialNumber: 'SN-1' }));
    assertEqual(placed, order(), 'the given record');
  },
};

const withPage = (letter: string, pageReference: string | null): StoredOrder =>
  another(letter, { pageReference });
const taken = { conflict: 'order_id_taken' };

export const pageCases: StoreCases = {
  "an order with a page reference is found by it, and its page not by the gateway's reference": async (
    store,
  ) => {
    const order = withPage('A', 'page-a');
    await store.placeOrder(place(order));
    assertEqual(await store.findOrderByPage('page-a'), order, 'by its page reference');
    assertEqual(await store.findOrderByPage('ref-A'), null, "by the gateway's");
    assertEqual(await store.findOrderByReference('ref-A'), order, 'of the payment');
    assertEqual(await store.findOrderByReference('page-a'), null, 'the page reference is no payment');
    assertEqual(await store.findOrderByPage('other'), null, 'unknown');
  },
  "the page of an order without a page reference is found by the gateway's reference": async (store) => {
    const order = withPage('A', null);
    await store.placeOrder(place(order));
    await store.placeOrder(place(withPage('B', null)));
    assertEqual(await store.findOrderByPage('ref-A'), order, 'found');
  },
  "a page reference counts before a gateway's reference that is the same": async (store) => {
    const order = withPage('A', 'ref-B');
    await store.placeOrder(place(withPage('B', null)));
    await store.placeOrder(place(order));
    assertEqual(await store.findOrderByPage('ref-B'), order, 'found');
  },
  'a page reference can be taken only once, and an abandoned order frees it': async (store) => {
    const { orderId, payment } = withPage('A', 'page-a');
    assertEqual(await store.reserveOrder(reserve(withPage('A', 'page-a'))), ok, 'reserve');
    assertEqual(await store.findOrderByPage('page-a'), null, 'while it is reserved');
    assertEqual(await store.placeOrder(place(withPage('B', 'page-a'))), taken, 'of a reserved order');
    assertEqual(await store.reserveOrder(reserve(withPage('B', 'page-a'))), taken, 'reserved twice');
    await store.finaliseOrder({ orderId, payment, response: null });
    assertEqual(await store.findOrderByPage('page-a'), withPage('A', 'page-a'), 'finalised');
    assertEqual(await store.placeOrder(place(withPage('B', 'page-a'))), taken, 'of a placed order');
    await store.reserveOrder(reserve(withPage('C', 'page-c')));
    await store.abandonOrder(withPage('C', null).orderId);
    assertEqual(await store.placeOrder(place(withPage('B', 'page-c'))), ok, 'of an abandoned order');
    await store.clearOrders();
    assertEqual(await store.findOrderByPage('page-a'), null, 'cleared');
    assertEqual(await store.placeOrder(place(withPage('D', 'page-a'))), ok, 'after that');
  },
};
