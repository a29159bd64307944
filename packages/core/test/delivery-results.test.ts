import { describe, expect, it } from 'vitest';
import { another, paid as proses, delivered as sukses } from '../../suites/src/store/fixtures.ts';
import type { KnownOutcome } from '../src/engine/delivery/purchase.ts';
import type { OrderState, StoredUnit } from '../src/features/store.ts';
import { asked, isDelivered, isFailed, now, orderWith } from './helpers/delivery.ts';
import { supplierThat } from './helpers/supplier.ts';

const { orderId } = another('A');
const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
const delivered = (serialNumber = 'SN-9') => ({ state: 'delivered', serialNumber }) as const;
const failed = { state: 'failed', reason: 'no stock' } as const;
const pending = { state: 'pending' } as const;

describe('a result of a supplier', () => {
  it.each<[string, Partial<StoredUnit>, OrderState, KnownOutcome, string]>([
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
    'stores %s as a contradiction, once, and changes no outcome',
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

  it('notes a contradiction in the history of the order, once and with its time', async () => {
    const { say, readHistory } = await orderWith([isDelivered], { to: sukses });
    await say(failed);
    await say(failed);
    const note = `${orderId}-1-1: The supplier reported attempt 1 as failed (no stock) after it had been delivered.`;
    const noted = { at: now, event: 'noted', by: 'supplier', from: sukses, to: sukses, note };
    expect((await readHistory()).filter(({ event }) => event === 'noted')).toEqual([noted]);
  });

  it('stores a further contradiction together with the earlier contradiction', async () => {
    const { say, read } = await orderWith([isDelivered], { to: sukses });
    await say(delivered('SN-8'));
    await say(delivered('SN-9'));
    expect((await read()).contradiction).toBe(
      'The supplier reported attempt 1 as delivered with another serial number: SN-8. The supplier reported attempt 1 as delivered with another serial number: SN-9.',
    );
  });

  it.each<[Partial<StoredUnit>, OrderState, KnownOutcome]>([
    [isDelivered, sukses, delivered('SN-1')],
    [isDelivered, sukses, delivered('')],
    [isDelivered, sukses, pending],
    [{ ...isDelivered, serialNumber: null }, sukses, delivered('')],
    [{ ...isDelivered, serialNumber: null }, sukses, pending],
    [isFailed, gagal, failed],
    [{ state: 'unknown', nextAt: null }, proses, pending],
    [{ state: 'waiting' }, proses, { state: 'absent' }],
  ])('ignores a repeated result about %j, %j: %j', async (state, to, known) => {
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
  ])('leaves a result for %s, %j unmatched, because the unit does not exist', async (id, about) => {
    const { say } = await orderWith([isFailed], { to: gagal });
    expect(await say(delivered(), about, id)).toBe('unmatched');
  });

  it('adds a late serial number to a delivery without a serial number', async () => {
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

  it('stops the next attempt after a late result of the earlier attempt, unless the next attempt was submitted', async () => {
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

  it.each<[StoredUnit['state'], KnownOutcome, OrderState, Partial<StoredUnit>]>([
    ['asked', delivered(), sukses, { state: 'delivered', nextAt: null, serialNumber: 'SN-9', reason: null }],
    ['asked', failed, gagal, { state: 'failed', nextAt: null, reason: 'no stock' }],
    ['unknown', delivered(), sukses, { state: 'delivered' }],
    ['unknown', failed, gagal, { state: 'failed' }],
    ['waiting', delivered(), sukses, { state: 'delivered' }],
    ['waiting', failed, gagal, { state: 'failed' }],
  ])('settles a unit that is %s: %j', async (state, known, to, after) => {
    const { say, read, readHistory, calls } = await orderWith([
      { ...asked, state, reason: 'connection reset' },
    ]);

    expect(await say({ ...known, supplierId: 'T-1' } as KnownOutcome)).toBe('applied'); // Safe: an outcome may have an id.
    expect(await read()).toMatchObject({ ...after, supplierId: 'T-1', order: { ...to } });
    expect(await readHistory()).toMatchObject([{ by: 'supplier', to }]);
    const reason = 'reason' in known ? known.reason : null;
    expect(calls).toEqual([['outcome', { orderId, unit: 1, attempt: 1, outcome: known.state, reason }]]);
  });

  it.each<[KnownOutcome, Partial<StoredUnit>, object[]]>([
    [{ state: 'pending', supplierId: 'T-1' }, { ...asked, supplierId: 'T-1', reason: null }, []],
    [{ state: 'unanswered', reason: 'down' }, { ...asked, reason: 'down' }, []],
    [{ state: 'absent' }, { ...asked, state: 'waiting', reason: null }, []],
    [
      { state: 'unknown', reason: 'too old' },
      { ...asked, state: 'unknown', nextAt: null, reason: 'too old' },
      [{ orderId, unit: 1, attempt: 1, outcome: 'unknown', reason: 'too old' }],
    ],
  ])('leaves a submitted unit without an outcome after %j', async (known, after, outcomes) => {
    const { say, read, calls } = await orderWith([{ ...asked, reason: 'connection reset' }]);
    expect(await say(known)).toBe('applied');
    expect(await read()).toMatchObject({ ...after, order: { ...proses } });
    expect(calls).toEqual(outcomes.map((one) => ['outcome', one]));
  });

  it('keeps the order in delivery until each of its units has an outcome', async () => {
    const { say, readOrder } = await orderWith([asked, asked, asked]);
    await say(delivered('SN-3'), { unit: 3 });
    await say(failed, { unit: 2 });
    expect(await readOrder()).toMatchObject(proses);
    await say(delivered('SN-1'));
    expect(await readOrder()).toMatchObject({ ...gagal, serialNumber: 'SN-1, SN-3' });
  });
});

describe('the cost of a purchase', () => {
  const listed = { cost: 20_000, costSource: 'listed' } as const;
  const said = { cost: 20_400, costSource: 'supplier' } as const;

  it.each<[KnownOutcome, object]>([
    [{ ...delivered(), cost: 20_400 }, said],
    [{ ...pending, cost: 20_400 }, said],
    // A supplier may sell at a loss, and give something away.
    [
      { ...delivered(), cost: 0 },
      { cost: 0, costSource: 'supplier' },
    ],
    [delivered(), listed],
    [pending, listed],
    [failed, listed],
    [{ state: 'unanswered', reason: 'time-out' }, listed],
    [{ state: 'unknown', reason: 'nobody can be asked' }, listed],
    // Nothing was bought yet, and it is to cost what is listed.
    [{ state: 'absent' }, listed],
    [{ state: 'pending', waitsFor: 'balance', cost: 20_400 }, listed],
  ])("reads the cost from the supplier's response, or else from its list: %j", async (known, after) => {
    const { say, read } = await orderWith([{ ...asked, ...listed }]);
    await say(known);
    expect(await read()).toMatchObject(after);
  });

  it('keeps the cost of a purchase when a later response lacks it', async () => {
    const { say, read } = await orderWith([{ ...asked, ...listed }]);
    await say({ ...pending, cost: 20_400 });
    await say(delivered());
    expect(await read()).toMatchObject({ state: 'delivered', ...said });
  });

  it('uses the listed price as the cost from the submission on, even if the response is lost', async () => {
    const submit = () => Promise.reject(new Error('connection reset'));
    const due = { state: 'waiting', nextAt: 0 } as const;
    const { deliver, read } = await orderWith([due], {
      supplier: supplierThat({ submit }),
      listedPrice: 20_000,
    });
    await deliver();
    expect(await read()).toMatchObject({ state: 'asked', ...listed });
  });

  it('stores no cost for an unlisted product, and ignores the cost of the earlier attempt', async () => {
    const due = { state: 'waiting', nextAt: 0, ...said } as const;
    const { deliver, read } = await orderWith([due]);
    await deliver();
    expect(await read()).toMatchObject({ state: 'asked', cost: null, costSource: null });
  });

  it("keeps the supplier's cost when the list changes before the next look-up", async () => {
    const find = async () => pending;
    const { deliver, read } = await orderWith([{ ...asked, ...said }], {
      supplier: supplierThat({ find }),
      listedPrice: 30_000,
    });
    await deliver();
    expect(await read()).toMatchObject({ state: 'asked', ...said });
  });
});
