import { describe, expect, it } from 'vitest';
import { another, change, moment, place, unit } from '../../suites/src/store/fixtures.ts';
import type { BuyStatus } from '../src/contract/index.ts';
import {
  dryRun,
  markOrder,
  noteOrder,
  OrderChangedError,
  refundOrder,
  retryOrder,
} from '../src/features/index.ts';
import { createMemoryStore, type OrderState, type StoredUnit, unitStates } from '../src/features/store.ts';

const { orderId } = another('A');
const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
const sukses = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
const proses = { paymentStatus: 'PAID', buyStatus: 'Proses' } as const;
const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;

type Contents = Partial<StoredUnit>[];

/** A store with one order in a state, whose units have these fields. */
async function orderIn(to: OrderState, units: Contents) {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const timed = (state: StoredUnit['state'] | undefined) =>
    state === 'waiting' || state === 'asked' ? moment + 60_000 : null;
  const complete = units.map((over, index) =>
    unit(index + 1, {
      askedAt: over.state === 'waiting' ? null : moment,
      nextAt: timed(over.state),
      serialNumber: over.state === 'delivered' ? `SN-${index + 1}` : null,
      ...over,
    }),
  );
  await store.changeOrder(change({ to, units: complete }));
  const deps = { store, worldClock: () => moment + 120_000, operator: 'ani' };
  return {
    ...deps,
    deps,
    async read() {
      const order = await store.findOrder(orderId);
      return { order, units: await store.findUnits(orderId), history: await store.findHistory(orderId) };
    },
  };
}

const note = 'seen in the records of the supplier';
const contradiction = 'The supplier reported attempt 1 as delivered after it had failed.';

