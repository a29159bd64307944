import { assertEqual } from '../../assertions.ts';
import { another, answer, moment, ok, order, place } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

export const answerCases: StoreCase[] = [
  {
    name: 'an idempotency key is taken once, and gives the stored answer back byte for byte',
    async run(store) {
      await store.placeOrder(place(another('A'), { answer: answer() }));
      const second = place(another('B'), {
        answer: answer({ orderId: another('B').orderId, body: 'another', fingerprint: 'print-2' }),
      });
      assertEqual(
        await store.placeOrder(second),
        { conflict: 'idempotency_conflict', stored: answer() },
        'second',
      );
      assertEqual(await store.findOrder(another('B').orderId), null, 'no second order');
      assertEqual(await store.findAnswer('shop', 'key-1', moment), answer(), 'found');
    },
  },
  {
    name: 'an idempotency key belongs to its account',
    async run(store) {
      await store.placeOrder(place(another('A'), { answer: answer() }));
      assertEqual(await store.findAnswer('other', 'key-1', moment), null, 'of another account');
      const other = place(another('B', { accountId: 'other' }), {
        answer: answer({ accountId: 'other', orderId: another('B').orderId }),
      });
      assertEqual(await store.placeOrder(other), ok, 'same key, another account');
    },
  },
  {
    name: 'an idempotency key is free again once it expired',
    async run(store) {
      await store.placeOrder(place(another('A'), { answer: answer() }));
      const end = answer().expiresAt;
      assertEqual(await store.findAnswer('shop', 'key-1', end - 1), answer(), 'before');
      assertEqual(await store.findAnswer('shop', 'key-1', end), null, 'after');
      const later = answer({ orderId: another('B').orderId, body: 'later', expiresAt: end + 86_400_000 });
      const second = place(another('B', { createdAt: end }), { answer: later });
      assertEqual(await store.placeOrder(second), ok, 'taken anew');
      assertEqual(await store.findAnswer('shop', 'key-1', end), later, 'new answer');
    },
  },
  {
    name: 'an order that is refused leaves its idempotency key free',
    async run(store) {
      await store.placeOrder(place(order()));
      await store.placeOrder(place(order(), { answer: answer() }));
      assertEqual(await store.findAnswer('shop', 'key-1', moment), null, 'answer');
    },
  },
  {
    name: 'of many concurrent orders under one idempotency key, one is placed',
    async run(store) {
      const outcomes = await Promise.all(
        [...'ABCDEFGH'].map((letter) =>
          store.placeOrder(
            place(another(letter), { answer: answer({ orderId: another(letter).orderId, body: letter }) }),
          ),
        ),
      );
      const placed = outcomes.filter((outcome) => 'done' in outcome);
      assertEqual(placed.length, 1, 'placed');
    },
  },
  {
    name: 'answers that expired are forgotten, so many at a time, and no others',
    async run(store) {
      const end = answer().expiresAt;
      for (const [index, letter] of [...'ABCD'].entries()) {
        const { orderId } = another(letter);
        // D is the one that is still kept.
        const kept = answer({ orderId, key: letter, expiresAt: letter === 'D' ? end + 1 : end - index });
        await store.placeOrder(place(another(letter), { answer: kept }));
      }
      assertEqual(await store.purgeAnswers(end - 3, 10), 0, 'before any expired');
      assertEqual(await store.purgeAnswers(end, 2), 2, 'first');
      assertEqual(await store.purgeAnswers(end, 2), 1, 'the rest');
      assertEqual(await store.purgeAnswers(end, 2), 0, 'nothing left');
      for (const letter of 'ABC')
        assertEqual(await store.findAnswer('shop', letter, moment), null, `forgotten: ${letter}`);
      assertEqual((await store.findAnswer('shop', 'D', moment))?.key, 'D', 'kept');
      assertEqual((await store.findOrder(another('A').orderId))?.orderId, another('A').orderId, 'order');
    },
  },
];
