import { assertEqual } from '../../assertions.ts';
import { boundedOutcomes, type CallbackFilter, maxBoundedCallbacks, type Store } from '../store.ts';
import { callback, moment, ok } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

async function idsOf(store: Store, filter: Partial<CallbackFilter> = {}): Promise<string[]> {
  const found = await store.listCallbacks({ limit: 5_000, ...filter });
  return found.map(({ callbackId }) => callbackId);
}

const result = {
  callbackId: 'cb_1',
  outcome: 'unchanged',
  reason: 'Already paid.',
  orderId: 'INV-9',
  handledAt: moment + 99,
} as const;

export const callbackCases: StoreCase[] = [
  {
    name: 'a callback is kept byte for byte, under an id that is taken once',
    async run(store) {
      assertEqual(await store.findCallback('cb_1'), null, 'before');
      assertEqual(await store.addCallback(callback()), ok, 'add');
      assertEqual(await store.findCallback('cb_1'), callback(), 'found');
      const other = callback({ body: new Uint8Array(), reason: 'other', orderId: null });
      assertEqual(await store.addCallback(other), { conflict: 'callback_taken' }, 'the same id');
      assertEqual(await store.addCallback({ ...other, callbackId: 'cb_2' }), ok, 'an empty body');
      const found = await store.findCallback('cb_2');
      assertEqual([...(found?.body ?? [1])], [], 'body');
      assertEqual(await store.listCallbacks({ limit: 1 }), [{ ...other, callbackId: 'cb_2' }], 'listed');
    },
  },
  {
    name: 'callbacks are listed newest first, of one provider or outcome, page by page',
    async run(store) {
      const add = (callbackId: string, after: number, over = {}) =>
        store.addCallback(callback({ callbackId, receivedAt: moment + after, ...over }));
      await add('cb_b', 1);
      await add('cb_a', 1, { outcome: 'failed' });
      await add('cb_c', 0, { provider: 'digiflazz' });
      await add('cb_d', 2, { provider: 'digiflazz', outcome: 'failed' });
      assertEqual(await idsOf(store), ['cb_d', 'cb_b', 'cb_a', 'cb_c'], 'all');
      assertEqual(await idsOf(store, { provider: 'tripay' }), ['cb_b', 'cb_a'], 'of a provider');
      assertEqual(await idsOf(store, { outcome: 'failed' }), ['cb_d', 'cb_a'], 'of an outcome');
      const both = { provider: 'digiflazz', outcome: 'failed' } as const;
      assertEqual(await idsOf(store, both), ['cb_d'], 'of both');
      assertEqual(await idsOf(store, { limit: 2 }), ['cb_d', 'cb_b'], 'first page');
      const after = { receivedAt: moment + 1, callbackId: 'cb_b' };
      assertEqual(await idsOf(store, { after, limit: 2 }), ['cb_a', 'cb_c'], 'second page');
      assertEqual(await idsOf(store, { after, provider: 'tripay' }), ['cb_a'], 'page of a provider');
    },
  },
  ...boundedOutcomes.map(
    (outcome): StoreCase => ({
      name: `only the newest ${outcome} callbacks are kept, and every other one`,
      async run(store) {
        const add = (name: string, after: number, over = {}) =>
          store.addCallback(callback({ callbackId: `cb_${name}`, receivedAt: moment + after, ...over }));
        await add('genuine', 0);
        for (const other of boundedOutcomes) await add(`before-${other}`, 1, { outcome: other });
        await add('cared-for', 2, { outcome });
        await store.requestReplay('cb_cared-for');
        await store.finishReplay({ ...result, callbackId: 'cb_cared-for', outcome });
        const many = Array.from({ length: maxBoundedCallbacks + 2 }, (_, index) => index + 10);
        await Promise.all(many.toReversed().map((after) => add(String(after), after, { outcome })));
        const kept = await idsOf(store);
        const [other] = boundedOutcomes.filter((one) => one !== outcome);
        assertEqual(kept.length, maxBoundedCallbacks + 3, 'count');
        assertEqual(kept.slice(-4), ['cb_12', 'cb_cared-for', `cb_before-${other}`, 'cb_genuine'], 'oldest');
      },
    }),
  ),
  {
    name: 'a replay is made once for each request, and counted',
    async run(store) {
      assertEqual(await store.requestReplay('cb_1'), { conflict: 'callback_missing' }, 'of no callback');
      assertEqual(await store.finishReplay(result), { conflict: 'no_replay' }, 'finish that of no callback');
      await store.addCallback(callback());
      assertEqual(await store.finishReplay(result), { conflict: 'no_replay' }, 'not requested');
      assertEqual(await store.findReplays(10), [], 'none');
      assertEqual(await store.requestReplay('cb_1'), ok, 'request');
      assertEqual(await store.requestReplay('cb_1'), ok, 'again');
      assertEqual(await store.findReplays(10), [callback({ replay: true })], 'waiting');
      assertEqual(await store.finishReplay(result), ok, 'finish');
      assertEqual(await store.finishReplay(result), { conflict: 'no_replay' }, 'finish again');
      assertEqual(await store.findReplays(10), [], 'done');
      assertEqual(await store.findCallback('cb_1'), callback({ ...result, attempts: 2 }), 'result');
    },
  },
  {
    name: 'callbacks wait for their replay oldest first',
    async run(store) {
      for (const [index, after] of [3, 1, 2].entries()) {
        await store.addCallback(callback({ callbackId: `cb_${index}`, receivedAt: moment + after }));
        await store.requestReplay(`cb_${index}`);
      }
      assertEqual(
        (await store.findReplays(2)).map(({ callbackId }) => callbackId),
        ['cb_1', 'cb_2'],
        'two of them',
      );
    },
  },
];
