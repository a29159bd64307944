import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change, unit } from '../../suites/src/store/fixtures.ts';
import { retryOrder } from '../src/features/index.ts';
import { createMemoryStore, type Store, type StoredUnit } from '../src/features/store.ts';
import type { PurchaseResult, Supplier } from '../src/supplier/index.ts';
import { asked, isDelivered, now, orderWith } from './helpers/delivery.ts';
import { supplierThat } from './helpers/supplier.ts';

const { orderId } = another('A');
const delivered = (serialNumber = 'SN-9') => ({ state: 'delivered', serialNumber }) as const;
const failed = { state: 'failed', reason: 'no stock' } as const;
const pending = { state: 'pending' } as const;

describe('a look-up that is moved forward', () => {
  const later = now + 60_000;
  const supplier = supplierThat({ abilities: { findIntervalMs: 30_000 } });

  it.each<[string, Partial<StoredUnit>, string | null, Partial<StoredUnit>]>([
    ['respects the interval of the supplier', { nextAt: later }, null, { nextAt: now + 30_000 }],
    [
      'keeps the time of a look-up that is due even earlier',
      { nextAt: now + 1 },
      'T-1',
      { nextAt: now + 1, supplierId: 'T-1' },
    ],
    [
      'keeps the id that is already known',
      { nextAt: later, supplierId: 'T-0' },
      'T-1',
      { nextAt: now + 30_000, supplierId: 'T-0' },
    ],
  ])('%s', async (_what, fields, supplierId, after) => {
    const { askSoon, readUnits } = await orderWith([asked, { ...asked, ...fields }], { supplier });
    expect(await askSoon({ unit: 2, attempt: 1 }, supplierId)).toBe('applied');
    expect(await readUnits()).toMatchObject([{ nextAt: now }, { ...asked, ...after }]);
  });

  it('looks up a purchase a second later if the supplier has no interval', async () => {
    const { askSoon, readUnits } = await orderWith([{ ...asked, nextAt: later }]);
    expect(await askSoon({ unit: 1, attempt: 1 })).toBe('applied');
    expect(await readUnits()).toMatchObject([{ nextAt: now + 1_000 }]);
  });

  it.each<
    [string, Partial<StoredUnit>, 'unchanged' | null, { unit?: number; attempt?: number; id?: string }]
  >([
    ['that is already as early as possible', { nextAt: now }, 'unchanged', {}],
    ['of another item', { nextAt: later }, null, { unit: 2 }],
    ['of an earlier attempt', { nextAt: later, attempt: 2 }, null, { attempt: 1 }],
    ['of another order', { nextAt: later }, null, { id: another('B').orderId }],
    ['about a known outcome', isDelivered, null, {}],
    ['of an item that is not submitted yet', { state: 'waiting', nextAt: later }, null, {}],
    ['at a supplier that is no longer asked', { nextAt: null }, null, {}],
  ])(
    'makes no change for a look-up %s',
    async (_what, fields, result, { unit = 1, attempt = 1, id = orderId }) => {
      const { askSoon, read } = await orderWith([{ ...asked, ...fields }]);
      const before = await read();
      expect(await askSoon({ unit, attempt }, null, id)).toBe(result);
      expect(await read()).toEqual(before);
    },
  );

  it('moves a look-up forward again if the order changes in between', async () => {
    let tries = 0;
    const { askSoon, read } = await orderWith([{ ...asked, nextAt: later }], {
      wrap: (store) => ({
        ...store,
        async changeOrder(command) {
          tries += 1;
          if (tries === 1)
            await store.changeOrder(change({ version: 2, units: [unit(1, { ...asked, reason: 'down' })] }));
          return store.changeOrder(command);
        },
      }),
    });
    expect(await askSoon({ unit: 1, attempt: 1 }, 'T-1')).toBe('applied');
    expect(await read()).toMatchObject({ reason: 'down', supplierId: 'T-1', nextAt: now });
  });
});

