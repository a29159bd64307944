import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  entry,
  moment,
  place,
  reconciliation,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { eventsOf } from '../src/engine/feed.ts';
import {
  closeRefund,
  dryRun,
  markOrder,
  readRefundBalance,
  refundOrder,
  retryOrder,
} from '../src/features/index.ts';
import {
  createMemoryStore,
  type OrderState,
  type StoredOrder,
  type StoredUnit,
} from '../src/features/store.ts';
import { magicIds } from '../src/supplier/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const { orderId } = another('A');
const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
const proses = { paymentStatus: 'PAID', buyStatus: 'Proses' } as const;
const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
const at = moment + 120_000;

/** Three of 22,000, by a QRIS that costs 750 and 0.7 %. */
const threeByQris: Partial<StoredOrder['pricing']> = {
  quantity: 3,
  subtotal_after_promo: 66_000,
  payment_fee: 1_212,
  total_price: 67_212,
};

type Unit = StoredUnit['state'] | Partial<StoredUnit>;

/** A store with an order whose units are in these states. */
async function orderIn(
  to: OrderState,
  states: readonly Unit[],
  pricing: Partial<StoredOrder['pricing']> = threeByQris,
) {
  const store = createMemoryStore();
  const placed = another('A');
  await store.placeOrder(place({ ...placed, pricing: { ...placed.pricing, ...pricing } }));
  const units = states.map((state, index) => {
    const over = typeof state === 'string' ? { state } : state;
    const isOpen = over.state === 'waiting' || over.state === 'asked';
    return unit(index + 1, { nextAt: isOpen ? at : null, ...over });
  });
  await store.changeOrder(change({ to, units, entry: entry({ to }) }));
  const deps = { store, worldClock: () => at, operator: 'ani' };
  return { store, deps, refunds: () => store.findRefunds(orderId), order: () => store.findOrder(orderId) };
}

const partly = ['delivered', 'delivered', 'failed'] as const;