describe('marking an order', () => {
  it('closes open units when an order is marked as delivered, and records the note and the proof', async () => {
    const { deps, read } = await orderIn(proses, [
      { state: 'delivered' },
      { state: 'unknown' },
      { state: 'asked' },
    ]);
    await markOrder(deps, orderId, { outcome: 'delivered', note, serialNumber: 'SN-77' });
    const { order, units, history } = await read();
    expect(order).toMatchObject({ ...sukses, serialNumber: 'SN-1, SN-77' });
    expect(units.map(({ state, nextAt }) => [state, nextAt])).toEqual(Array(3).fill(['delivered', null]));
    expect(history).toEqual([
      {
        ...{
          at: moment + 120_000,
          event: 'delivered',
          by: 'operator',
          operator: 'ani',
          from: proses,
          to: sukses,
        },
        ...{ note, serialNumber: 'SN-77' },
      },
    ]);
  });

  it('revokes deliveries when an order is marked as failed, and records their proof', async () => {
    const { deps, read } = await orderIn(sukses, [
      { state: 'delivered' },
      { state: 'delivered', serialNumber: null },
    ]);
    const mark = { outcome: 'failed', note } as const;
    const revoked = [
      { unit: 1, serialNumber: 'SN-1' },
      { unit: 2, serialNumber: null },
    ];
    expect(await markOrder(dryRun(deps), orderId, mark)).toMatchObject({ revoked });
    expect((await markOrder(dryRun(deps), orderId, { ...mark, unit: 2 })).revoked).toEqual(revoked.slice(1));
    expect((await read()).order).toMatchObject(sukses);
    await markOrder(deps, orderId, mark);
    expect(await read()).toMatchObject({
      order: { ...gagal, serialNumber: null },
      history: [{ event: 'undelivered', note, revoked }],
    });
  });

  it('revokes no delivery when an undelivered order is marked as failed', async () => {
    const { deps, read } = await orderIn(proses, [{ state: 'delivered' }, { state: 'unknown' }]);
    const mark = { outcome: 'failed', note } as const;
    expect(await markOrder(dryRun(deps), orderId, mark)).toMatchObject({ revoked: [] });
    await markOrder(deps, orderId, mark);
    expect((await read()).history[0]).not.toHaveProperty('revoked');
  });

  it('closes open units when an order is marked as failed, so that it can be refunded', async () => {
    const { deps, read } = await orderIn(proses, [{ state: 'unknown' }, { state: 'waiting' }]);
    await markOrder(deps, orderId, { outcome: 'failed', note });
    expect((await read()).order).toMatchObject(gagal);
    expect((await read()).units).toMatchObject(
      Array(2).fill({ state: 'failed', reason: note, nextAt: null }),
    );
    expect(await refundOrder(deps, orderId, { note: 'by bank' })).toMatchObject({ order: refunded });
    expect((await read()).history.at(-1)).toMatchObject({
      event: 'refunded',
      by: 'operator',
      note: 'by bank',
    });
  });

  it.each([
    ['delivered', gagal, 'failed', sukses],
    ['failed', sukses, 'delivered', gagal],
  ] as const)(
    'corrects the outcome of an order when an operator marks it as %s',
    async (outcome, from, state, to) => {
      const { deps, read } = await orderIn(from, [{ state }, { state }]);
      await markOrder(deps, orderId, { outcome, note });
      expect((await read()).order).toMatchObject(to);
      expect((await read()).units).toMatchObject(Array(2).fill({ state: outcome }));
    },
  );

  it('clears a contradiction when an operator marks the unit, and leaves clear outcomes unchanged', async () => {
    const { deps, read } = await orderIn(gagal, [{ state: 'failed', contradiction }, { state: 'failed' }]);
    await markOrder(deps, orderId, { outcome: 'delivered', note });
    expect((await read()).units).toMatchObject([
      { state: 'delivered', contradiction: null },
      { state: 'failed', contradiction: null },
    ]);
    expect((await read()).order).toMatchObject(gagal);
    expect(await retryOrder(deps, orderId)).toMatchObject(proses);
  });

  it('marks one unit and leaves the others, until all have an outcome', async () => {
    const { deps, read } = await orderIn(proses, [{ state: 'unknown' }, { state: 'unknown' }]);
    await markOrder(deps, orderId, { outcome: 'delivered', note, serialNumber: 'SN-77', unit: 2 });
    expect(await read()).toMatchObject({
      order: proses,
      units: [{ state: 'unknown' }, { state: 'delivered', serialNumber: 'SN-77' }],
    });
    await markOrder(deps, orderId, { outcome: 'failed', note, unit: 1 });
    expect(await read()).toMatchObject({
      order: gagal,
      units: [{ state: 'failed' }, { state: 'delivered' }],
    });
  });

  it.each([
    [3, 'The order has no item 3: it has the items 1 to 2.', []],
    [1, 'Item 1 is marked as delivered already.', [1]],
    [undefined, 'Every item of the order is marked as delivered already.', []],
  ])("explains why unit %s can't be marked", async (item, message, units) => {
    const { deps } = await orderIn(sukses, [{ state: 'delivered' }, { state: 'delivered' }]);
    const mark = { outcome: 'delivered', note, unit: item } as const;
    await expect(markOrder(deps, orderId, mark)).rejects.toMatchObject({ message, next: 'none', units });
  });

  it('confirms a contradicted delivery when the order is marked as delivered, and revokes no delivery', async () => {
    const { deps, read } = await orderIn(sukses, [{ state: 'delivered', contradiction }]);
    const marked = await markOrder(deps, orderId, { outcome: 'delivered', note });
    const { order, units, history } = await read();
    expect(marked).toEqual({ order, revoked: [] });
    expect(units).toMatchObject([{ state: 'delivered', contradiction: null, serialNumber: 'SN-1' }]);
    expect(history).toStrictEqual([
      {
        at: moment + 120_000,
        event: 'delivered',
        by: 'operator',
        operator: 'ani',
        from: sukses,
        to: sukses,
        note,
      },
    ]);
  });

  it('keeps a refund after a mark, and clears its contradiction', async () => {
    const { deps, read } = await orderIn(refunded, [{ state: 'failed', contradiction }]);
    await markOrder(deps, orderId, { outcome: 'delivered', note });
    expect(await read()).toMatchObject({
      order: refunded,
      units: [{ state: 'delivered', contradiction: null }],
    });
  });

  it.each<[string, OrderState, Contents, object]>([
    [
      'an order that is not paid',
      { paymentStatus: 'EXPIRED', buyStatus: 'Batal' },
      [],
      { code: 'STATE_CONFLICT' },
    ],
    ['a refund without a contradiction', refunded, [{ state: 'failed' }], { code: 'STATE_CONFLICT' }],
    ['an order that is delivered already', sukses, [{ state: 'delivered' }], { name: 'UnitsError' }],
  ])('rejects %s, and leaves the order unchanged', async (_name, state, units, error) => {
    const { deps, read } = await orderIn(state, units);
    const before = await read();
    const mark = { outcome: 'delivered', note } as const;
    await expect(markOrder(deps, orderId, mark)).rejects.toMatchObject(error);
    await expect(markOrder(dryRun(deps), orderId, mark)).rejects.toMatchObject(error);
    expect(await read()).toEqual(before);
  });

  it('repeats a mark if the order changes in between', async () => {
    const { deps, store, read } = await orderIn(proses, [{ state: 'asked' }, { state: 'asked' }]);
    let changes = 0;
    const busy = {
      ...store,
      async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
        changes += 1;
        const settled = unit(1, { state: 'delivered', nextAt: null, serialNumber: 'SN-1' });
        if (changes === 1) await store.changeOrder(change({ version: 2, to: proses, units: [settled] }));
        return store.changeOrder(command);
      },
    };
    await markOrder({ ...deps, store: busy }, orderId, { outcome: 'failed', note });
    expect((await read()).units).toMatchObject([{ state: 'delivered' }, { state: 'failed' }]);
    expect(changes).toBe(2);
  });
});