describe('an item that is due', () => {
  /** What the supplier is asked, and when the item is asked about next. */
  async function due(fields: Partial<StoredUnit>[], abilities: Partial<Supplier['abilities']> = {}) {
    const requests: string[] = [];
    const supplier = supplierThat({
      abilities,
      async submit({ reference, askedAt }) {
        requests.push(`submit ${reference.slice(orderId.length)} since ${(now - askedAt) / 1_000}`);
        return pending;
      },
      async find({ reference, askedAt, supplierId }) {
        requests.push(
          `find ${reference.slice(orderId.length)} ${supplierId} since ${(now - askedAt) / 1_000}`,
        );
        return pending;
      },
    });
    const order = await orderWith(fields, { supplier });
    const names = await order.deliver();
    expect(names).toHaveLength(requests.length);
    return { requests, units: await order.readUnits(), order: await order.readOrder() };
  }
  const old = { ...asked, supplier: 'old', supplierId: 'T-0' };

  const again = { ...asked, nextAt: now + 30_000 };
  const afresh = { ...asked, askedAt: now, supplierId: null, nextAt: now + 1_000 };
  const elsewhere: Partial<StoredUnit> = {
    ...{ state: 'unknown', supplier: 'old', nextAt: now + 10 * 60_000 },
    reason: 'It was submitted to old, but this server now uses test.',
  };
  const found = ['find -1-1 null since 60'];

  it.each<[string, Partial<StoredUnit>, string[], Partial<StoredUnit>]>([
    [
      'that is waiting is submitted',
      { nextAt: now },
      ['submit -1-1 since 0'],
      { ...afresh, findBy: 'reference' },
    ],
    ['that was submitted is looked up', { ...asked, supplierId: 'T-0' }, ['find -1-1 T-0 since 60'], again],
    ['that an earlier version submitted is looked up', { ...asked, supplier: null }, found, again],
    [
      'with an unknown outcome is looked up when its supplier is back',
      { ...asked, state: 'unknown' },
      found,
      again,
    ],
    [
      'that another supplier never received is submitted as new',
      { ...old, state: 'waiting' },
      ['submit -1-1 since 0'],
      afresh,
    ],
    ['that another supplier received is left to an operator', old, [], elsewhere],
  ])('a due unit %s', async (_what, fields, requests, after) => {
    const { requests: sent, units } = await due([fields]);
    expect(sent).toEqual(requests);
    expect(units).toMatchObject([after]);
  });

  it('submits only the unit that is due', async () => {
    const { requests, units } = await due([old, { nextAt: now + 1 }, { nextAt: now }, isDelivered]);
    expect(requests).toEqual(['submit -3-1 since 0']);
    expect(units).toMatchObject([elsewhere, { state: 'waiting' }, afresh, isDelivered]);
  });

  it('sends and stores nothing without a due unit', async () => {
    const { requests, order } = await due([isDelivered, { nextAt: now + 1 }]);
    expect(requests).toEqual([]);
    expect(order?.version).toBe(2);
    const { deliver } = await orderWith([{ nextAt: now }]);
    expect(await deliver(another('B').orderId)).toEqual([]);
  });

  it.each([
    [0, 0, 1_000],
    [20_000, 0, 10_000],
    [20_001, 0, 10_000],
    [3_600_000, 0, 60_000],
    [3_600_000, 90_000, 90_000],
    [0, 90_000, 90_000],
  ])(
    'looks up a unit that was requested %i ms ago, with an interval of %i ms, after %i ms',
    async (age, findIntervalMs, wait) => {
      const { units } = await due([{ ...asked, askedAt: now - age }], { findIntervalMs });
      expect(units).toMatchObject([{ nextAt: now + wait }]);
    },
  );

  it.each<[Partial<Supplier['abilities']>, Partial<StoredUnit>, string | null]>([
    [{ findBy: 'none' }, {}, "The supplier can't be asked about its purchases."],
    [
      { findBy: 'supplierId' },
      {},
      "The supplier returned no purchase id, so its outcome can't be looked up.",
    ],
    [{ findBy: 'supplierId' }, { supplierId: 'T-0' }, null],
    [{ findBy: 'reference', referenceLifetimeMs: 60_001 }, {}, null],
    [
      { findBy: 'reference', referenceLifetimeMs: 60_000 },
      {},
      'The supplier returned no outcome before its time limit for status checks ended.',
    ],
  ])('treats a response with %j, %j, as an unknown outcome: %s', async (abilities, fields, reason) => {
    const find = vi.fn(async () => pending);
    const order = await orderWith([{ ...asked, ...fields }], { supplier: supplierThat({ abilities, find }) });
    await order.deliver();
    expect(find).toHaveBeenCalledTimes(reason === null ? 1 : 0);
    expect(await order.readUnits()).toMatchObject([
      reason === null ? { state: 'asked' } : { state: 'unknown', nextAt: null, reason },
    ]);
  });
});

