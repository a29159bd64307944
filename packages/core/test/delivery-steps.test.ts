import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  askSoon,
  type DeliveryDependencies,
  deliverUnits,
  type Knowledge,
  storeKnowledge,
} from '../src/engine/delivery.ts';
import { createMemoryStore, type OrderState, type Store, type StoredUnit } from '../src/store/index.ts';
import {
  another,
  change,
  moment,
  place,
  paid as proses,
  delivered as sukses,
  unit,
} from '../src/store/suite/fixtures.ts';
import type { Supplier } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';

const { orderId } = another('A');
const now = moment + 60_000;
const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

/** A paid order whose units have these fields, and the steps of its delivery. */
async function orderWith(
  units: Partial<StoredUnit>[],
  {
    to = proses,
    supplier = supplierThat({}),
    wrap = (store) => store,
  }: { to?: OrderState; supplier?: Supplier; wrap?: (store: Store) => Store } = {},
) {
  const memory = createMemoryStore();
  await memory.placeOrder(place(another('A')));
  const complete = units.map((over, index) => unit(index + 1, over));
  await memory.changeOrder(change({ to, units: complete }));
  const store = wrap(memory);
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void calls.push([name, ...args]);
  const deps: DeliveryDependencies = {
    ...{ store, supplier, worldClock: () => now },
    reportError: note('error'),
    reportCall: note('call'),
    reportDelivery: note('outcome'),
  };
  return {
    calls,
    say: (known: Knowledge, { unit = 1, attempt = 1 } = {}, id = orderId) =>
      storeKnowledge(deps, id, { unit, attempt }, known),
    askSoon: (about: { unit: number; attempt: number }, supplierId: string | null = null, id = orderId) =>
      askSoon(deps, id, about, supplierId),
    /** The names of the tasks that are started. */
    async deliver(id = orderId): Promise<string[]> {
      const tasks: Promise<unknown>[] = [];
      const names: string[] = [];
      await deliverUnits(
        deps,
        (name, task) => {
          names.push(name);
          tasks.push(task());
        },
        id,
      );
      await Promise.all(tasks);
      return names;
    },
    readOrder: () => memory.findOrder(orderId),
    readUnits: () => memory.findUnits(orderId),
    async read() {
      const [first] = await memory.findUnits(orderId);
      return { ...first, order: await memory.findOrder(orderId) };
    },
  };
}

const delivered = (serialNumber = 'SN-9') => ({ state: 'delivered', serialNumber }) as const;
const failed = { state: 'failed', reason: 'no stock' } as const;
const pending = { state: 'pending' } as const;
const asked = { state: 'asked', supplier: 'test', askedAt: moment, nextAt: now } as const;
const isFailed = { state: 'failed', nextAt: null, reason: 'out' } as const;
const isDelivered = { state: 'delivered', nextAt: null, serialNumber: 'SN-1' } as const;

