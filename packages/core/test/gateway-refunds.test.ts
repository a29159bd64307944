import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  delivered,
  expired,
  moment,
  paid,
  place,
  reconciliation,
  refund,
  unit,
  unpaid,
} from '../../suites/src/store/fixtures.ts';
import type { PaymentEvent } from '../src/engine/events.ts';
import { applyPaymentEvent } from '../src/engine/payments.ts';
import { refundOrder, settleReconciliation } from '../src/features/index.ts';
import { createMemoryStore, type OrderState } from '../src/features/store.ts';

const placed = another('A');
const { orderId } = placed;
const { reference } = placed.payment;
const total = 67_212;
const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
const now = moment + 120_000;

/** A store with an order of three, two of them delivered. */
async function orderIn(to: OrderState, totalPrice = total) {
  const store = createMemoryStore();
  const pricing = { ...placed.pricing, quantity: 3, total_price: totalPrice };
  await store.placeOrder(place({ ...placed, pricing }));
  const states = ['delivered', 'delivered', 'failed'] as const;
  const units = states.map((state, index) => unit(index + 1, { state, nextAt: null }));
  await store.changeOrder(change({ to, units: to === unpaid ? [] : units }));
  const deps = { store, worldClock: () => now, operator: 'ani' };
  return {
    store,
    deps,
    /** The gateway says how much it has paid back by now. */
    async paidBack(amount: number, over: Partial<PaymentEvent> = {}) {
      const event = { reference, status: 'refunded', amount, paid: total, at: null, ...over } as const;
      const { outcome, reason } = await applyPaymentEvent({ store, now }, event);
      return { outcome, reason };
    },
    state: async () => {
      const order = await store.findOrder(orderId);
      return `${order?.paymentStatus} / ${order?.buyStatus}`;
    },
    refunds: () => store.findRefunds(orderId),
    open: async () =>
      (await store.listReconciliations({ state: 'open' })).map(({ reason, amount, orderId: id }) => [
        reason,
        amount,
        id,
      ]),
  };
}