describe('a request to a supplier', () => {
  const down = new Error('down');
  const fails = () => Promise.reject(down);
  const error = ['error', down, `${orderId}-1-1`];
  const outcome = (fields: object) => ['outcome', { orderId, unit: 1, attempt: 1, reason: null, ...fields }];

  it.each<[string, Partial<StoredUnit>, Partial<Supplier>, unknown[][]]>([
    ['a submission without an outcome', {}, {}, [['call', 'test', 'purchases']]],
    [
      'a delivery',
      {},
      { submit: async () => delivered() },
      [['call', 'test', 'purchases'], outcome({ outcome: 'delivered' })],
    ],
    // It may be one of the product or the player.
    ['a failure', {}, { submit: async () => failed }, [outcome({ outcome: 'failed', reason: 'no stock' })]],
    ['an error of a submission', {}, { submit: fails }, [error, ['call', 'test', 'purchases', down]]],
    // It may be one of this purchase.
    ['an error of a look-up', asked, { find: fails }, [error]],
    ['a further error of a look-up', { ...asked, reason: 'reset' }, { find: fails }, []],
  ])('reports the result of a request to a supplier: %s', async (_what, fields, behaviour, reports) => {
    const { deliver, calls } = await orderWith([{ nextAt: now, ...fields }], {
      supplier: supplierThat(behaviour),
    });
    await deliver();
    expect(calls).toEqual(reports);
  });

  it('sends the price without the promo code as the limit, so that a promo code prevents no delivery', async () => {
    const submit = vi.fn(async () => pending);
    const { deliver } = await orderWith([{ nextAt: now }], {
      supplier: supplierThat({ submit }),
      pricing: {
        ...another('A').pricing,
        ...{ has_promo: true, promo_code: 'TEN', unit_discount: 2_200, unit_price_after_promo: 19_800 },
      },
    });
    await deliver();
    expect(submit).toHaveBeenCalledWith(expect.objectContaining({ maxPrice: 22_000 }), expect.anything());
  });

  it('never sends 0 as the price limit, because a supplier may read it as no limit', async () => {
    const submit = vi.fn(async () => pending);
    const { deliver } = await orderWith([{ nextAt: now }], {
      supplier: supplierThat({ submit }),
      pricing: { ...another('A').pricing, unit_price_before_promo: 0, unit_price_after_promo: 0 },
    });
    await deliver();
    expect(submit).toHaveBeenCalledWith(expect.objectContaining({ maxPrice: 1 }), expect.anything());
  });

  it('allows the loss that an operator accepted with the last retry, and no loss before the retry', async () => {
    const submit = vi.fn(async () => failed);
    let store: Store = createMemoryStore();
    const { deliver } = await orderWith([{ nextAt: now }], {
      supplier: supplierThat({ submit }),
      wrap(wrapped) {
        store = wrapped;
        return wrapped;
      },
    });
    const operating = { store, worldClock: () => now, operator: 'ani' };
    await deliver();
    for (const maxLoss of [2_500, undefined]) {
      await retryOrder(operating, orderId, { note: 'it got dearer', maxLoss });
      await deliver();
    }
    const limits = submit.mock.calls.map(([purchase]: readonly unknown[]) => purchase);
    expect(limits).toMatchObject([{ maxPrice: 22_000 }, { maxPrice: 24_500 }, { maxPrice: 22_000 }]);
  });

  it('keeps the accepted loss when a retry only submits waiting units sooner', async () => {
    const held = { state: 'pending', waitsFor: 'product', reason: 'It is sold out.' } as const;
    const submit = vi.fn(async (): Promise<PurchaseResult> => held).mockResolvedValueOnce(failed);
    let store: Store = createMemoryStore();
    const { deliver } = await orderWith([{ nextAt: now }], {
      supplier: supplierThat({ submit }),
      wrap(wrapped) {
        store = wrapped;
        return wrapped;
      },
    });
    const operating = { store, worldClock: () => now, operator: 'ani' };
    await deliver();
    for (const maxLoss of [2_500, undefined, 1_000]) {
      await retryOrder(operating, orderId, { maxLoss });
      await deliver();
    }
    const limits = submit.mock.calls.map(([purchase]: readonly unknown[]) => purchase);
    expect(limits).toMatchObject([
      { maxPrice: 22_000 },
      { maxPrice: 24_500 },
      { maxPrice: 24_500 },
      { maxPrice: 23_000 },
    ]);
  });

  it('fails a request to a supplier after fifteen seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const submit = () => new Promise<never>(() => {});
    const { deliver, calls, readUnits } = await orderWith([{ nextAt: now }], {
      supplier: supplierThat({ submit }),
    });
    const delivering = deliver();
    await vi.advanceTimersByTimeAsync(14_999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await delivering;
    const reason = 'the supplier did not respond in time';
    expect(calls[0]).toEqual(['error', new Error(reason), `${orderId}-1-1`]);
    expect(await readUnits()).toMatchObject([{ state: 'asked', reason }]);
  });
});
