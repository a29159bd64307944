import type { FinaliseOrder } from '@topup-kit/core/store';
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

const finalise = (letter: string, over: Partial<FinaliseOrder> = {}): FinaliseOrder => ({
  orderId: idOf(letter),
  payment: another(letter).payment,
  response: { body: response().body ?? '', locale: 'id' },
  ...over,
});

/** Cases for the two ways in which a reserved order ends: finalised or abandoned. */
export const lastStepCases: StoreCases = {
  'a finalised order is complete and visible': async (store) => {
    const whole = another('A', {}, 7);
    await store.reserveOrder(reserve(whole, { promo: claim(), response: inFlight() }));
    assertEqual(await store.finaliseOrder(finalise('A')), ok, 'finalise');
    assertEqual(await store.findOrder(orderId), whole, 'by id');
    assertEqual(await store.findOrderByReference('ref-A'), whole, 'by reference');
    assertEqual(await store.listOrders({ accountId: 'shop', limit: 10 }), [whole], 'list');
    assertEqual(await store.findOverdueOrders(late, 10), [whole], 'overdue');
    assertEqual(await store.nextDueAt(), whole.expiresAt, 'next due');
    assertEqual(await store.findReservedOrders(10), [], 'reserved');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), response(), 'response');
    assertEqual((await store.countPromoUses('TEN', claim().customer)).total, 1, 'uses');
    assertEqual(await store.placeOrder(place(another('B', {}, 7))), { conflict: 'code_taken' }, 'its code');
    assertEqual(await store.changeOrder(change()), ok, 'change');
  },
  'payment fields that the gateway does not return stay null': async (store) => {
    const payment = { reference: 'ref-A', code: null, url: null, qrString: '00020101“≥”' };
    await store.reserveOrder(reserve(another('A')));
    await store.finaliseOrder(finalise('A', { payment }));
    assertEqual((await store.findOrder(orderId))?.payment, payment, 'payment');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), null, 'no key, no response');
  },
  'an order that is finalised without a response frees its key, and keeps all else that it claimed': async (
    store,
  ) => {
    await store.reserveOrder(reserve(another('A', {}, 7), { promo: claim(), response: inFlight() }));
    assertEqual(await store.finaliseOrder(finalise('A', { response: null })), ok, 'finalise');
    assertEqual(await store.findOrder(orderId), another('A', {}, 7), 'order');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), null, 'response');
    assertEqual((await store.countPromoUses('TEN', claim().customer)).total, 1, 'uses');
  },
  'only a reserved order can be finalised, and only once': async (store) => {
    assertEqual(await store.finaliseOrder(finalise('A')), missing, 'unknown order');
    await store.placeOrder(place(another('B')));
    assertEqual(await store.finaliseOrder(finalise('B')), missing, 'placed order');
    await store.reserveOrder(reserve(another('A'), { response: inFlight() }));
    await store.finaliseOrder(finalise('A'));
    const again = finalise('A', {
      payment: another('C').payment,
      response: { body: 'again', locale: 'en' },
    });
    assertEqual(await store.finaliseOrder(again), missing, 'again');
    assertEqual(await store.findOrder(orderId), another('A'), 'order');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), response(), 'response');
  },
  'an order whose payment reference is taken stays reserved': async (store) => {
    await store.placeOrder(place(another('B')));
    await store.reserveOrder(reserve(another('A'), { response: inFlight() }));
    const taken = finalise('A', { payment: another('B').payment });
    assertEqual(await store.finaliseOrder(taken), { conflict: 'reference_taken' }, 'finalise');
    assertEqual(await store.findOrder(orderId), null, 'order');
    assertEqual(await store.findReservedOrders(10), [withoutPayment(another('A'))], 'reserved');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), inFlight(), 'response');
    assertEqual(await store.finaliseOrder(finalise('A')), ok, 'with another reference');
  },
  'an abandoned order is deleted, and all that it claimed is free again': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    const command = reserve(another('A', {}, 7), { promo: claim(), response: inFlight() });
    await store.reserveOrder(command);
    assertEqual(await store.abandonOrder(orderId), ok, 'abandon');
    assertEqual(await store.findReservedOrders(10), [], 'reserved');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), null, 'response');
    assertEqual((await store.countPromoUses('TEN', claim().customer)).total, 0, 'uses');
    assertEqual(await store.finaliseOrder(finalise('A')), missing, 'finalise');
    assertEqual(await store.reserveOrder(command), ok, 'reserved again');
  },
  'only a reserved order can be abandoned, and only once': async (store) => {
    assertEqual(await store.abandonOrder(orderId), missing, 'unknown order');
    await store.reserveOrder(reserve(another('A')));
    await store.abandonOrder(orderId);
    assertEqual(await store.abandonOrder(orderId), missing, 'again');
    await store.placeOrder(place(another('B'), { response: response({ orderId: idOf('B') }) }));
    assertEqual(await store.abandonOrder(idOf('B')), missing, 'placed order');
    assertEqual(await store.findOrder(idOf('B')), another('B'), 'order');
    const kept = response({ orderId: idOf('B') });
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), kept, 'its response');
  },
  'only one of several concurrent last steps of an order is stored': async (store) => {
    await store.reserveOrder(reserve(another('A')));
    const outcomes = await Promise.all([
      store.finaliseOrder(finalise('A')),
      store.abandonOrder(orderId),
      store.finaliseOrder(finalise('A')),
    ]);
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'taken');
  },
  'a reserved order keeps its key, however long it is reserved': async (store) => {
    const end = inFlight().expiresAt;
    await store.reserveOrder(reserve(another('A'), { response: inFlight() }));
    assertEqual(await store.dropIdempotentResponses(end, 10), 0, 'none deleted');
    const later = reserve(another('B', { createdAt: end }), { response: inFlight({ orderId: idOf('B') }) });
    const stored = inFlight();
    assertEqual(await store.reserveOrder(later), { conflict: 'idempotency_conflict', stored }, 'in flight');
    await store.finaliseOrder(finalise('A'));
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), response(), 'after finalise');
  },
};
