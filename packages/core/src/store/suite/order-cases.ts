import { assertEqual } from '../../assertions.ts';
import { another, expired, ok, order, place, unpaid } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

export const orderCases: StoreCase[] = [
  {
    name: 'an order is read whole, by its id and by its payment reference',
    async run(store) {
      const placed = order();
      assertEqual(await store.placeOrder(place(placed)), ok, 'place');
      assertEqual(await store.findOrder(placed.orderId), placed, 'by id');
      assertEqual(await store.findOrderByReference('ref-a'), placed, 'by reference');
      assertEqual(await store.findOrder('INV-20260328100000-ZZZZZZZZ'), null, 'unknown id');
      assertEqual(await store.findOrderByReference('ref-z'), null, 'unknown reference');
    },
  },
  {
    name: 'an order id is taken once',
    async run(store) {
      await store.placeOrder(place(order()));
      const second = another('A', { orderId: order().orderId });
      assertEqual(await store.placeOrder(place(second)), { conflict: 'order_id_taken' }, 'second');
      assertEqual(await store.findOrderByReference('ref-A'), null, 'nothing of it');
    },
  },
  {
    name: 'a payment reference is taken once',
    async run(store) {
      await store.placeOrder(place(order()));
      const second = another('B', { payment: order().payment });
      assertEqual(await store.placeOrder(place(second)), { conflict: 'reference_taken' }, 'second');
      assertEqual(await store.findOrder(second.orderId), null, 'nothing of it');
    },
  },
  {
    name: 'a unique code is taken once per method and total, until its order is no longer unpaid',
    async run(store) {
      await store.placeOrder(place(another('A', {}, 7)));
      assertEqual(await store.placeOrder(place(another('B', {}, 7))), { conflict: 'code_taken' }, 'same');
      assertEqual(await store.placeOrder(place(another('C', {}, 8))), ok, 'another code');
      const otherMethod = { ...order().paymentMethod, id: 99 };
      assertEqual(
        await store.placeOrder(place(another('D', { paymentMethod: otherMethod }, 7))),
        ok,
        'method',
      );
      const change = { orderId: another('A').orderId, from: unpaid, to: expired, releasePromo: true };
      assertEqual(await store.changeOrder(change), ok, 'expire');
      assertEqual(await store.placeOrder(place(another('B', {}, 7))), ok, 'free again');
    },
  },
  {
    name: 'orders without a unique code may have the same total',
    async run(store) {
      assertEqual(await store.placeOrder(place(another('A'))), ok, 'first');
      assertEqual(await store.placeOrder(place(another('B'))), ok, 'second');
    },
  },
  {
    name: 'a state changes only from the state it is in',
    async run(store) {
      const placed = order();
      const change = { orderId: placed.orderId, from: unpaid, to: expired, releasePromo: true };
      assertEqual(await store.changeOrder(change), { conflict: 'order_missing' }, 'unknown order');
      await store.placeOrder(place(placed));
      assertEqual(await store.changeOrder(change), ok, 'first');
      assertEqual(await store.changeOrder(change), { conflict: 'state_changed' }, 'second');
      assertEqual(await store.findOrder(placed.orderId), { ...placed, ...expired }, 'order');
    },
  },
  {
    name: 'what the engine keeps of an order it was given does not change it in the store',
    async run(store) {
      const placed = order();
      await store.placeOrder(place(placed));
      await store.changeOrder({ orderId: placed.orderId, from: unpaid, to: expired, releasePromo: false });
      assertEqual(placed, order(), 'the given record');
    },
  },
];
