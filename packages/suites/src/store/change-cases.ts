import type { Store } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  catalog,
  change,
  claim,
  delivered,
  entry,
  expired,
  idOf,
  ok,
  paid,
  place,
  promo,
  reconciliation,
  refund,
  unit,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const { orderId } = another('A');

/** A change of everything that can belong to an order. */
const wholeChange = change({
  refunds: [refund()],
  to: expired,
  entry: entry({ to: expired, event: 'expired', by: 'clock' }),
  promo: 'release',
  units: [unit(1, { state: 'delivered' })],
  serialNumber: 'SN-1',
  settles: ['rec-1'],
});

async function prepare(store: Store): Promise<void> {
  await store.replaceCatalog(catalog([promo({ quota: 1 })]));
  await store.placeOrder(place(another('A'), { promo: claim() }));
  await store.addReconciliation(reconciliation());
}

async function assertUntouched(store: Store): Promise<void> {
  assertEqual(await store.findOrder(orderId), another('A'), 'order');
  assertEqual(await store.findOrderByReference('ref-A'), another('A'), 'order by reference');
  assertEqual(await store.findHistory(orderId), [], 'history');
  assertEqual(await store.findUnits(orderId), [], 'units');
  assertEqual(await store.findRefunds(orderId), [], 'refunds');
  assertEqual((await store.countPromoUses('TEN', claim().customer)).total, 1, 'uses');
}