describe('a partial refund by the gateway', () => {
  it.each([gagal, paid, delivered])(
    'stores a partial refund of an order in %j for an operator, with its amount',
    async (state) => {
      const { paidBack, state: now, open, refunds, store } = await orderIn(state);
      expect(await paidBack(22_404)).toEqual({
        ...{ outcome: 'reconciliation', reason: 'The gateway reported that it paid back 22404 of 67212.' },
      });
      expect(await now()).toBe(`${state.paymentStatus} / ${state.buyStatus}`);
      expect(await open()).toEqual([['refunded', 22_404, orderId]]);
      expect(await refunds()).toEqual([]);
      expect((await store.findOrder(orderId))?.version).toBe(2);
    },
  );

  it('stores a partial refund once, even if it is reported repeatedly or from two processes at the same time', async () => {
    const { paidBack, open } = await orderIn(gagal);
    const outcomes = await Promise.all([1, 2, 3].map(() => paidBack(22_404)));
    outcomes.push(await paidBack(22_404, { at: now - 1 }), await paidBack(10_000));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['reconciliation']));
    expect(await open()).toEqual([['refunded', 22_404, orderId]]);
  });

  it('stores only the additional amount of a growing refund, because each report contains the total', async () => {
    const { paidBack, open } = await orderIn(gagal);
    await paidBack(10_000);
    await paidBack(20_000);
    await paidBack(22_404);
    expect(await open()).toEqual([10_000, 10_000, 2_404].map((amount) => ['refunded', amount, orderId]));
  });

  it.each([
    [10_000, 22_404],
    [22_404, 10_000],
  ])('counts a refund of %i, and of %i with a simultaneous report, once', async (one, other) => {
    const { paidBack, open, store } = await orderIn(gagal);
    await Promise.all([paidBack(one), paidBack(other)]);
    const amounts = (await open()).map(([, amount]) => Number(amount));
    expect(amounts.reduce((sum, amount) => sum + amount)).toBe(22_404);
    await paidBack(30_000);
    expect((await store.listReconciliations({ state: 'open' })).at(-1)?.amount).toBe(7_596);
  });

  it("includes a partial refund in the operator's refund, and doesn't count it again", async () => {
    const { paidBack, open, refunds, deps, state } = await orderIn(gagal);
    await paidBack(10_000);
    await refundOrder(deps, orderId, { note: 'rest by transfer' });
    const recorded = [
      { amount: 10_000, state: 'paid', closedBy: null },
      { amount: 12_404, state: 'to-pay' },
    ];
    expect(await refunds()).toMatchObject(recorded);
    expect(await paidBack(10_000)).toEqual({
      ...{ outcome: 'unchanged', reason: 'It is already recorded as settled.' },
    });
    expect(await refunds()).toMatchObject(recorded);
    expect(await open()).toEqual([]);
    expect(await state()).toBe('REFUND / Gagal');
  });

  it('stores a reported refund separately if an operator recorded a refund before', async () => {
    const { paidBack, open, deps } = await orderIn(gagal);
    await paidBack(10_000);
    await refundOrder(deps, orderId, { note: 'rest by transfer' });
    await paidBack(15_000);
    expect(await open()).toEqual([['refunded', 5_000, orderId]]);
  });

  it("doesn't count a partial refund for another payment", async () => {
    const { paidBack, open, store } = await orderIn(gagal);
    await store.addReconciliation(reconciliation({ reference: 'X', reason: 'refunded', amount: 10_000 }));
    await paidBack(22_404);
    expect(await open()).toContainEqual(['refunded', 22_404, orderId]);
  });

  it("doesn't count a refund again that an operator closed manually, but counts a later refund", async () => {
    const { paidBack, open, store } = await orderIn(gagal);
    await paidBack(10_000);
    const [first] = await store.listReconciliations({ state: 'open' });
    await store.returnReconciliation(first?.reconciliationId ?? '', 'goodwill');
    expect(await paidBack(10_000)).toEqual({
      ...{ outcome: 'unchanged', reason: 'It is already recorded as returned.' },
    });
    await paidBack(15_000);
    expect(await open()).toEqual([['refunded', 5_000, orderId]]);
  });
});

