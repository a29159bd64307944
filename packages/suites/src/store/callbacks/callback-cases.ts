import {
  type CallbackFilter,
  type Store,
  type StoredCallback,
  unverifiedOutcomes,
} from '@topup-kit/core/store';
import { assertEqual } from '../../assertions.ts';
import { another, idOf, moment, ok, place } from '../fixtures.ts';
import type { StoreCases } from '../store-case.ts';

export const callback = (over: Partial<StoredCallback> = {}): StoredCallback => ({
  callbackId: 'cb_1',
  provider: 'provider',
  receivedAt: moment,
  address: '203.0.113.7',
  headers: { 'content-type': 'application/json', 'x-callback-signature': 'abc' },
  // Invalid UTF-8, because a signature covers bytes.
  body: new Uint8Array([0x7b, 0xff, 0x00, 0x7d]),
  sentBytes: null,
  outcome: 'applied',
  reason: null,
  orderId: another('A').orderId,
  handledAt: moment + 5,
  attempts: 1,
  replay: false,
  ...over,
});

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

const erasure = { at: moment + 5_000_000, by: 'ani' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function placeTwo(store: Store): Promise<void> {
  for (const letter of 'AB') await store.placeOrder(place(another(letter)));
}

const eraseFirst = (store: Store) =>
  store.eraseOrder({ orderId: idOf('A'), version: 1, customerHash: 'a'.repeat(64), erasure });

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
  'unverified callbacks are listed until an operator cares for them': async (store) => {
    for (const outcome of unverifiedOutcomes)
      for (const name of ['new', 'requested', 'replayed'])
        await store.addCallback(callback({ callbackId: `cb_${outcome}-${name}`, outcome, reason: name }));
    await store.addCallback(callback({ callbackId: 'cb_proven' }));
    for (const outcome of unverifiedOutcomes) {
      await store.requestReplay(`cb_${outcome}-requested`);
      await store.requestReplay(`cb_${outcome}-replayed`);
      await store.finishReplay({ ...result, callbackId: `cb_${outcome}-replayed`, outcome });
    }
    const listed = (await store.listUnverified()).toSorted((a, b) => (a.callbackId < b.callbackId ? -1 : 1));
    const { provider, receivedAt, address } = callback();
    assertEqual(
      listed,
      unverifiedOutcomes.toSorted().map((outcome) => ({
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
  'unverified callbacks are added and deleted together, and all others stay as they are': async (store) => {
    const body = new Uint8Array([1, 2, 3, 4]);
    const unverified = (name: string) => callback({ callbackId: `cb_${name}`, outcome: 'rejected', body });
    const names = ['kept', 'dropped', 'cared-for'];
    for (const name of names) await store.addCallback(unverified(name));
    await store.addCallback(callback());
    await store.requestReplay('cb_cared-for');
    const added = callback({ callbackId: 'cb_added', outcome: 'ignored', body, sentBytes: 99 });
    const taken = callback({ callbackId: 'cb_kept', outcome: 'ignored' });
    assertEqual(
      await store.pruneUnverified({
        add: [added, taken],
        drop: ['cb_dropped', 'cb_cared-for', 'cb_1', 'cb_missing'],
      }),
      ok,
      'change',
    );
    const callbackOf = async (name: string) => store.findCallback(`cb_${name}`);
    assertEqual(await callbackOf('kept'), unverified('kept'), 'kept');
    assertEqual(await callbackOf('dropped'), null, 'dropped');
    assertEqual(await callbackOf('cared-for'), { ...unverified('cared-for'), replay: true }, 'cared for');
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
  'erasing an order erases what its callbacks say, and nothing of other callbacks': async (store) => {
    await placeTwo(store);
    const body = bytes('{"customer_no":"55544433"}');
    await store.addCallback(callback({ body }));
    const others = [
      callback({ callbackId: 'cb_2', orderId: idOf('B') }),
      callback({ callbackId: 'cb_3', orderId: null }),
    ];
    for (const callback of others) await store.addCallback(callback);
    assertEqual(await eraseFirst(store), ok, 'erased');
    const erased = await store.findCallback('cb_1');
    assertEqual(
      { ...erased, body: erased?.body.length },
      { ...callback(), headers: {}, body: 0, sentBytes: body.length },
      'what is left',
    );
    for (const callback of others)
      assertEqual(await store.findCallback(callback.callbackId), callback, 'another callback');
    assertEqual(await store.listErasures(), [{ ...erasure, orders: 1, callbacks: 1, events: 0 }], 'counted');
  },
  'callbacks of no order are found by digits in their bodies, and erased': async (store) => {
    const stray = { orderId: null, outcome: 'unmatched' } as const;
    const body = bytes('{"phone":"+6281277712345"}');
    await store.addCallback(callback({ callbackId: 'cb_a', ...stray, body }));
    await store.addCallback(callback({ callbackId: 'cb_b', ...stray }));
    await store.addCallback(callback({ callbackId: 'cb_c', body }));
    await store.addCallback(
      callback({
        callbackId: 'cb_d',
        ...stray,
        body: bytes('{"phone":"0812777123456","id":"981277712345"}'),
      }),
    );
    await store.requestReplay('cb_a');
    assertEqual(await store.findStrayCallbacks('81277712345'), ['cb_a'], 'found');
    assertEqual(await store.eraseCallbacks(['cb_a'], erasure), ok, 'erased');
    assertEqual(await store.findStrayCallbacks('81277712345'), [], 'found again');
    const erased = await store.findCallback('cb_a');
    assertEqual(
      { ...erased, body: erased?.body.length },
      { ...callback({ callbackId: 'cb_a', ...stray }), headers: {}, body: 0, sentBytes: body.length },
      'what is left',
    );
    assertEqual((await store.findCallback('cb_c'))?.body.length, body.length, 'that of an order');
  },
  'a callback of an erased order is stored without what it says, and one of another order with it': async (
    store,
  ) => {
    await placeTwo(store);
    await eraseFirst(store);
    const late = callback({ callbackId: 'cb_late', body: bytes('{"customer_no":"55544433"}') });
    assertEqual(await store.addCallback(late), ok, 'added');
    const stored = await store.findCallback('cb_late');
    assertEqual(
      { ...stored, body: stored?.body.length },
      { ...late, headers: {}, body: 0, sentBytes: late.body.length },
      'what is kept',
    );
    for (const orderId of [idOf('B'), null]) {
      const other = { ...late, callbackId: `cb_${orderId}`, orderId };
      await store.addCallback(other);
      const found = await store.findCallback(other.callbackId);
      assertEqual([found?.body.length, found?.sentBytes], [late.body.length, null], `of ${orderId}`);
    }
    // It belonged to no order before it was handled again.
    await store.requestReplay('cb_null');
    const handled = { callbackId: 'cb_null', outcome: 'applied', reason: null, handledAt: 9 } as const;
    assertEqual(await store.finishReplay({ ...handled, orderId: late.orderId }), ok, 'handled again');
    assertEqual((await store.findCallback('cb_null'))?.body.length, 0, 'handled again, it is not kept');
  },
  'erasures are counted by when they began and who made them': async (store) => {
    const later = { at: erasure.at + 1, by: 'budi' };
    for (const part of [erasure, later, erasure]) await store.eraseCallbacks([], part);
    await store.addCallback(callback({ callbackId: 'cb_a' }));
    await store.eraseCallbacks(['cb_a'], erasure);
    const none = { orders: 0, callbacks: 0, events: 0 };
    assertEqual(
      await store.listErasures(),
      [
        { ...later, ...none },
        { ...erasure, ...none, callbacks: 1 },
      ],
      'the newest first',
    );
  },
  'clearing a store deletes its callbacks': async (store) => {
    await store.addCallback(callback());
    assertEqual(await store.clearOrders(), ok, 'clear');
    assertEqual(await store.listCallbacks({ limit: 10 }), [], 'callbacks');
    assertEqual(await store.addCallback(callback()), ok, 'the same id again');
  },
};