export const changeCases: StoreCases = {
  'each change of a state has a place among those of all orders, which later changes have above it': async (
    store,
  ) => {
    const [a, b] = [orderId, another('B').orderId];
    await store.placeOrder(place(another('A')));
    await store.placeOrder(place(another('B')));
    const placed = await store.findChanges(0, 10);
    assertEqual(
      placed
        .map(({ entry, orderId: of, version }) => ({ entry, of, version }))
        .sort((x, y) => (x.of < y.of ? -1 : 1)),
      [a, b].map((of) => ({ entry: null, of, version: 1 })),
      'of new orders',
    );
    const start = placed.at(-1)?.position ?? 0;
    await store.changeOrder(change({ entry: entry() }));
    // The state stays as it is.
    await store.changeOrder(change({ version: 2, entry: null }));
    const first = await store.findChanges(start, 10);
    await store.changeOrder(change({ orderId: b, entry: entry() }));
    await store.changeOrder(change({ version: 3, entry: entry({ from: paid, to: delivered }) }));
    const rest = await store.findChanges(first.at(-1)?.position ?? 0, 10);

    const all = [...first, ...rest];
    const reported = all.map(({ orderId: of, entry }) => [of, entry?.to.buyStatus]);
    assertEqual(
      reported.filter(([of]) => of === a),
      [
        [a, paid.buyStatus],
        [a, delivered.buyStatus],
      ],
      'of one order',
    );
    assertEqual(
      reported.filter(([of]) => of === b),
      [[b, paid.buyStatus]],
      'of the other order',
    );
    assertEqual(
      all.filter(({ orderId: of }) => of === a).map(({ version }) => version),
      [2, 4],
      'the versions that they led to',
    );
    const places = all.map(({ position }) => position);
    assertEqual(
      places,
      [...new Set(places)].sort((x, y) => x - y),
      'each place is above the one before',
    );
    assertEqual(await store.findChanges(start, 10), all, 'again');
    assertEqual(await store.findChanges(start, 2), all.slice(0, 2), 'the first two');
    assertEqual(await store.lastPosition(), places.at(-1), 'the last place');
    assertEqual(await store.findChanges(places.at(-1) ?? 0, 10), [], 'after the last one');
  },
  'a change that is a conflict has no place, and places are not given again when orders are deleted': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    const [placed] = await store.findChanges(0, 10);
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ version: 9, entry: entry() }));
    assertEqual(await store.findChanges(placed?.position ?? 0, 10), [], 'a conflict');
    await store.changeOrder(change({ entry: entry() }));
    const [before] = await store.findChanges(placed?.position ?? 0, 10);
    await store.clearOrders();
    assertEqual(await store.findChanges(0, 10), [], 'deleted');
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ entry: entry() }));
    const [after] = await store.findChanges(before?.position ?? 0, 10);
    assertEqual(after?.orderId, orderId, 'above the place of the deleted one');
  },
  'an order is a change once it is visible, and not while it is reserved': async (store) => {
    const { payment, ...reserved } = another('A');
    await store.reserveOrder({ order: reserved, promo: null, response: null });
    assertEqual(await store.findChanges(0, 10), [], 'reserved');
    await store.finaliseOrder({ orderId, payment, response: null });
    const [placed, ...more] = await store.findChanges(0, 10);
    assertEqual([placed?.orderId, placed?.entry, more], [orderId, null, []], 'finalised');
    await store.finaliseOrder({ orderId, payment, response: null });
    await store.changeOrder(change({ entry: entry() }));
    const after = await store.findChanges(placed?.position ?? 0, 10);
    assertEqual(
      after.map(({ version }) => version),
      [2],
      'changed',
    );
    assertEqual(await store.findHistory(orderId), [entry()], 'history');
  },
  'a change stores the state, the serial number, the history and the units, and the version grows by one':
    async (store) => {
      await store.placeOrder(place(another('A')));
      await store.placeOrder(place(another('B')));
      const command = change({ entry: entry(), units: [unit(1)], serialNumber: 'SN-1' });
      assertEqual(await store.changeOrder(command), ok, 'change');
      const changed = another('A', { ...paid, serialNumber: 'SN-1', version: 2 });
      assertEqual(await store.findOrder(orderId), changed, 'order');
      assertEqual(await store.findOrderByReference('ref-A'), changed, 'order by reference');
      assertEqual(await store.findHistory(orderId), [entry()], 'history');
      assertEqual(await store.findUnits(orderId), [unit(1)], 'units');
      assertEqual(await store.findOrder(another('B').orderId), another('B'), 'another order');
    },
  'units and history belong to their order': async (store) => {
    for (const letter of 'ABC') await store.placeOrder(place(another(letter)));
    const lineOf = (letter: string) => entry({ at: letter.charCodeAt(0) });
    const unitOf = (letter: string) => unit(1, { reason: letter });
    for (const letter of 'CA')
      await store.changeOrder(
        change({ orderId: idOf(letter), entry: lineOf(letter), units: [unitOf(letter)] }),
      );
    for (const letter of 'AC') {
      assertEqual(await store.findHistory(idOf(letter)), [lineOf(letter)], `history of ${letter}`);
      assertEqual(await store.findUnits(idOf(letter)), [unitOf(letter)], `units of ${letter}`);
    }
    for (const id of [idOf('B'), idOf('Z')]) {
      assertEqual(await store.findHistory(id), [], `no history: ${id}`);
      assertEqual(await store.findUnits(id), [], `no units: ${id}`);
    }
  },
  'a change is stored only for the version that it was planned for': async (store) => {
    assertEqual(await store.changeOrder(change()), { conflict: 'order_missing' }, 'unknown order');
    await store.placeOrder(place(another('A')));
    assertEqual(await store.changeOrder(change({ version: 2 })), { conflict: 'order_changed' }, 'newer');
    assertEqual(await store.changeOrder(change()), ok, 'same');
    assertEqual(await store.changeOrder(change()), { conflict: 'order_changed' }, 'older');
    assertEqual(await store.changeOrder(change({ version: 2, to: delivered })), ok, 'next');
    assertEqual(await store.findOrder(orderId), another('A', { ...delivered, version: 3 }), 'order');
  },
  'only one of many concurrent changes of one version is stored': async (store) => {
    await store.placeOrder(place(another('A')));
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map((at) => store.changeOrder(change({ entry: entry({ at }) }))),
    );
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'stored');
    assertEqual((await store.findHistory(orderId)).length, 1, 'history');
    assertEqual((await store.findOrder(orderId))?.version, 2, 'version');
  },
  'a change for another version stores nothing': async (store) => {
    await prepare(store);
    assertEqual(
      await store.changeOrder({ ...wholeChange, version: 7 }),
      { conflict: 'order_changed' },
      'change',
    );
    await assertUntouched(store);
    assertEqual(await store.listReconciliations(), [reconciliation()], 'reconciliations');
  },
  'a change that settles a missing or closed reconciliation, or that of another order, stores nothing':
    async (store) => {
      await prepare(store);
      const returned = reconciliation({ reconciliationId: 'rec-2' });
      const foreign = reconciliation({ reconciliationId: 'rec-3', orderId: another('B').orderId });
      await store.addReconciliation(returned);
      await store.returnReconciliation('rec-2', 'sent back');
      await store.addReconciliation(foreign);
      for (const settled of ['rec-9', 'rec-2', 'rec-3'])
        assertEqual(
          await store.changeOrder({ ...wholeChange, settles: [settled] }),
          { conflict: 'order_changed' },
          settled,
        );
      await assertUntouched(store);
      assertEqual(
        (await store.listReconciliations()).map(({ state }) => state).sort(),
        ['open', 'open', 'returned'],
        'states',
      );
    },
  'changed units are stored with all their fields, others stay, and they are listed by number': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ units: [unit(10), unit(2), unit(1)] }));
    assertEqual(await store.findUnits(orderId), [unit(1), unit(2), unit(10)], 'first');
    const asked = unit(2, {
      attempt: 2,
      state: 'asked',
      askedAt: 5,
      nextAt: 7,
      supplier: 'depot',
      findBy: 'supplierId',
      supplierId: 'T',
      serialNumber: 'S',
      failureKind: 'region_mismatch',
      cost: 20_400,
      costSource: 'supplier',
      reason: 'R',
    });
    await store.changeOrder(change({ version: 2, units: [asked] }));
    assertEqual(await store.findUnits(orderId), [unit(1), asked, unit(10)], 'one changed');
    const settled = unit(2, { attempt: 3, state: 'failed', nextAt: null });
    await store.changeOrder(change({ version: 3, units: [settled] }));
    assertEqual(await store.findUnits(orderId), [unit(1), settled, unit(10)], 'fields are null again');
    const unknown = unit(2, { attempt: 3, state: 'unknown', nextAt: null, reason: 'nobody can be asked' });
    await store.changeOrder(change({ version: 4, units: [unknown] }));
    assertEqual(await store.findUnits(orderId), [unit(1), unknown, unit(10)], 'of unknown outcome');
  },
  'the history has a line for each change with an entry, in the order of the changes': async (store) => {
    await store.placeOrder(place(another('A')));
    const first = { unit: 1, attempt: 1, askedAt: 5, supplier: 'depot', supplierId: null, reason: 'R' };
    const attempts = [first, { ...first, unit: 2, supplierId: 'T' }];
    const lines = [
      entry(),
      entry({ event: 'undelivered', by: 'supplier', from: paid, to: { ...paid, buyStatus: 'Gagal' } }),
      entry({
        event: 'retried',
        by: 'operator',
        from: { ...paid, buyStatus: 'Gagal' },
        to: paid,
        attempts,
      }),
    ];
    for (const [index, line] of lines.entries())
      await store.changeOrder(change({ version: index + 1, to: line.to, entry: line }));
    assertEqual(await store.changeOrder(change({ version: 4, units: [unit(1)] })), ok, 'without an entry');
    assertEqual(await store.findHistory(orderId), lines, 'history');
  },
  'the serial number is that of the last change': async (store) => {
    await store.placeOrder(place(another('A')));
    const numbers = ['SN-1', 'SN-2', null];
    for (const [index, serialNumber] of numbers.entries()) {
      await store.changeOrder(change({ version: index + 1, serialNumber }));
      assertEqual((await store.findOrder(orderId))?.serialNumber, serialNumber, `after change ${index}`);
    }
  },
};