describe('a refund of an order in delivery', () => {
  it('cancels unsubmitted units when an order in delivery is refunded', async () => {
    const { deps, read } = await orderIn(proses, [{ state: 'waiting' }, { state: 'failed', reason: 'out' }]);
    const preview = (await refundOrder(dryRun(deps), orderId)).order;
    expect(preview).toMatchObject(refunded);
    expect(await refundOrder(deps, orderId)).toMatchObject({ order: refunded });
    const { order, units, history } = await read();
    expect(units).toMatchObject([
      { state: 'failed', nextAt: null, reason: 'Not submitted, because the order was refunded.' },
      { state: 'failed', reason: 'out' },
    ]);
    expect(preview).toEqual({ ...order, version: preview.version });
    expect(history).toStrictEqual([
      {
        ...{ at: moment + 120_000, event: 'refunded', by: 'operator', operator: 'ani' },
        ...{ from: proses, to: refunded, amount: 22_000 },
      },
    ]);
  });

  it.each<[string, OrderState, Contents, number[], string]>([
    [
      'was submitted',
      proses,
      [{ state: 'waiting' }, { state: 'asked' }],
      [2],
      'The supplier may have delivered the order: item 2.',
    ],
    [
      'has an unknown outcome',
      proses,
      [{ state: 'unknown' }],
      [1],
      'The supplier may have delivered the order: item 1.',
    ],
    [
      'was delivered',
      proses,
      [{ state: 'waiting' }, { state: 'delivered' }],
      [2],
      'Part of the order was delivered: item 2.',
    ],
    [
      'is contradicted',
      gagal,
      [{ state: 'failed', contradiction }],
      [1],
      "The supplier contradicted itself, so it isn't clear what was delivered: item 1.",
    ],
  ])('rejects the refund while a unit %s', async (_name, state, units, inTheWay, why) => {
    const { deps, read } = await orderIn(state, units);
    const before = await read();
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({
      message: `${why} Ask the supplier, then mark the order.`,
      next: 'mark',
      units: inTheWay,
    });
    expect(await read()).toEqual(before);
  });
});

describe('a retry', () => {
  it('submits failed units again in a retry, and leaves other units to their schedule', async () => {
    const { deps, read } = await orderIn(proses, [
      { state: 'failed' },
      { state: 'asked' },
      { state: 'unknown' },
    ]);
    const before = (await read()).units;
    expect(await retryOrder(deps, orderId)).toMatchObject(proses);
    const { units } = await read();
    expect(units[0]).toMatchObject({ state: 'waiting', attempt: 2, askedAt: null, nextAt: moment + 120_000 });
    expect(units.slice(1)).toEqual(before.slice(1));
  });

  it.each<[string, OrderState, Contents, string, RegExp]>([
    ['an unknown outcome', proses, [{ state: 'unknown' }], 'mark', /could deliver twice: item 1/],
    [
      'a contradiction',
      gagal,
      [{ state: 'failed', contradiction }],
      'mark',
      /delivery after it had failed: item 1/,
    ],
    [
      'no failed unit',
      proses,
      [{ state: 'asked' }, { state: 'delivered' }, { state: 'waiting' }],
      'wait',
      /items 1, 3 as often as/,
    ],
  ])('rejects a retry of an order with %s', async (_name, state, units, next, message) => {
    const { deps, read } = await orderIn(state, units);
    const before = await read();
    await expect(retryOrder(deps, orderId)).rejects.toMatchObject({
      next,
      message: expect.stringMatching(message),
    });
    expect(await read()).toEqual(before);
  });

  it('records the results of failed attempts in the history', async () => {
    const failed = { supplier: 'depot', supplierId: 'T-7', reason: 'no stock', askedAt: moment } as const;
    const { deps, read } = await orderIn(gagal, [{ state: 'delivered' }, { state: 'failed', ...failed }]);
    await retryOrder(deps, orderId);
    const { units, history } = await read();
    expect(units[1]).toMatchObject({ attempt: 2, supplier: null, supplierId: null, reason: null });
    expect(history).toMatchObject([{ event: 'retried', attempts: [{ unit: 2, attempt: 1, ...failed }] }]);
  });

  it("records the operator's reason for a retry", async () => {
    const { deps, read } = await orderIn(gagal, [{ state: 'failed' }]);
    await retryOrder(deps, orderId, { note: 'stock is back' });
    await markOrder(deps, orderId, { outcome: 'failed', note });
    await retryOrder(deps, orderId);
    expect((await read()).history.map((entry) => entry.note)).toEqual(['stock is back', note, undefined]);
  });

  it('leaves out a unit whose failure is contradicted', async () => {
    const { deps, read } = await orderIn(gagal, [{ state: 'failed', contradiction }, { state: 'failed' }]);
    await retryOrder(deps, orderId);
    expect((await read()).units).toMatchObject([
      { state: 'failed', attempt: 1 },
      { state: 'waiting', attempt: 2 },
    ]);
  });
});