describe('a full refund by the gateway', () => {
  it('refunds an order whose delivery failed, without a manual payment', async () => {
    const { paidBack, refunds, state, open, store } = await orderIn(gagal);
    expect(await paidBack(total, { at: now - 7 })).toEqual({ outcome: 'applied', reason: null });
    expect(await state()).toBe('REFUND / Gagal');
    expect(await refunds()).toEqual([
      {
        ...{ refundId: `${orderId}-R1`, orderId, amount: total, units: [3], at: now },
        ...{ operator: null, note: null, state: 'paid', reference, closedAt: now - 7, closedBy: null },
      },
    ]);
    expect(await store.findHistory(orderId)).toEqual([
      { at: now, event: 'refunded', by: 'gateway', amount: total, from: gagal, to: refunded },
    ]);
    expect(await paidBack(total)).toEqual({ outcome: 'unchanged', reason: null });
    expect(await refunds()).toHaveLength(1);
    expect(await open()).toEqual([]);
  });

  it('refunds an order as soon as its delivery has failed, if the refund was reported earlier', async () => {
    const { paidBack, refunds, state, open, store } = await orderIn(paid);
    await paidBack(total);
    const version = (await store.findOrder(orderId))?.version ?? 0;
    await store.changeOrder(change({ version, to: gagal }));
    expect((await paidBack(total)).outcome).toBe('applied');
    expect(await state()).toBe('REFUND / Gagal');
    expect(await refunds()).toMatchObject([{ amount: total, state: 'paid' }]);
    expect(await open()).toEqual([]);
  });

  it('includes earlier parts in a full refund', async () => {
    const { paidBack, refunds, state, open, store } = await orderIn(gagal);
    await paidBack(22_404);
    await paidBack(total);
    expect(await state()).toBe('REFUND / Gagal');
    expect(await refunds()).toMatchObject([{ amount: total, state: 'paid' }]);
    expect(await open()).toEqual([]);
    expect(await store.listReconciliations({ state: 'settled' })).toMatchObject([{ amount: 22_404 }]);
    expect((await paidBack(total)).outcome).toBe('unchanged');
  });

  it('refunds the settled amount of an order that was paid with another amount', async () => {
    const { paidBack, state, store, deps } = await orderIn(expired);
    await applyPaymentEvent({ store, now }, { reference, status: 'paid', amount: 60_000, at: now });
    const [money] = await store.listReconciliations({ state: 'open' });
    await settleReconciliation(deps, { reconciliationId: money?.reconciliationId ?? '', otherAmount: true });
    const version = (await store.findOrder(orderId))?.version ?? 0;
    await store.changeOrder(change({ version, to: gagal }));
    await paidBack(60_000, { paid: 60_000 });
    expect(await state()).toBe('REFUND / Gagal');
  });

  it('creates no refund for a free order', async () => {
    const { paidBack, refunds, state } = await orderIn(gagal, 0);
    expect((await paidBack(0)).outcome).toBe('applied');
    expect([await state(), await refunds()]).toEqual(['REFUND / Gagal', []]);
  });

  it('leaves a full refund to an operator if the order was paid twice, because the refund may concern the other payment', async () => {
    const { paidBack, state, open, store } = await orderIn(gagal);
    const again = reconciliation({ reference, orderId, reason: 'closed', amount: total });
    await store.addReconciliation(again);
    expect((await paidBack(total)).outcome).toBe('reconciliation');
    expect(await state()).toBe('PAID / Gagal');
    expect((await open()).sort()).toEqual([
      ['closed', total, orderId],
      ['refunded', total, orderId],
    ]);
  });

  it("doesn't mark an operator's refund as paid if the order was paid twice", async () => {
    const { paidBack, refunds, deps, store } = await orderIn(gagal);
    await refundOrder(deps, orderId, { amount: 'all' });
    const again = reconciliation({ reference, orderId, reason: 'closed', amount: total, state: 'returned' });
    await store.addReconciliation(again);
    expect((await paidBack(total)).outcome).toBe('reconciliation');
    expect(await refunds()).toMatchObject([{ amount: total, state: 'to-pay' }]);
  });

  it('refunds only what was left when the order was settled', async () => {
    const { paidBack, refunds, state, store, deps } = await orderIn(expired);
    await paidBack(22_404);
    const [rest] = await store.listReconciliations({ state: 'open' });
    const reconciliationId = rest?.reconciliationId ?? '';
    await settleReconciliation(deps, { reconciliationId, otherAmount: true });
    expect((await paidBack(22_404)).outcome).toBe('unchanged');
    const version = (await store.findOrder(orderId))?.version ?? 0;
    await store.changeOrder(change({ version, to: gagal }));
    expect((await paidBack(total)).outcome).toBe('applied');
    expect([await state(), await refunds()]).toMatchObject([
      'REFUND / Gagal',
      [{ amount: total - 22_404, state: 'paid' }],
    ]);
  });

  it('refunds the order that an operator settled with a payment with another reference', async () => {
    const { paidBack, state, store, deps, refunds } = await orderIn(expired);
    const lost = { reference: 'X', status: 'paid', amount: total, at: now } as const;
    await applyPaymentEvent({ store, now }, lost);
    const [money] = await store.listReconciliations({ state: 'open' });
    await settleReconciliation(deps, { reconciliationId: money?.reconciliationId ?? '', orderId });
    const version = (await store.findOrder(orderId))?.version ?? 0;
    await store.changeOrder(change({ version, to: gagal }));
    expect(await paidBack(total, { reference: 'X' })).toEqual({ outcome: 'applied', reason: null });
    expect(await state()).toBe('REFUND / Gagal');
    expect(await refunds()).toMatchObject([{ amount: total, state: 'paid', reference: 'X' }]);
  });

  it('records a refund even if the order changes in between', async () => {
    const { store, state } = await orderIn(gagal);
    let tries = 0;
    const busy = {
      ...store,
      async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
        tries += 1;
        if (tries === 1) await store.changeOrder(change({ version: command.version, to: gagal }));
        return store.changeOrder(command);
      },
    };
    const event = { reference, status: 'refunded', amount: total, paid: total, at: null } as const;
    expect((await applyPaymentEvent({ store: busy, now }, event)).outcome).toBe('applied');
    expect(await state()).toBe('REFUND / Gagal');
  });

  it("stores a gateway's refund for an operator if a free order was refunded", async () => {
    const { paidBack, open, deps, state } = await orderIn(gagal, 0);
    await refundOrder(deps, orderId);
    expect((await paidBack(0, { paid: 0 })).outcome).toBe('unchanged');
    expect((await paidBack(1, { paid: 0 })).outcome).toBe('reconciliation');
    expect([await state(), await open()]).toEqual(['REFUND / Gagal', [['refunded', 1, orderId]]]);
  });

  it("stores a gateway's refund for an operator if it exceeds the amount that was repaid manually before", async () => {
    const { paidBack, open, refunds, store, deps, state } = await orderIn(gagal);
    await paidBack(22_404);
    const [part] = await store.listReconciliations({ state: 'open' });
    await store.returnReconciliation(part?.reconciliationId ?? '', 'for the item that failed');
    await refundOrder(deps, orderId);
    expect([await state(), await refunds()]).toEqual(['REFUND / Gagal', []]);
    expect((await paidBack(22_404)).outcome).toBe('unchanged');
    expect((await paidBack(total)).outcome).toBe('reconciliation');
    expect(await open()).toEqual([['refunded', 44_808, orderId]]);
  });

  it('adds nothing to a refund that an earlier version recorded', async () => {
    const { paidBack, refunds, open } = await orderIn(refunded);
    expect(await paidBack(total)).toEqual({ outcome: 'unchanged', reason: null });
    expect([await refunds(), await open()]).toEqual([[], []]);
  });
});