describe('a result of a supplier', () => {
  it.each<[string, Partial<StoredUnit>, OrderState, Knowledge, string]>([
    [
      'delivered after failed',
      isFailed,
      gagal,
      delivered(),
      'as delivered, with serial number SN-9, after it had failed.',
    ],
    [
      'delivered after failed, without proof',
      isFailed,
      gagal,
      delivered(''),
      'as delivered, without a serial number, after it had failed.',
    ],
    [
      'failed after delivered',
      isDelivered,
      sukses,
      failed,
      'as failed (no stock) after it had been delivered.',
    ],
    [
      'another serial number',
      isDelivered,
      sukses,
      delivered(),
      'as delivered with another serial number: SN-9.',
    ],
  ])(
    '%s is kept as a contradiction, once, and changes no outcome',
    async (_name, state, to, known, sentence) => {
      const { say, read, calls } = await orderWith([state], { to });
      expect(await say(known)).toBe('contradiction');
      const first = await read();
      const contradiction = `The supplier reported attempt 1 ${sentence}`;
      expect(first).toMatchObject({ ...state, contradiction, order: { buyStatus: to.buyStatus } });
      const outcome = { orderId, unit: 1, attempt: 1, outcome: 'contradiction', reason: contradiction };
      expect(calls).toEqual([['outcome', outcome]]);
      expect(await say(known)).toBe('contradiction');
      expect(await read()).toEqual(first);
      expect(calls).toHaveLength(1);
    },
  );

  it('against another contradiction is kept with it', async () => {
    const { say, read } = await orderWith([isDelivered], { to: sukses });
    await say(delivered('SN-8'));
    await say(delivered('SN-9'));
    expect((await read()).contradiction).toBe(
      'The supplier reported attempt 1 as delivered with another serial number: SN-8. The supplier reported attempt 1 as delivered with another serial number: SN-9.',
    );
  });

  it.each<[Partial<StoredUnit>, OrderState, Knowledge]>([
    [isDelivered, sukses, delivered('SN-1')],
    [isDelivered, sukses, delivered('')],
    [isDelivered, sukses, pending],
    [{ ...isDelivered, serialNumber: null }, sukses, delivered('')],
    [{ ...isDelivered, serialNumber: null }, sukses, pending],
    [isFailed, gagal, failed],
    [{ state: 'unknown', nextAt: null }, proses, pending],
    [{ state: 'waiting' }, proses, { state: 'absent' }],
  ])('about %j, %j, that is %j says nothing new', async (state, to, known) => {
    const { say, read, calls } = await orderWith([state], { to });
    const before = await read();
    expect(await say(known)).toBe('unchanged');
    expect(await read()).toEqual(before);
    expect(calls).toEqual([]);
  });

  it.each([
    [orderId, { unit: 1, attempt: 2 }],
    [orderId, { unit: 2, attempt: 1 }],
    [another('B').orderId, { unit: 1, attempt: 1 }],
  ])('of %s, %j, which does not exist, is unmatched', async (id, about) => {
    const { say } = await orderWith([isFailed], { to: gagal });
    expect(await say(delivered(), about, id)).toBe('unmatched');
  });

  it('with a serial number completes a delivery without one', async () => {
    const { say, readUnits, readOrder } = await orderWith(
      [isDelivered, { ...isDelivered, serialNumber: '' }],
      { to: sukses },
    );
    expect(await say(delivered(), { unit: 2 })).toBe('applied');
    expect(await readUnits()).toMatchObject([
      { serialNumber: 'SN-1' },
      { serialNumber: 'SN-9', contradiction: null },
    ]);
    expect(await readOrder()).toMatchObject({ ...sukses, serialNumber: 'SN-1, SN-9' });
  });

  it('of an earlier attempt stops the next one, unless it was submitted already', async () => {
    const waiting = await orderWith([{ state: 'waiting', attempt: 2 }]);
    expect(await waiting.say(delivered())).toBe('contradiction');
    expect(await waiting.read()).toMatchObject({
      ...{ state: 'failed', nextAt: null, order: { buyStatus: 'Gagal' } },
      reason: 'Not submitted, because an earlier attempt was delivered.',
    });
    const submitted = await orderWith([{ ...asked, attempt: 2 }]);
    expect(await submitted.say(delivered())).toBe('contradiction');
    expect(await submitted.read()).toMatchObject({ ...asked, attempt: 2, order: { buyStatus: 'Proses' } });
    expect(await submitted.say(failed)).toBe('unchanged');
  });

  it.each<[StoredUnit['state'], Knowledge, OrderState, Partial<StoredUnit>]>([
    ['asked', delivered(), sukses, { state: 'delivered', nextAt: null, serialNumber: 'SN-9', reason: null }],
    ['asked', failed, gagal, { state: 'failed', nextAt: null, reason: 'no stock' }],
    ['unknown', delivered(), sukses, { state: 'delivered' }],
    ['unknown', failed, gagal, { state: 'failed' }],
    ['waiting', delivered(), sukses, { state: 'delivered' }],
    ['waiting', failed, gagal, { state: 'failed' }],
  ])('settles a unit that is %s: %j', async (state, known, to, after) => {
    const { say, read, calls } = await orderWith([{ ...asked, state, reason: 'connection reset' }]);
    expect(await say({ ...known, supplierId: 'T-1' } as Knowledge)).toBe('applied'); // safe: an outcome may have an id
    expect(await read()).toMatchObject({ ...after, supplierId: 'T-1', order: { ...to } });
    const reason = 'reason' in known ? known.reason : null;
    expect(calls).toEqual([['outcome', { orderId, unit: 1, attempt: 1, outcome: known.state, reason }]]);
  });

  it.each<[Knowledge, Partial<StoredUnit>, object[]]>([
    [{ state: 'pending', supplierId: 'T-1' }, { ...asked, supplierId: 'T-1', reason: null }, []],
    [{ state: 'unanswered', reason: 'down' }, { ...asked, reason: 'down' }, []],
    [{ state: 'absent' }, { ...asked, state: 'waiting', reason: null }, []],
    [
      { state: 'unknown', reason: 'too old' },
      { ...asked, state: 'unknown', nextAt: null, reason: 'too old' },
      [{ orderId, unit: 1, attempt: 1, outcome: 'unknown', reason: 'too old' }],
    ],
  ])('%j leaves an item that was submitted without an outcome', async (known, after, outcomes) => {
    const { say, read, calls } = await orderWith([{ ...asked, reason: 'connection reset' }]);
    expect(await say(known)).toBe('applied');
    expect(await read()).toMatchObject({ ...after, order: { ...proses } });
    expect(calls).toEqual(outcomes.map((one) => ['outcome', one]));
  });

  it('leaves the order in delivery until each of its items has an outcome', async () => {
    const { say, readOrder } = await orderWith([asked, asked, asked]);
    await say(delivered('SN-3'), { unit: 3 });
    await say(failed, { unit: 2 });
    expect(await readOrder()).toMatchObject(proses);
    await say(delivered('SN-1'));
    expect(await readOrder()).toMatchObject({ ...gagal, serialNumber: 'SN-1, SN-3' });
  });
});

