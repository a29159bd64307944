import { type CallbackFilter, type Store, unprovenOutcomes } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { callback, moment, ok } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

async function idsOf(store: Store, filter: Partial<CallbackFilter> = {}): Promise<string[]> {
  const callbacks = await store.listCallbacks({ limit: 5_000, ...filter });
  return callbacks.map(({ callbackId }) => callbackId);
}

const result = {
  callbackId: 'cb_1',
  outcome: 'unchanged',
  reason: 'Already paid.',
  orderId: 'INV-9',
  handledAt: moment + 99,
} as const;

export const callbackCases: StoreCases = {
  'a callback is kept byte for byte, under an id that is taken once': async (store) => {
    assertEqual(await store.findCallback('cb_1'), null, 'before');
    assertEqual(await store.addCallback(callback()), ok, 'add');
    assertEqual(await store.findCallback('cb_1'), callback(), 'found');
    const other = callback({ body: new Uint8Array(), reason: 'other', orderId: null });
    assertEqual(await store.addCallback(other), { conflict: 'callback_taken' }, 'the same id');
    assertEqual(await store.addCallback({ ...other, callbackId: 'cb_2' }), ok, 'an empty body');
    const stored = await store.findCallback('cb_2');
    assertEqual([...(stored?.body ?? [1])], [], 'body');
    assertEqual(await store.listCallbacks({ limit: 1 }), [{ ...other, callbackId: 'cb_2' }], 'listed');
  },
  'callbacks are listed newest first, of one provider, outcome or order, page by page': async (store) => {
    const add = (callbackId: string, after: number, over = {}) =>
      store.addCallback(callback({ callbackId, receivedAt: moment + after, ...over }));
    await add('cb_b', 1);
    await add('cb_a', 1, { outcome: 'failed' });
    await add('cb_c', 0, { provider: 'other' });
    await add('cb_d', 2, { provider: 'other', outcome: 'failed' });
    assertEqual(await idsOf(store), ['cb_d', 'cb_b', 'cb_a', 'cb_c'], 'all');
    assertEqual(await idsOf(store, { provider: 'provider' }), ['cb_b', 'cb_a'], 'of a provider');
    assertEqual(await idsOf(store, { outcome: 'failed' }), ['cb_d', 'cb_a'], 'of an outcome');
    const both = { provider: 'other', outcome: 'failed' } as const;
    assertEqual(await idsOf(store, both), ['cb_d'], 'of both');
    await add('cb_e', 3, { orderId: 'INV-9' });
    assertEqual(await idsOf(store, { orderId: 'INV-9' }), ['cb_e'], 'of an order');
    assertEqual(await idsOf(store, { limit: 2 }), ['cb_e', 'cb_d'], 'first page');
    const after = { receivedAt: moment + 1, callbackId: 'cb_b' };
    assertEqual(await idsOf(store, { after, limit: 2 }), ['cb_a', 'cb_c'], 'second page');
    assertEqual(await idsOf(store, { after, provider: 'provider' }), ['cb_a'], 'page of a provider');
  },
  'unproven callbacks are listed until an operator cares for them': async (store) => {
    for (const outcome of unprovenOutcomes)
      for (const name of ['new', 'requested', 'replayed'])
        await store.addCallback(callback({ callbackId: `cb_${outcome}-${name}`, outcome, reason: name }));
    await store.addCallback(callback({ callbackId: 'cb_proven' }));
    for (const outcome of unprovenOutcomes) {
      await store.requestReplay(`cb_${outcome}-requested`);
      await store.requestReplay(`cb_${outcome}-replayed`);
      await store.finishReplay({ ...result, callbackId: `cb_${outcome}-replayed`, outcome });
    }
    const listed = (await store.listUnproven()).toSorted((a, b) => (a.callbackId < b.callbackId ? -1 : 1));
    const { provider, receivedAt, address } = callback();
    assertEqual(
      listed,
      unprovenOutcomes.toSorted().map((outcome) => ({
        callbackId: `cb_${outcome}-new`,
        outcome,
        reason: 'new',
        provider,
        receivedAt,
        address,
      })),
      'listed',
    );
  },
  'unproven callbacks are added and deleted together, and all others stay as they are': async (store) => {
    const body = new Uint8Array([1, 2, 3, 4]);
    const unproven = (name: string) => callback({ callbackId: `cb_${name}`, outcome: 'rejected', body });
    const names = ['kept', 'dropped', 'cared-for'];
    for (const name of names) await store.addCallback(unproven(name));
    await store.addCallback(callback());
    await store.requestReplay('cb_cared-for');
    const added = callback({ callbackId: 'cb_added', outcome: 'ignored', body, sentBytes: 99 });
    const taken = callback({ callbackId: 'cb_kept', outcome: 'ignored' });
    assertEqual(
      await store.keepUnproven({
        add: [added, taken],
        drop: ['cb_dropped', 'cb_cared-for', 'cb_1', 'cb_missing'],
      }),
      ok,
      'change',
    );
    const callbackOf = async (name: string) => store.findCallback(`cb_${name}`);
    assertEqual(await callbackOf('kept'), unproven('kept'), 'kept');
    assertEqual(await callbackOf('dropped'), null, 'dropped');
    assertEqual(await callbackOf('cared-for'), { ...unproven('cared-for'), replay: true }, 'cared for');
    assertEqual(await callbackOf('1'), callback(), 'proven');
    assertEqual(await callbackOf('added'), added, 'added');
  },
  'an address is that of a proven sender once a callback from it was proven': async (store) => {
    await store.addCallback(callback({ callbackId: 'cb_1', address: '192.0.2.1', outcome: 'rejected' }));
    await store.addCallback(callback({ callbackId: 'cb_2', address: '192.0.2.2', outcome: 'ignored' }));
    await store.addCallback(callback({ callbackId: 'cb_3', address: '192.0.2.3', outcome: 'unchanged' }));
    const asked = ['192.0.2.1', '192.0.2.3', '192.0.2.2', '192.0.2.9'];
    assertEqual(await store.findProvenSenders(asked), ['192.0.2.3'], 'of four');
    assertEqual(await store.findProvenSenders([]), [], 'of none');
    await store.requestReplay('cb_1');
    await store.finishReplay({ ...result, outcome: 'applied' });
    const proven = await store.findProvenSenders(asked);
    assertEqual(proven.toSorted(), ['192.0.2.1', '192.0.2.3'], 'after a replay');
  },
  'a replay is made once for each request, and counted': async (store) => {
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
  'callbacks wait for their replay oldest first': async (store) => {
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
};