describe('a refund that an operator should pay manually', () => {
  const withRefund = async () => {
    const service = await orderIn(gagal);
    await refundOrder(service.deps, orderId);
    return service;
  };

  it('marks a waiting refund as paid when the gateway reports the same amount', async () => {
    const { paidBack, refunds, open } = await withRefund();
    expect(await paidBack(22_404, { at: now - 3 })).toEqual({
      ...{ outcome: 'applied', reason: `The gateway paid the refund ${orderId}-R1.` },
    });
    expect(await refunds()).toMatchObject([
      { state: 'paid', reference, closedAt: now - 3, closedBy: null, operator: 'ani' },
    ]);
    expect(await paidBack(22_404)).toEqual({ outcome: 'unchanged', reason: null });
    expect(await open()).toEqual([]);
  });

  it('keeps a waiting refund for an operator when the gateway reports another amount', async () => {
    const { paidBack, refunds, open } = await withRefund();
    expect((await paidBack(total)).outcome).toBe('reconciliation');
    expect(await refunds()).toMatchObject([{ state: 'to-pay', amount: 22_404 }]);
    expect(await open()).toEqual([['refunded', total, orderId]]);
  });

  it("reports the gateway's payment of a refund that was already paid manually", async () => {
    const { paidBack, store, open } = await withRefund();
    const closed = { closedAt: now, closedBy: 'ani' };
    await store.closeRefund({ ...closed, refundId: `${orderId}-R1`, state: 'paid', reference: 'BCA 1' });
    expect((await paidBack(22_404)).outcome).toBe('reconciliation');
    expect(await open()).toEqual([['refunded', 22_404, orderId]]);
  });

  it('closes a refund once for two simultaneous reports', async () => {
    const { paidBack, store, refunds, open } = await withRefund();
    const byHand = { closedAt: now, closedBy: 'ani', state: 'paid', reference: 'BCA 1' } as const;
    const [, closed] = await Promise.all([
      paidBack(22_404),
      store.closeRefund({ ...byHand, refundId: refund().refundId }),
    ]);
    const [{ closedBy } = { closedBy: '' }] = await refunds();
    // Paid twice, it must be seen.
    if ('done' in closed) expect([closedBy, await open()]).toEqual(['ani', [['refunded', 22_404, orderId]]]);
    else expect([closedBy, await open()]).toEqual([null, []]);
  });
});