describe('a question that is to come sooner', () => {
  const later = now + 60_000;
  const supplier = supplierThat({ abilities: { findIntervalMs: 30_000 } });

  it.each<[string, Partial<StoredUnit>, string | null, Partial<StoredUnit>]>([
    ['keeps to the interval of the supplier', { nextAt: later }, null, { nextAt: now + 30_000 }],
    [
      'keeps a moment that is sooner still',
      { nextAt: now + 1 },
      'T-1',
      { nextAt: now + 1, supplierId: 'T-1' },
    ],
    [
      'keeps the id that is known',
      { nextAt: later, supplierId: 'T-0' },
      'T-1',
      { nextAt: now + 30_000, supplierId: 'T-0' },
    ],
  ])('%s', async (_what, fields, supplierId, after) => {
    const { askSoon, readUnits } = await orderWith([asked, { ...asked, ...fields }], { supplier });
    expect(await askSoon({ unit: 2, attempt: 1 }, supplierId)).toBe('applied');
    expect(await readUnits()).toMatchObject([{ nextAt: now }, { ...asked, ...after }]);
  });

  it('comes a second later when the supplier has no interval', async () => {
    const { askSoon, readUnits } = await orderWith([{ ...asked, nextAt: later }]);
    expect(await askSoon({ unit: 1, attempt: 1 })).toBe('applied');
    expect(await readUnits()).toMatchObject([{ nextAt: now + 1_000 }]);
  });

  it.each<
    [string, Partial<StoredUnit>, 'unchanged' | null, { unit?: number; attempt?: number; id?: string }]
  >([
    ['when it is as soon as it can be', { nextAt: now }, 'unchanged', {}],
    ['of another item', { nextAt: later }, null, { unit: 2 }],
    ['of an earlier attempt', { nextAt: later, attempt: 2 }, null, { attempt: 1 }],
    ['of another order', { nextAt: later }, null, { id: another('B').orderId }],
    ['of an outcome that is known', isDelivered, null, {}],
    ['of an item that waits for its submission', { state: 'waiting', nextAt: later }, null, {}],
    ['of a supplier that nobody asks any more', { nextAt: null }, null, {}],
  ])('changes nothing %s', async (_what, fields, result, { unit = 1, attempt = 1, id = orderId }) => {
    const { askSoon, read } = await orderWith([{ ...asked, ...fields }]);
    const before = await read();
    expect(await askSoon({ unit, attempt }, null, id)).toBe(result);
    expect(await read()).toEqual(before);
  });

  it('is planned again when the order is changed in between', async () => {
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
    ['that waits is submitted', { nextAt: now }, ['submit -1-1 since 0'], { ...afresh, findBy: 'reference' }],
    ['that was submitted is asked about', { ...asked, supplierId: 'T-0' }, ['find -1-1 T-0 since 60'], again],
    ['that an earlier version submitted is asked about', { ...asked, supplier: null }, found, again],
    [
      'of unknown outcome is asked about when its supplier is back',
      { ...asked, state: 'unknown' },
      found,
      again,
    ],
    [
      'that another supplier never got is submitted afresh',
      { ...old, state: 'waiting' },
      ['submit -1-1 since 0'],
      afresh,
    ],
    ['that another supplier has is left to an operator', old, [], elsewhere],
  ])('%s', async (_what, fields, requests, after) => {
    const { requests: sent, units } = await due([fields]);
    expect(sent).toEqual(requests);
    expect(units).toMatchObject([after]);
  });

  it('is no other one of its order', async () => {
    const { requests, units } = await due([old, { nextAt: now + 1 }, { nextAt: now }, isDelivered]);
    expect(requests).toEqual(['submit -3-1 since 0']);
    expect(units).toMatchObject([elsewhere, { state: 'waiting' }, afresh, isDelivered]);
  });

  it('is none: then nothing is asked or stored', async () => {
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
    'since %i ms is asked about again, at an interval of %i ms, after %i ms',
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
      'The supplier gave no id of the purchase, by which to ask for the outcome.',
    ],
    [{ findBy: 'supplierId' }, { supplierId: 'T-0' }, null],
    [{ findBy: 'reference', referenceLifetimeMs: 60_001 }, {}, null],
    [
      { findBy: 'reference', referenceLifetimeMs: 60_000 },
      {},
      'The supplier gave no outcome for as long as it could be asked about the purchase.',
    ],
  ])('at a supplier with %j, %j, is of unknown outcome: %s', async (abilities, fields, reason) => {
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
    ['an error of a question', asked, { find: fails }, [error]],
    ['a further error of a question', { ...asked, reason: 'reset' }, { find: fails }, []],
  ])('reports %s', async (_what, fields, behaviour, reports) => {
    const { deliver, calls } = await orderWith([{ nextAt: now, ...fields }], {
      supplier: supplierThat(behaviour),
    });
    await deliver();
    expect(calls).toEqual(reports);
  });

  it('fails after fifteen seconds without a response', async () => {
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