describe('an order that has changed since its operator saw it', () => {
  it.each<[command: string, does: (deps: Parameters<typeof retryOrder>[0]) => Promise<unknown>]>([
    ['a retry', (deps) => retryOrder(deps, orderId)],
    ['a refund', (deps) => refundOrder(deps, orderId)],
    ['a mark', (deps) => markOrder(deps, orderId, { outcome: 'failed', unit: 1, note })],
    ['a note', (deps) => noteOrder(deps, orderId, note)],
  ])('leaves an order that has changed unchanged instead of %s', async (_command, does) => {
    const { deps, read } = await orderIn(gagal, [{ state: 'failed' }, { state: 'delivered' }]);
    const before = await read();
    await expect(does({ ...deps, seenVersion: 1 })).rejects.toThrow(OrderChangedError);
    expect(await read()).toEqual(before);
  });

  it('applies only one of two simultaneous commands to an order', async () => {
    const { deps, read } = await orderIn(gagal, [{ state: 'failed' }]);
    const twice = [1, 2].map(() => noteOrder({ ...deps, seenVersion: 2 }, orderId, note));
    const results = await Promise.allSettled(twice);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await read()).history).toHaveLength(1);
  });
});

describe('every state of a paid order', () => {
  const unitContents: Partial<StoredUnit>[] = [
    ...unitStates.map((state) => ({ state })),
    ...unitStates.map((state) => ({ state, contradiction })),
  ];
  const pairs = unitContents.flatMap((one) => unitContents.map((other) => [one, other]));
  const isSettled = ({ state }: Partial<StoredUnit>) => state === 'delivered' || state === 'failed';

  /** The states that an order with such units can be in. */
  function statesOf(units: Contents): OrderState[] {
    if (!units.every(isSettled)) return [proses];
    return units.every(({ state }) => state === 'delivered') ? [sukses, refunded] : [gagal, refunded];
  }
  const cases = pairs.flatMap((units) => statesOf(units).map((state) => ({ state, units })));
  const words = (units: Contents): string =>
    units.map((one) => `${one.state}${one.contradiction ? '!' : ''}`).join(', ');

  const isDone = (
    buyStatus: BuyStatus | undefined,
    payment: string | undefined,
    units: readonly StoredUnit[],
  ) =>
    (buyStatus === 'Sukses' || payment === 'REFUND') &&
    units.every((one) => one.contradiction === null && one.nextAt === null && isSettled(one));

  it.each(cases.map((one) => [one.state.paymentStatus, one.state.buyStatus, words(one.units), one] as const))(
    'allows operators to resolve %s / %s with %s',
    async (_payment, _buy, _units, { state, units }) => {
      const ways = [['mark delivered'], ['mark failed', 'refund'], ['mark delivered', 'refund']] as const;
      const ends = await Promise.all(
        ways.map(async (way) => {
          const { deps, read } = await orderIn(state, units);
          for (const command of way) {
            const run =
              command === 'refund'
                ? refundOrder(deps, orderId)
                : markOrder(deps, orderId, {
                    outcome: command === 'mark failed' ? 'failed' : 'delivered',
                    note,
                  });
            await run.catch(() => {});
          }
          const { order, units: after } = await read();
          return isDone(order?.buyStatus, order?.paymentStatus, after);
        }),
      );
      expect(ends).toContain(true);
    },
  );
});
