import type { StoredOrder } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, ok, place, reserve } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

const withPage = (letter: string, pageReference: string | null): StoredOrder =>
  another(letter, { pageReference });
const taken = { conflict: 'order_id_taken' };

export const pageCases: StoreCase[] = [
  {
    name: "an order with a page reference is found by it, and its page not by the gateway's reference",
    async run(store) {
      const order = withPage('A', 'page-a');
      await store.placeOrder(place(order));
      assertEqual(await store.findOrderByPage('page-a'), order, 'by its page reference');
      assertEqual(await store.findOrderByPage('ref-A'), null, "by the gateway's");
      assertEqual(await store.findOrderByReference('ref-A'), order, 'of the payment');
      assertEqual(await store.findOrderByReference('page-a'), null, 'the page reference is no payment');
      assertEqual(await store.findOrderByPage('other'), null, 'unknown');
    },
  },
  {
    name: "the page of an order without a page reference is found by the gateway's reference",
    async run(store) {
      const order = withPage('A', null);
      await store.placeOrder(place(order));
      await store.placeOrder(place(withPage('B', null)));
      assertEqual(await store.findOrderByPage('ref-A'), order, 'found');
    },
  },
  {
    name: "a page reference counts before a gateway's reference that is the same",
    async run(store) {
      const order = withPage('A', 'ref-B');
      await store.placeOrder(place(withPage('B', null)));
      await store.placeOrder(place(order));
      assertEqual(await store.findOrderByPage('ref-B'), order, 'found');
    },
  },
  {
    name: 'a page reference can be taken only once, and an abandoned order frees it',
    async run(store) {
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
  },
];
