import { assertEqual } from '../assertions.ts';
import { another, ok, order, place, reserve, response, used } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

export const idempotencyCases: StoreCases = {
  'an idempotency key is taken once, and the conflict returns the stored response byte for byte': async (
    store,
  ) => {
    await store.placeOrder(place(another('A'), { response: response() }));
    const second = place(another('B'), {
      response: response({ orderId: another('B').orderId, body: 'another', fingerprint: 'print-2' }),
    });
    assertEqual(
      await store.placeOrder(second),
      { conflict: 'idempotency_conflict', stored: response() },
      'second',
    );
    assertEqual(await store.findOrder(another('B').orderId), null, 'no second order');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), response(), 'found');
  },
  'an idempotency key belongs to its account': async (store) => {
    await store.placeOrder(place(another('A'), { response: response() }));
    for (const accountId of ['other', 'sho', 'shop2', 'SHOP', ''])
      assertEqual(await store.findIdempotentResponse(accountId, 'key-1'), null, `of ${accountId}`);
    for (const key of ['key-', 'key-11', 'KEY-1', ''])
      assertEqual(await store.findIdempotentResponse('shop', key), null, `by ${key}`);
    const other = place(another('B', { accountId: 'other' }), {
      response: response({ accountId: 'other', orderId: another('B').orderId }),
    });
    assertEqual(await store.placeOrder(other), ok, 'same key, another account');
  },
  'an idempotency key stays with its order after its response has expired, and after that was deleted':
    async (store) => {
      await store.placeOrder(place(another('A'), { response: response() }));
      const end = response().expiresAt;
      const later = response({ orderId: another('B').orderId, body: 'later', expiresAt: end + 86_400_000 });
      const second = place(another('B', { createdAt: end }), { response: later });
      assertEqual(
        await store.placeOrder(second),
        { conflict: 'idempotency_conflict', stored: response() },
        'expired',
      );
      assertEqual(await store.dropIdempotentResponses(end, 10), 1, 'deleted');
      const stored = used();
      assertEqual(await store.placeOrder(second), { conflict: 'idempotency_conflict', stored }, 'placed');
      assertEqual(
        await store.reserveOrder(reserve(another('B'), { response: { ...later, body: null, locale: null } })),
        { conflict: 'idempotency_conflict', stored },
        'reserved',
      );
      assertEqual(await store.findIdempotentResponse('shop', 'key-1'), stored, 'found');
      for (const [accountId, key] of [
        ['other', 'key-1'],
        ['shop', 'key-2'],
      ] as const)
        assertEqual(await store.findIdempotentResponse(accountId, key), null, `of ${accountId} by ${key}`);
      assertEqual(await store.findOrder(another('B').orderId), null, 'no second order');
      assertEqual(await store.placeOrder(place(another('B'))), ok, 'its id is still free');
    },
  'an order that is a conflict leaves its idempotency key free': async (store) => {
    await store.placeOrder(place(order()));
    await store.placeOrder(place(order(), { response: response() }));
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), null, 'response');
  },
  'only one of many concurrent orders with the same idempotency key is placed': async (store) => {
    const outcomes = await Promise.all(
      [...'ABCDEFGH'].map((letter) =>
        store.placeOrder(
          place(another(letter), {
            response: response({ orderId: another(letter).orderId, body: letter }),
          }),
        ),
      ),
    );
    const placed = outcomes.filter((outcome) => 'done' in outcome);
    assertEqual(placed.length, 1, 'placed');
  },
  'expired responses are deleted up to the limit, and no others; their keys stay': async (store) => {
    const end = response().expiresAt;
    for (const [index, letter] of [...'ABCD'].entries()) {
      const { orderId } = another(letter);
      // D has not expired yet.
      const kept = response({ orderId, key: letter, expiresAt: letter === 'D' ? end + 1 : end - index });
      await store.placeOrder(place(another(letter), { response: kept }));
    }
    assertEqual(await store.dropIdempotentResponses(end - 3, 10), 0, 'before any expires');
    assertEqual(await store.dropIdempotentResponses(end, 2), 2, 'first');
    assertEqual(await store.dropIdempotentResponses(end, 2), 1, 'the rest');
    assertEqual(await store.dropIdempotentResponses(end, 2), 0, 'nothing left');
    for (const letter of 'ABC') {
      const stored = used({ orderId: another(letter).orderId, key: letter });
      assertEqual(await store.findIdempotentResponse('shop', letter), stored, `deleted: ${letter}`);
    }
    assertEqual((await store.findIdempotentResponse('shop', 'D'))?.body, response().body, 'kept');
    assertEqual((await store.findOrder(another('A').orderId))?.orderId, another('A').orderId, 'order');
  },
  'no order gets a key while its expired response is being deleted': async (store) => {
    const end = response().expiresAt;
    await store.placeOrder(place(another('A'), { response: response() }));
    const outcomes = await Promise.all(
      [...'BCDE'].flatMap((letter) => [
        store.placeOrder(
          place(another(letter), { response: response({ orderId: another(letter).orderId }) }),
        ),
        store.dropIdempotentResponses(end, 10),
      ]),
    );
    const placed = outcomes.filter((outcome) => typeof outcome === 'object' && 'done' in outcome);
    assertEqual(placed, [], 'placed');
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), used(), 'found');
  },
};
