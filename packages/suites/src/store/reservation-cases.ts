import { assertEqual } from '../assertions.ts';
import {
  another,
  catalog,
  change,
  claim,
  idOf,
  inFlight,
  moment,
  ok,
  place,
  promo,
  reserve,
  response,
  withoutPayment,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const { orderId } = another('A');
const missing = { conflict: 'order_missing' };
const late = moment + 86_400_000_000;

export const reservationCases: StoreCases = {
  'a reserved order is not visible': async (store) => {
    assertEqual(await store.reserveOrder(reserve(another('A'))), ok, 'reserve');
    assertEqual(await store.findOrder(orderId), null, 'by id');
    assertEqual(await store.findOrderByReference('ref-A'), null, 'by reference');
    assertEqual(await store.listOrders({ limit: 10 }), [], 'list');
    assertEqual(await store.listOrders({ accountId: 'shop', limit: 10 }), [], 'list of its account');
    assertEqual(await store.findOverdueOrders(late, 10), [], 'overdue');
    assertEqual(await store.nextDueAt(), null, 'next due');
    assertEqual(await store.changeOrder(change()), missing, 'change');
    assertEqual(await store.findReservedOrders(10), [withoutPayment(another('A'))], 'reserved');
  },
  'a reserved order is found by its id until it is placed': async (store) => {
    assertEqual(await store.findReservedOrder(orderId), null, 'unknown');
    await store.reserveOrder(reserve(another('A')));
    assertEqual(await store.findReservedOrder(orderId), withoutPayment(another('A')), 'reserved');
    await store.finaliseOrder({ orderId, payment: another('A').payment, response: null });
    assertEqual(await store.findReservedOrder(orderId), null, 'placed');
  },
  'the id, unique code, promo use and idempotency key of a reserved order are taken': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    const first = reserve(another('A', {}, 7), { promo: claim(), response: inFlight() });
    assertEqual(await store.reserveOrder(first), ok, 'reserve');
    const expectConflict = async (
      letter: string,
      conflict: object,
      extra: object,
      code = 0,
    ): Promise<void> => {
      const other = another(letter, { payment: { ...another('B').payment } }, code);
      assertEqual(await store.reserveOrder(reserve(other, extra)), conflict, 'to another reservation');
      assertEqual(await store.placeOrder(place(other, extra)), conflict, 'to another order');
    };
    await expectConflict('A', { conflict: 'order_id_taken' }, {});
    await expectConflict('B', { conflict: 'code_taken' }, {}, 7);
    await expectConflict('B', { conflict: 'promo_exhausted' }, { promo: claim() });
    const stored = { conflict: 'idempotency_conflict', stored: inFlight() };
    await expectConflict('B', stored, { response: response({ orderId: idOf('B') }) });
    assertEqual((await store.countPromoUses('TEN', claim().customer)).byCustomer, 1, 'uses');
    assertEqual(await store.findReservedOrders(10), [withoutPayment(another('A', {}, 7))], 'reserved');
  },
  'a reservation cannot take the id, unique code, promo use or key of a placed order': async (store) => {
    await store.replaceCatalog(catalog([promo({ per_customer: 1 })]));
    const once = claim({ perCustomer: 1 });
    await store.placeOrder(place(another('A', {}, 7), { promo: once, response: response() }));
    const outcomeOf = (letter: string, extra: object, code = 0) =>
      store.reserveOrder(reserve(another(letter, {}, code), extra));
    const stored = { conflict: 'idempotency_conflict', stored: response() };
    assertEqual(await outcomeOf('B', { response: inFlight({ orderId: idOf('B') }) }), stored, 'key');
    assertEqual(await outcomeOf('A', {}), { conflict: 'order_id_taken' }, 'id');
    assertEqual(await outcomeOf('B', {}, 7), { conflict: 'code_taken' }, 'code');
    assertEqual(await outcomeOf('B', { promo: once }), { conflict: 'promo_used' }, 'promo');
    assertEqual(await store.findReservedOrders(10), [], 'reserved');
  },
  'the idempotency key of a reserved order has no response yet': async (store) => {
    await store.reserveOrder(reserve(another('A'), { response: inFlight() }));
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), inFlight(), 'response');
  },
  'reserved orders are found oldest first, up to the limit': async (store) => {
    const at = (letter: string, createdAt: number) => another(letter, { createdAt });
    for (const reserved of [at('A', moment + 2), at('B', moment), at('C', moment + 1)])
      await store.reserveOrder(reserve(reserved));
    const idsOf = async (limit: number) =>
      (await store.findReservedOrders(limit)).map(({ orderId: id }) => id);
    assertEqual(await idsOf(10), ['B', 'C', 'A'].map(idOf), 'all');
    assertEqual(await idsOf(2), ['B', 'C'].map(idOf), 'two');
  },
  'a quota is exact under concurrent reservations and orders': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 3 })]));
    const outcomes = await Promise.all(
      [...'ABCDEFGH'].map((letter, index) =>
        index % 2
          ? store.placeOrder(place(another(letter), { promo: claim() }))
          : store.reserveOrder(reserve(another(letter), { promo: claim() })),
      ),
    );
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 3, 'taken');
    assertEqual((await store.countPromoUses('TEN', '')).total, 3, 'uses');
  },
};