describe('a refund', () => {
  it('refunds undelivered units, and records the refund', async () => {
    const { deps, store, refunds, order } = await orderIn(gagal, partly);
    const note = 'no such player';
    const preview = await refundOrder(dryRun(deps), orderId, { note });
    expect(preview).toMatchObject({
      amount: 22_404,
      balance: { received: 67_212, refunded: 0, delivered: [1, 2], undelivered: [3], owed: 22_404 },
    });
    expect(await refunds()).toEqual([]);
    expect(await refundOrder(deps, orderId, { note })).toMatchObject({ amount: 22_404, order: refunded });
    const stored = {
      ...{ refundId: `${orderId}-R1`, orderId, amount: 22_404, units: [3], at, operator: 'ani', note },
      ...{ state: 'to-pay', reference: null, closedAt: null, closedBy: null },
    };
    expect(await refunds()).toEqual([stored]);
    expect(preview.refunds).toEqual([stored]);
    expect((await store.findHistory(orderId)).at(-1)).toEqual({
      ...{ at, event: 'refunded', by: 'operator', operator: 'ani', note, amount: 22_404 },
      ...{ from: gagal, to: refunded },
    });
    expect(await order()).toMatchObject(refunded);
  });

  // The share of what was paid: promo, fee and unique code are in it. What was delivered is rounded down.
  it.each([
    ['with a promo', { quantity: 3, subtotal_after_promo: 60_000, total_price: 60_000 }, 2, 20_000],
    ['with a unique code', { quantity: 3, unique_code: 457, total_price: 66_457 }, 1, 44_305],
    ['with a fee', { quantity: 2, payment_fee: 4_251, total_price: 48_251 }, 1, 24_126],
    ['of which nothing was delivered', { quantity: 3, total_price: 67_213 }, 0, 67_213],
    ['that is indivisible', { quantity: 3, total_price: 100 }, 1, 67],
    ['of many', { quantity: 100, total_price: 999_999_999 }, 99, 10_000_000],
  ])('refunds an order %s: %j, with %i delivered, by %i', async (_what, pricing, delivered, amount) => {
    const states = Array.from(
      { length: pricing.quantity },
      (_, index): Unit => (index < delivered ? 'delivered' : 'failed'),
    );
    const { deps } = await orderIn(gagal, states, pricing);
    expect((await refundOrder(deps, orderId)).amount).toBe(amount);
  });

  it.each([
    ['the whole rest', 'all', 67_212],
    ['the amount that an operator names', 30_000, 30_000],
    ['one rupiah', 1, 1],
    ['exactly what was paid', 67_212, 67_212],
  ] as const)('refunds %s on request', async (_what, amount, expected) => {
    const { deps, refunds } = await orderIn(gagal, partly);
    await refundOrder(deps, orderId, { amount });
    expect(await refunds()).toMatchObject([{ amount: expected, units: [3], state: 'to-pay' }]);
  });

  it.each([
    ['nothing', 0, 'invalid'],
    ['a negative amount', -1, 'invalid'],
    ['a fraction of a rupiah', 0.5, 'invalid'],
    ['a value that is not a number', Number.NaN, 'invalid'],
    ['more than was paid', 67_213, 'over-paid'],
  ])('rejects a refund of %s, and leaves the order unchanged', async (_what, amount, problem) => {
    const { deps, refunds, order } = await orderIn(gagal, partly);
    const error = { name: 'AmountError', problem, amount, limit: 67_212 };
    await expect(refundOrder(deps, orderId, { amount })).rejects.toMatchObject(error);
    await expect(refundOrder(dryRun(deps), orderId, { amount })).rejects.toMatchObject(error);
    expect(await refunds()).toEqual([]);
    expect(await order()).toMatchObject(gagal);
  });

  it('refunds everything if nothing was submitted', async () => {
    const { deps } = await orderIn(proses, ['waiting', 'waiting', 'waiting']);
    expect(await refundOrder(deps, orderId)).toMatchObject({
      amount: 67_212,
      refunds: [{ units: [1, 2, 3] }],
    });
  });

  it('closes a free order with a refund', async () => {
    const { deps, refunds, order } = await orderIn(gagal, ['failed'], { quantity: 1, total_price: 0 });
    expect(await refundOrder(deps, orderId)).toMatchObject({ amount: 0, refunds: [] });
    expect([await refunds(), await order()]).toMatchObject([[], refunded]);
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('refunds an order once even if two operators refund it simultaneously', async () => {
    const { deps, refunds } = await orderIn(gagal, partly);
    const outcomes = await Promise.allSettled([
      refundOrder(deps, orderId),
      refundOrder({ ...deps, operator: 'budi' }, orderId),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'STATE_CONFLICT' },
    });
    expect(await refunds()).toHaveLength(1);
  });

  it("leaves nothing to refund after an earlier version's refund, which covered everything", async () => {
    const { deps } = await orderIn(refunded, partly);
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(refundOrder(deps, orderId, { amount: 1 })).rejects.toMatchObject({ limit: 0 });
  });
});

describe('an order that is refunded', () => {
  async function refundedPartly() {
    const service = await orderIn(gagal, [
      { state: 'delivered' },
      { state: 'delivered' },
      { state: 'failed' },
    ]);
    await refundOrder(service.deps, orderId);
    return service;
  }

  /** The supplier reports the opposite of an outcome. */
  async function contradict({ store }: Awaited<ReturnType<typeof refundedPartly>>, number: number) {
    const order = await store.findOrder(orderId);
    const found = (await store.findUnits(orderId)).find((one) => one.unit === number);
    if (!order || !found) throw new Error('missing');
    const units = [{ ...found, contradiction: 'The supplier said otherwise.' }];
    await store.changeOrder(change({ version: order.version, to: refunded, units }));
  }

  it('refunds the difference when less was delivered than reported', async () => {
    const service = await refundedPartly();
    const { deps, refunds, store } = service;
    await contradict(service, 1);
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ name: 'UnitsError', units: [1] });
    await markOrder(deps, orderId, { outcome: 'failed', unit: 1, note: 'taken back' });
    expect(await readRefundBalance(deps, orderId)).toMatchObject({ refunded: 22_404, owed: 22_404 });
    await refundOrder(deps, orderId, { note: 'taken back' });
    expect(await refunds()).toMatchObject([
      { refundId: `${orderId}-R1`, amount: 22_404, units: [3] },
      { refundId: `${orderId}-R2`, amount: 22_404, units: [1] },
    ]);
    expect((await store.findHistory(orderId)).at(-1)).toMatchObject({
      ...{ event: 'refunded', amount: 22_404, from: refunded, to: refunded },
    });
  });

  it('rejects another refund without a reason, or above the payment', async () => {
    const { deps, refunds } = await refundedPartly();
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const tooMuch = { problem: 'over-paid', limit: 44_808 };
    await expect(refundOrder(deps, orderId, { amount: 44_809 })).rejects.toMatchObject(tooMuch);
    await refundOrder(deps, orderId, { amount: 'all' });
    expect(await refunds()).toMatchObject([{ amount: 22_404 }, { amount: 44_808 }]);
    await expect(refundOrder(deps, orderId, { amount: 'all' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
  });

  it('owes nothing when refunded units turn out to be delivered, and cancels the refund', async () => {
    const service = await refundedPartly();
    const { deps, refunds } = service;
    await contradict(service, 3);
    await markOrder(deps, orderId, { outcome: 'delivered', note: 'it arrived' });
    const close = { refundId: `${orderId}-R1`, state: 'cancelled', reference: 'it arrived' } as const;
    expect(await closeRefund({ ...deps, operator: 'budi' }, close)).toMatchObject({ closedBy: 'budi' });
    expect(await refunds()).toMatchObject([{ ...close, closedAt: at, closedBy: 'budi' }]);
    expect(await readRefundBalance(deps, orderId)).toMatchObject({ refunded: 0, owed: 0 });
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('refunds the same units again after a refund was cancelled by mistake', async () => {
    const service = await refundedPartly();
    const { deps, refunds } = service;
    await closeRefund(deps, { refundId: `${orderId}-R1`, state: 'cancelled', reference: 'by mistake' });
    await contradict(service, 1);
    await markOrder(deps, orderId, { outcome: 'failed', unit: 1, note: 'taken back' });
    await refundOrder(deps, orderId);
    expect((await refunds()).at(-1)).toMatchObject({ amount: 44_808, units: [1, 3] });
  });

  it('never buys a refunded order again', async () => {
    const { deps } = await refundedPartly();
    await expect(retryOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('records once who paid a refund, when, and with which reference', async () => {
    const { deps, refunds } = await refundedPartly();
    const paid = { refundId: `${orderId}-R1`, state: 'paid', reference: 'BCA 7781' } as const;
    const closed = await closeRefund(deps, paid);
    await expect(closeRefund(deps, { ...paid, reference: 'BCA 9' })).rejects.toMatchObject({
      code: 'REFUND_CLOSED',
    });
    expect(await refunds()).toEqual([closed]);
    expect(await refunds()).toMatchObject([{ ...paid, closedAt: at, closedBy: 'ani' }]);
  });
});

describe('a refund of a delivered order', () => {
  const sukses = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
  const whole = ['delivered', 'delivered', 'delivered'] as const;

  it.each([
    ['a part', 5_000, 5_000],
    ['all', 'all', 67_212],
  ] as const)('refunds %s of a delivered order, and leaves it delivered', async (_what, amount, expected) => {
    const { deps, refunds, order, store } = await orderIn(sukses, whole);
    const { order: after } = await refundOrder(deps, orderId, { amount, note: 'wrong player' });
    expect(after).toMatchObject(sukses);
    expect(await order()).toMatchObject(sukses);
    expect(await refunds()).toMatchObject([
      { amount: expected, units: [1, 2, 3], state: 'to-pay', note: 'wrong player', operator: 'ani' },
    ]);
    expect(await store.findUnits(orderId)).toMatchObject(whole.map((state) => ({ state })));
    expect((await store.findHistory(orderId)).at(-1)).toMatchObject({
      ...{ event: 'refunded', from: sukses, to: sukses, amount: expected, note: 'wrong player' },
    });
  });

  it('requires an amount for a delivered order, because nothing is owed', async () => {
    const { deps, refunds } = await orderIn(sukses, whole);
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ problem: 'nothing-owed' });
    expect(await refunds()).toEqual([]);
  });

  it("never refunds more than the payment minus the gateway's repayments", async () => {
    const { deps, store } = await orderIn(sukses, whole);
    await store.addReconciliation(reconciliation({ reason: 'refunded', state: 'returned', amount: 7_212 }));
    await refundOrder(deps, orderId, { amount: 20_000, note: 'goodwill' });
    const error = { problem: 'over-paid', limit: 40_000 };
    await expect(refundOrder(deps, orderId, { amount: 40_001 })).rejects.toMatchObject(error);
    await refundOrder(deps, orderId, { amount: 'all' });
    await expect(refundOrder(deps, orderId, { amount: 'all' })).rejects.toMatchObject({
      problem: 'nothing-owed',
    });
  });

  it("includes the gateway's repayments in a refund", async () => {
    const { deps, store, refunds } = await orderIn(sukses, whole);
    await store.addReconciliation(reconciliation({ reason: 'refunded', amount: 67_212, paidAt: at - 5 }));
    await refundOrder(deps, orderId, { note: 'chargeback' });
    expect(await refunds()).toMatchObject([
      { amount: 67_212, state: 'paid', closedAt: at - 5, closedBy: null },
    ]);
    expect(await store.listReconciliations({ state: 'open' })).toEqual([]);
  });

  it('rejects a refund while the supplier contradicts the delivery', async () => {
    const { deps } = await orderIn(sukses, [{ state: 'delivered', contradiction: 'taken back' }]);
    await expect(refundOrder(deps, orderId, { amount: 'all' })).rejects.toMatchObject({ name: 'UnitsError' });
  });
});

describe('an order that was settled with another amount', () => {
  /** Settled with so much by an earlier version or this one, two of three delivered. */
  async function settledWith(amount: number) {
    const service = await orderIn(gagal, partly);
    await service.store.addReconciliation(reconciliation({ amount, state: 'settled', reason: 'amount' }));
    return service;
  }

  it.each([
    ['less', 60_000, 20_000],
    // What was paid over the total is owed beside the share.
    ['more', 70_000, 22_404 + 2_788],
  ])(
    'refunds the amount that was paid for an order settled with another amount: %s',
    async (_what, received, amount) => {
      const { deps } = await settledWith(received);
      expect(await refundOrder(deps, orderId)).toMatchObject({ amount, balance: { received } });
    },
  );

  it("refunds the total if the settled, waiting or returned payment is not the order's payment", async () => {
    const { deps, store } = await orderIn(gagal, partly);
    for (const [index, other] of [
      { orderId: another('B').orderId, state: 'settled' as const },
      { state: 'open' as const },
      { state: 'returned' as const },
      { state: 'settled' as const, reason: 'refunded' as const },
    ].entries())
      await store.addReconciliation(
        reconciliation({ reconciliationId: `rec-${index}`, amount: 300, ...other }),
      );
    expect(await readRefundBalance(deps, orderId)).toMatchObject({ received: 67_212, owed: 22_404 });
  });

  it('never refunds above the payment', async () => {
    const { deps } = await settledWith(60_000);
    const error = { problem: 'over-paid', limit: 60_000 };
    await expect(refundOrder(deps, orderId, { amount: 60_001 })).rejects.toMatchObject(error);
  });
});

describe('money that the gateway has already paid back', () => {
  async function reported(...amounts: number[]) {
    const service = await orderIn(gagal, partly);
    for (const [index, amount] of amounts.entries())
      await service.store.addReconciliation(
        reconciliation({ reconciliationId: `rec-${index}`, reason: 'refunded', amount, paidAt: at - 5 }),
      );
    return service;
  }

  it("subtracts the gateway's repayments, and leaves only the rest to pay manually", async () => {
    const { deps, refunds, store } = await reported(10_000, 2_000);
    expect(await refundOrder(deps, orderId, { note: 'stock' })).toMatchObject({ amount: 22_404 });
    const byGateway = {
      state: 'paid',
      reference: 'ref-A',
      closedAt: at - 5,
      closedBy: null,
      operator: 'ani',
    };
    expect(await refunds()).toMatchObject([
      { refundId: `${orderId}-R1`, amount: 10_000, ...byGateway },
      { refundId: `${orderId}-R2`, amount: 2_000, ...byGateway },
      { refundId: `${orderId}-R3`, amount: 10_404, state: 'to-pay', units: [3] },
    ]);
    expect(await store.listReconciliations({ state: 'open' })).toEqual([]);
    expect(await store.listReconciliations({ state: 'settled' })).toMatchObject([
      { closedBy: 'ani' },
      { closedBy: 'ani' },
    ]);
  });

  it('leaves nothing to pay if the gateway repaid enough, or more', async () => {
    for (const amount of [22_404, 50_000]) {
      const { deps, refunds } = await reported(amount);
      expect(await refundOrder(deps, orderId)).toMatchObject({ amount });
      expect(await refunds()).toMatchObject([{ amount, state: 'paid' }]);
    }
  });

  it('excludes repayments for another order or a late payment', async () => {
    const { deps, store } = await reported();
    for (const [index, other] of [
      { orderId: another('B').orderId, reference: 'ref-B' },
      { reason: 'late' as const },
    ].entries())
      await store.addReconciliation(
        reconciliation({ reconciliationId: `rec-${index}`, reason: 'refunded', amount: 300, ...other }),
      );
    expect(await refundOrder(deps, orderId)).toMatchObject({
      refunds: [{ state: 'to-pay', amount: 22_404 }],
    });
  });

  it("doesn't ask for manual payment again after an operator closed it", async () => {
    const { deps, store } = await reported(300);
    await store.returnReconciliation('rec-0', 'seen', { closedAt: at, closedBy: 'ani' });
    expect(await refundOrder(deps, orderId)).toMatchObject({
      refunds: [{ state: 'to-pay', amount: 22_104 }],
    });
    await expect(refundOrder(deps, orderId, { amount: 44_809 })).rejects.toMatchObject({ limit: 44_808 });
  });

  it("refunds at least the gateway's repayments", async () => {
    const { deps, refunds } = await reported(10_000);
    const error = { problem: 'under-gateway', amount: 9_999, limit: 10_000 };
    await expect(refundOrder(deps, orderId, { amount: 9_999 })).rejects.toMatchObject(error);
    await refundOrder(deps, orderId, { amount: 10_000 });
    expect(await refunds()).toMatchObject([{ amount: 10_000, state: 'paid' }]);
  });
});

describe('the invoice of a refunded order', () => {
  /** A service with an order whose second item of three failed, and its invoice. */
  async function partlyDelivered() {
    const service = await createTestService();
    const body = { ...fixtureOrder, id: magicIds.partlyFails, quantity: 3 };
    const { orderId } = (await service.order(body)).json;
    await service.sandbox.act(orderId, 'pay');
    await service.sandbox.advance(60_000);
    const invoice = async () => (await service.get(`/invoice/${orderId}`)).json.order;
    const deps = { store: service.store, worldClock: () => service.sandbox.world().now, operator: 'ani' };
    return { ...{ service, orderId, invoice, deps }, id: orderId };
  }

  it('shows the refunded amount only in the invoice of a refunded order', async () => {
    const { invoice, deps, id } = await partlyDelivered();
    expect(await invoice()).toMatchObject({
      payment_status: 'PAID',
      buy_status: 'Gagal',
      total_price: 60_000,
    });
    expect(await invoice()).not.toHaveProperty('refund_amount');
    await refundOrder(deps, id);
    expect(await invoice()).toMatchObject({ payment_status: 'REFUND', refund_amount: 20_000 });
    // Also once it is paid, or more is refunded.
    await closeRefund(deps, { refundId: `${id}-R1`, state: 'paid', reference: 'BCA 1' });
    await refundOrder(deps, id, { amount: 5_000 });
    expect(await invoice()).toMatchObject({ refund_amount: 25_000 });
    await closeRefund(deps, { refundId: `${id}-R2`, state: 'cancelled', reference: 'not owed' });
    expect(await invoice()).toMatchObject({ refund_amount: 20_000 });
  });

  it('shows the refunded amount of a delivered order, and sends order.refunded', async () => {
    const service = await createTestService();
    const { orderId: id } = (await service.order()).json;
    await service.sandbox.act(id, 'pay');
    await service.sandbox.advance(60_000);
    const deps = { store: service.store, worldClock: () => service.sandbox.world().now, operator: 'ani' };
    await refundOrder(deps, id, { amount: 5_000, note: 'goodwill' });
    const invoice = (await service.get(`/invoice/${id}`)).json.order;
    expect(invoice).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses', refund_amount: 5_000 });
    const entry = (await service.store.findHistory(id)).at(-1) ?? null;
    expect(eventsOf(entry)).toEqual(['order.refunded']);
    await closeRefund(deps, { refundId: `${id}-R1`, state: 'cancelled', reference: 'not owed' });
    expect((await service.get(`/invoice/${id}`)).json.order).not.toHaveProperty('refund_amount');
  });

  it('shows no amount of a refund that an earlier version recorded', async () => {
    const { invoice, service, id } = await partlyDelivered();
    const version = (await service.store.findOrder(id))?.version ?? 0;
    await service.store.changeOrder(change({ orderId: id, version, to: refunded }));
    expect(await invoice()).toMatchObject({ payment_status: 'REFUND' });
    expect(await invoice()).not.toHaveProperty('refund_amount');
  });
});