describe('a payment that is refunded before it is noticed', () => {
  it.each([unpaid, expired])(
    'leaves the rest of a partly refunded payment to an operator if the payment was not reported before, for an order in %j',
    async (state) => {
      const { paidBack, open, state: now } = await orderIn(state);
      expect(await paidBack(22_404)).toEqual({
        ...{ outcome: 'reconciliation', reason: 'The gateway reported that it paid back 22404 of 67212.' },
      });
      expect((await paidBack(22_404)).outcome).toBe('unchanged');
      expect(await open()).toEqual([['amount', 44_808, orderId]]);
      // Of which more is paid back later.
      await paidBack(30_000);
      expect((await open()).slice(1)).toEqual([['refunded', 7_596, orderId]]);
      expect(await now()).toBe(`${state.paymentStatus} / ${state.buyStatus}`);
    },
  );

  it('counts a partial refund of a payment to reconcile as its refund', async () => {
    const { paidBack, open, store } = await orderIn(expired);
    const late = { reference, status: 'paid', amount: total, at: placed.expiresAt + 1 } as const;
    await applyPaymentEvent({ store, now: placed.expiresAt + 2 }, late);
    await paidBack(22_404);
    await paidBack(22_404);
    expect((await open()).sort()).toEqual([
      ['late', total, orderId],
      ['refunded', 22_404, orderId],
    ]);
  });

  it('returns a payment to reconcile that was refunded in full, so that no operator settles it', async () => {
    const { paidBack, open, store } = await orderIn(expired);
    const late = { reference, status: 'paid', amount: total, at: placed.expiresAt + 1 } as const;
    await applyPaymentEvent({ store, now: placed.expiresAt + 2 }, late);
    await paidBack(10_000);
    // A refund of before the payment was of another one.
    await paidBack(total, { at: placed.expiresAt });
    expect(await open()).toHaveLength(2);
    expect(await paidBack(total, { at: placed.expiresAt + 5 })).toEqual({
      ...{
        outcome: 'applied',
        reason: 'The gateway paid back this payment before an operator decided about it.',
      },
    });
    expect(await open()).toEqual([]);
    const closed = { note: 'The gateway paid it back.', closedAt: placed.expiresAt + 5, closedBy: null };
    expect(await store.listReconciliations({ state: 'returned' })).toMatchObject([closed, closed]);
    expect(await paidBack(total)).toEqual({
      ...{ outcome: 'unchanged', reason: 'It is already recorded as returned.' },
    });
  });

  it('refunds the order that an operator settles with the payment in between', async () => {
    const { store, deps } = await orderIn(expired);
    const late = { reference, status: 'paid', amount: total, at: placed.expiresAt + 1 } as const;
    await applyPaymentEvent({ store, now: placed.expiresAt + 2 }, late);
    const busy = {
      ...store,
      async returnReconciliation(...[id, ...rest]: Parameters<typeof store.returnReconciliation>) {
        await settleReconciliation(deps, { reconciliationId: id });
        return store.returnReconciliation(id, ...rest);
      },
    };
    const event = { reference, status: 'refunded', amount: total, paid: total, at: null } as const;
    expect((await applyPaymentEvent({ store: busy, now }, event)).outcome).toBe('reconciliation');
    expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
      { reason: 'refunded', amount: total },
    ]);
  });

  it('leaves a full refund to an operator if two payments with its reference are waiting', async () => {
    const { paidBack, open, store } = await orderIn(expired);
    for (const reconciliationId of ['rec-1', 'rec-2'])
      await store.addReconciliation(reconciliation({ reconciliationId, reference, amount: total }));
    expect((await paidBack(total)).outcome).toBe('contradiction');
    expect(await open()).toHaveLength(2);
  });

  it('closes an unpaid order after a full refund of its payment with another amount', async () => {
    const { paidBack, open, store, state } = await orderIn(unpaid);
    await applyPaymentEvent({ store, now }, { reference, status: 'paid', amount: 60_000, at: now });
    await paidBack(60_000, { paid: 60_000 });
    expect([await open(), await state()]).toEqual([[], 'FAILED / Batal']);
  });

  it('closes an unpaid order after a full refund', async () => {
    const { paidBack, state, open } = await orderIn(unpaid);
    expect(await paidBack(total)).toEqual({
      ...{ outcome: 'applied', reason: 'The payment was refunded before the order was paid.' },
    });
    expect([await state(), await open()]).toEqual(['FAILED / Batal', []]);
  });

  it.each([
    ['late', { amount: total, at: placed.expiresAt + 1 }],
    ['in another amount', { amount: total - 1, at: now }],
  ])('returns a payment, %s, that is reported during its full refund', async (_what, report) => {
    const { store, state, open, deps } = await orderIn(unpaid);
    const later = { store, now: placed.expiresAt + 2 };
    const busy = {
      ...store,
      async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
        await applyPaymentEvent(later, { reference, status: 'paid', ...report });
        return store.changeOrder(command);
      },
    };
    const event = { reference, status: 'refunded', amount: total, paid: total, at: null } as const;
    expect((await applyPaymentEvent({ ...later, store: busy }, event)).outcome).toBe('applied');
    expect([await state(), await open()]).toEqual(['FAILED / Batal', []]);
    const [payment] = await store.listReconciliations({ state: 'returned' });
    expect(payment).toMatchObject({ amount: report.amount, note: 'The gateway paid it back.' });
    const { reconciliationId = '' } = payment ?? {};
    await expect(settleReconciliation(deps, { reconciliationId, otherAmount: true })).rejects.toThrow();
  });

  it('stores a full refund for an operator if the payment is reported in between', async () => {
    const { store, state, open } = await orderIn(unpaid);
    let isFirst = true;
    const busy = {
      ...store,
      async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
        if (isFirst) {
          isFirst = false;
          await applyPaymentEvent({ store, now }, { reference, status: 'paid', amount: total, at: now });
        }
        return store.changeOrder(command);
      },
    };
    const event = { reference, status: 'refunded', amount: total, paid: total, at: null } as const;
    expect((await applyPaymentEvent({ store: busy, now }, event)).outcome).toBe('reconciliation');
    expect([await state(), await open()]).toEqual(['PAID / Proses', [['refunded', total, orderId]]]);
  });

  it('leaves the rest of a partial refund with an unknown reference to an operator', async () => {
    const { paidBack, open } = await orderIn(unpaid);
    expect((await paidBack(22_404, { reference: 'X' })).outcome).toBe('reconciliation');
    expect(await open()).toEqual([['unknown', 44_808, null]]);
    expect((await paidBack(22_404, { reference: 'X' })).outcome).toBe('unchanged');
    // Of which more is paid back, and then everything.
    await paidBack(30_000, { reference: 'X' });
    expect((await open()).slice(1)).toEqual([['refunded', 7_596, null]]);
    expect((await paidBack(total, { reference: 'X' })).outcome).toBe('applied');
    expect(await open()).toEqual([]);
    expect((await paidBack(total, { reference: 'Y' })).outcome).toBe('unmatched');
    expect((await paidBack(5, { reference: 'Z', paid: undefined })).outcome).toBe('unmatched');
    expect(await open()).toEqual([]);
  });

  it('counts a refund with an unknown reference as part of the waiting payment if the gateway reports no total', async () => {
    const { paidBack, open, store } = await orderIn(unpaid);
    await applyPaymentEvent({ store, now }, { reference: 'Z', status: 'paid', amount: total, at: now });
    expect((await paidBack(5, { reference: 'Z', paid: undefined })).outcome).toBe('reconciliation');
    expect((await open()).slice(1)).toEqual([['refunded', 5, null]]);
  });
});
