import { describe, expect, it } from 'vitest';
import { settleReconciliation } from '../src/features/index.ts';
import type { Payment } from '../src/features/store.ts';
import type { PaymentCallback, RemoteGateway } from '../src/gateway/index.ts';
import { callbackGateway, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const total = 44_000;

async function start(over: Partial<RemoteGateway> = {}) {
  const { gateway, asked, control } = callbackGateway(over);
  const service = await createTestService({ gateway });
  const { store, callbacks, clock, order } = service;
  const place = async (): Promise<string> =>
    (await order({ ...fixtureOrder, promo_code: undefined })).json.orderId;

  /** Sends a callback; returns the status of the response. */
  async function send(
    event: Partial<Omit<PaymentCallback, 'report'>> & { report: object },
  ): Promise<number | undefined> {
    // No two arrive at once, so that their order is known.
    clock.now += 1;
    const body = JSON.stringify({ orderId: null, confirm: false, ...event });
    const received = await callbacks.receive('gateway', 'paygate', signed(body), '203.0.113.7');
    return received?.response?.status;
  }
  /** Sends a callback of an order; by default, that its total was paid now. */
  const report = (orderId: string, over: object = {}, more: Partial<PaymentCallback> = {}) =>
    send({
      reference: `R-${orderId}`,
      orderId,
      report: { status: 'paid', amount: total, at: clock.now, ...over },
      ...more,
    });
  async function statusOf(orderId: string): Promise<string> {
    const found = await store.findOrder(orderId);
    return `${found?.paymentStatus} / ${found?.buyStatus}`;
  }
  const outcomes = async (): Promise<string[]> =>
    (await store.listCallbacks({ limit: 1000 })).map(({ outcome }) => outcome).reverse();
  const last = async () => (await store.listCallbacks({ limit: 1 }))[0];
  const open = () => store.listReconciliations({ state: 'open' });
  return { ...service, asked, control, place, send, report, statusOf, outcomes, last, open };
}

describe('a callback of a payment', () => {
  it('pays the order when a callback arrives, and stores the callback with its result', async () => {
    const { place, report, statusOf, last, clock } = await start();
    const orderId = await place();
    expect(await report(orderId)).toBe(200);
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await last()).toMatchObject({
      callbackId: expect.stringMatching(/^cb_[a-z2-9]{8}$/),
      provider: 'paygate',
      address: '203.0.113.7',
      receivedAt: clock.now,
      handledAt: clock.now,
      outcome: 'applied',
      orderId,
      attempts: 1,
    });
  });

  it('pays the order once even if a hundred callbacks are repeated or simultaneous', async () => {
    const { place, report, statusOf, outcomes, open, store, clock } = await start();
    const orderId = await place();
    const at = clock.now;
    const statuses = await Promise.all(Array.from({ length: 100 }, () => report(orderId, { at })));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await store.findHistory(orderId)).toHaveLength(1);
    expect(await store.findUnits(orderId)).toHaveLength(2);
    expect(await open()).toEqual([]);
    const all = await outcomes();
    expect(all.filter((one) => one === 'applied')).toHaveLength(1);
    expect(all.filter((one) => one === 'unchanged')).toHaveLength(99);
  });

  it.each([
    [['expired', 'paid'], 'PAID / Proses', ['applied', 'applied'], 0],
    [['failed', 'paid'], 'FAILED / Batal', ['applied', 'reconciliation'], 1],
    [['paid', 'expired'], 'PAID / Proses', ['applied', 'contradiction'], 0],
    [['paid', 'failed'], 'PAID / Proses', ['applied', 'contradiction'], 0],
    [['paid', 'refunded'], 'PAID / Proses', ['applied', 'reconciliation'], 1],
    [['expired', 'failed'], 'EXPIRED / Batal', ['applied', 'unchanged'], 0],
    [['expired', 'refunded'], 'EXPIRED / Batal', ['applied', 'contradiction'], 0],
    // Money that was returned before it was noticed must not buy anything.
    [['refunded', 'paid'], 'FAILED / Batal', ['applied', 'reconciliation'], 1],
  ])(
    'applies a callback in the order state %j, and leaves the order %s',
    async (statuses, expected, came, waiting) => {
      const { place, report, statusOf, outcomes, open, clock } = await start();
      const orderId = await place();
      for (const status of statuses) {
        clock.now += 1000;
        expect(await report(orderId, { status })).toBe(200);
      }
      expect(await statusOf(orderId)).toBe(expected);
      expect(await outcomes()).toEqual(came);
      expect(await open()).toHaveLength(waiting);
    },
  );

  it('describes in one sentence how a callback contradicts a paid order', async () => {
    const { place, report, last } = await start();
    const orderId = await place();
    await report(orderId);
    await report(orderId, { status: 'expired' });
    expect((await last())?.reason).toBe(
      'The gateway reported that the payment expired, but the order is PAID / Proses.',
    );
  });

  it('ignores callbacks of any status for a refunded order', async () => {
    const { place, report, statusOf, outcomes, open, sandbox, clock } = await start();
    const orderId = await place();
    const at = clock.now;
    await report(orderId, { at });
    await sandbox.act(orderId, 'fail-delivery');
    for (const status of ['refunded', 'refunded', 'expired', 'failed', 'paid'])
      await report(orderId, { status, at });
    expect(await statusOf(orderId)).toBe('REFUND / Gagal');
    expect(await outcomes()).toEqual([
      'applied',
      'applied',
      'unchanged',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    expect(await open()).toEqual([]);
    await report(orderId, { at: at + 1 });
    expect(await open()).toMatchObject([{ orderId, reason: 'closed' }]);
  });

  it('ignores a callback about a payment that can still be paid', async () => {
    const { place, report, statusOf, outcomes } = await start();
    const orderId = await place();
    await report(orderId, { status: 'open' });
    expect(await statusOf(orderId)).toBe('UNPAID / Pending');
    expect(await outcomes()).toEqual(['unchanged']);
  });
});

describe("money that doesn't match its order", () => {
  it.each([total - 1, total + 1])(
    'stores a payment of %i instead of the total for an operator, once',
    async (amount) => {
      const { place, report, statusOf, outcomes, open, clock } = await start();
      const orderId = await place();
      const at = clock.now;
      await report(orderId, { amount, at });
      clock.now += minute;
      await report(orderId, { amount, at });
      expect(await statusOf(orderId)).toBe('UNPAID / Pending');
      expect(await outcomes()).toEqual(['reconciliation', 'reconciliation']);
      expect(await open()).toMatchObject([{ orderId, amount, paidAt: at, reason: 'amount' }]);
    },
  );

  it('counts a payment without a time once, even if it is reported several times', async () => {
    const { place, report, open, clock } = await start();
    const orderId = await place();
    const paidAt = clock.now;
    await report(orderId, { amount: 1, at: null });
    clock.now += 3 * minute;
    await report(orderId, { amount: 1, at: null });
    await report(orderId, { amount: 1, at: paidAt });
    expect(await open()).toHaveLength(1);
    await report(orderId, { amount: 2, at: paidAt });
    await report(orderId, { amount: 2, at: null });
    expect((await open()).map(({ amount }) => amount)).toEqual([1, 2]);
    clock.now += 20 * minute;
    await report(orderId, { amount: 1, at: clock.now });
    expect(await open()).toHaveLength(3);
  });

  it('stores a payment after the expiry for an operator', async () => {
    const { place, report, statusOf, open, clock } = await start();
    const orderId = await place();
    clock.now += 30 * minute;
    await report(orderId);
    expect(await statusOf(orderId)).toBe('UNPAID / Pending');
    expect(await open()).toMatchObject([{ orderId, reason: 'late' }]);
  });

  it('stores a second payment with the same reference for an operator', async () => {
    const { place, report, statusOf, outcomes, open, clock } = await start();
    const orderId = await place();
    const at = clock.now;
    await report(orderId, { at });
    clock.now += minute;
    const again = clock.now;
    await report(orderId, { at });
    await report(orderId, { at: null });
    await report(orderId, { at: again });
    await report(orderId, { at: again });
    expect(await outcomes()).toEqual([
      'applied',
      'unchanged',
      'unchanged',
      'reconciliation',
      'reconciliation',
    ]);
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await open()).toMatchObject([{ orderId, reason: 'closed', paidAt: again, amount: total }]);
  });

  it('pays the order once for two simultaneous payments, and stores the other', async () => {
    const { place, report, outcomes, open, clock } = await start();
    const orderId = await place();
    const at = clock.now;
    await Promise.all([report(orderId, { at }), report(orderId, { at: at + 1 })]);
    expect((await outcomes()).sort()).toEqual(['applied', 'reconciliation']);
    expect(await open()).toMatchObject([{ orderId, reason: 'closed', amount: total }]);
  });

  it('stores a payment with an unknown reference for an operator, with the order if it is known', async () => {
    const { place, send, open, outcomes, clock } = await start();
    const orderId = await place();
    const report = { status: 'paid', amount: 5_000, at: clock.now };
    await send({ reference: 'X-1', report });
    await send({ reference: 'X-1', report });
    await send({ reference: 'X-2', orderId: 'INV-nobody', report });
    await send({ reference: 'X-3', orderId, report });
    expect(await open()).toMatchObject([
      { reference: 'X-1', orderId: null, reason: 'unknown', amount: 5_000 },
      { reference: 'X-2', orderId: null, reason: 'unknown' },
      { reference: 'X-3', orderId, reason: 'unknown' },
    ]);
    expect(new Set(await outcomes())).toEqual(new Set(['reconciliation']));
  });

  it('stores a callback about an unknown reference without creating a payment if it reports no money', async () => {
    const { send, open, last, clock } = await start();
    await send({ reference: 'X', report: { status: 'expired', amount: 1, at: clock.now } });
    expect(await open()).toEqual([]);
    expect(await last()).toMatchObject({ outcome: 'unmatched', orderId: null });
  });

  it("doesn't count a payment again after an operator settled or returned it", async () => {
    const { place, report, open, outcomes, store, clock } = await start();
    const [settled, returned] = [await place(), await place()];
    const at = clock.now;
    for (const orderId of [settled, returned]) await report(orderId, { amount: 1, at });
    const [first, second] = await open();
    await settleReconciliation(
      { store, worldClock: () => clock.now, operator: 'ani' },
      { reconciliationId: first?.reconciliationId ?? '', otherAmount: true },
    );
    await store.returnReconciliation(second?.reconciliationId ?? '', 'by transfer');
    for (const orderId of [settled, returned]) await report(orderId, { amount: 1, at });
    expect(await open()).toEqual([]);
    expect((await outcomes()).slice(2)).toEqual(['unchanged', 'unchanged']);
    // The settled order is paid; its own total, paid after that, is too much.
    await report(settled, { at: at + 1 });
    expect(await open()).toMatchObject([{ orderId: settled, reason: 'closed' }]);
  });
});

describe('a refund of an order that counts as paid', () => {
  it("stores a gateway's refund of a paid order for an operator, once, and leaves the order unchanged", async () => {
    const { place, report, statusOf, outcomes, open, last, clock } = await start();
    const orderId = await place();
    const at = clock.now;
    await report(orderId, { at });
    clock.now += minute;
    const refundedAt = clock.now;
    const refund = { status: 'refunded', at: refundedAt };
    await report(orderId, refund);
    expect((await last())?.reason).toBe(
      'The gateway reported that the payment was refunded, but the order is PAID / Proses.',
    );
    await report(orderId, refund);
    await report(orderId, { ...refund, at: null });
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await outcomes()).toEqual(['applied', 'reconciliation', 'reconciliation', 'reconciliation']);
    expect(await open()).toMatchObject([
      { orderId, reference: `R-${orderId}`, amount: total, paidAt: refundedAt, reason: 'refunded' },
    ]);
  });

  it("detects a gateway's refund of a delivered order, and doesn't report it again after an operator closed it", async () => {
    const { place, report, outcomes, open, store, sandbox } = await start();
    const orderId = await place();
    await report(orderId);
    await sandbox.act(orderId, 'deliver');
    await report(orderId, { status: 'refunded', at: null });
    const [refund] = await open();
    expect(refund).toMatchObject({ orderId, reason: 'refunded' });
    await store.returnReconciliation(refund?.reconciliationId ?? '', 'charged the customer again');
    await report(orderId, { status: 'refunded', at: null });
    expect(await outcomes()).toEqual(['applied', 'reconciliation', 'unchanged']);
    expect(await open()).toEqual([]);
  });

  it('distinguishes a refund from a payment with the same reference, amount and time', async () => {
    const { place, report, open, clock } = await start();
    const orderId = await place();
    await report(orderId);
    const at = clock.now + minute;
    for (const refundedAt of [at, null]) {
      await report(orderId, { at });
      await report(orderId, { at: refundedAt, status: 'refunded' });
    }
    expect((await open()).map(({ reason }) => reason)).toEqual(['closed', 'refunded']);
  });

  it('never settles an order with a refund', async () => {
    const { place, report, open, store, clock, statusOf } = await start();
    const orderId = await place();
    await report(orderId);
    await report(orderId, { status: 'refunded' });
    const [refund] = await open();
    const settling = settleReconciliation(
      { store, worldClock: () => clock.now, operator: 'ani' },
      { reconciliationId: refund?.reconciliationId ?? '', orderId },
    );
    await expect(settling).rejects.toMatchObject({ code: 'RECONCILIATION_REFUNDED' });
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await open()).toHaveLength(1);
  });
});

describe('settling money that belongs to no order', () => {
  it('repeats a settlement if the order changes in between', async () => {
    const { place, send, open, store, clock, statusOf } = await start();
    const orderId = await place();
    await send({ reference: 'X', report: { status: 'paid', amount: total, at: clock.now } });
    const [payment] = await open();
    let isFirst = true;
    const busy: typeof store = {
      ...store,
      async changeOrder(change) {
        if (!isFirst) return store.changeOrder(change);
        isFirst = false;
        return { conflict: 'order_changed' };
      },
    };
    const deps = { store: busy, worldClock: () => clock.now, operator: 'ani' };
    await settleReconciliation(deps, { reconciliationId: payment?.reconciliationId ?? '', orderId });
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await open()).toEqual([]);
  });
});

describe('a callback of an order that is still being created', () => {
  it.each([true, false])(
    'asks for a callback again while its order is being created (named: %s), and then records the payment',
    async (isNamed) => {
      const created = Promise.withResolvers<Payment>();
      const asked = Promise.withResolvers<string>();
      const { order, report, statusOf, outcomes, open, clock } = await start({
        createPayment({ orderId }) {
          asked.resolve(orderId);
          return created.promise;
        },
      });
      const placing = order({ ...fixtureOrder, promo_code: undefined });
      const orderId = await asked.promise;
      const at = clock.now;
      const more = isNamed ? {} : { orderId: null };
      expect(await report(orderId, { at }, more)).toBe(503);
      created.resolve({
        reference: `R-${orderId}`,
        code: null,
        url: 'https://gateway.example/pay',
        qrString: null,
      });
      await placing;
      expect(await report(orderId, { at }, more)).toBe(200);
      expect(await statusOf(orderId)).toBe('PAID / Proses');
      expect(await outcomes()).toEqual(['failed', 'applied']);
      expect(await open()).toEqual([]);
    },
  );
});

describe('an unverified callback', () => {
  const confirm = { confirm: true };

  it("applies the gateway's report instead of an unverified callback's content", async () => {
    const { place, report, statusOf, asked, control, clock } = await start();
    const orderId = await place();
    control.report = async () => ({ status: 'paid', amount: total, at: clock.now });
    expect(await report(orderId, { status: 'expired', amount: 1 }, confirm)).toBe(200);
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(asked).toEqual([{ orderId, reference: `R-${orderId}`, amount: total }]);
  });

  it("distinguishes a callback's payment from the gateway's last payment with the same reference", async () => {
    const { place, report, statusOf, control, clock, open } = await start();
    const orderId = await place();
    const [first, second] = [clock.now, clock.now + minute];
    clock.now += 2 * minute;
    control.report = async () => ({ status: 'paid', amount: total, at: second });
    // The callback of the first payment was lost at first, and comes after the second payment.
    for (const at of [first, second, first]) expect(await report(orderId, { at }, confirm)).toBe(200);
    expect(await statusOf(orderId)).toBe('PAID / Proses');
    expect(await open()).toMatchObject([{ amount: total, paidAt: first, reason: 'closed' }]);
  });

  it('ignores an unconfirmed payment, and asks for the callback again', async () => {
    const { place, report, statusOf, last } = await start();
    const orderId = await place();
    expect(await report(orderId, {}, confirm)).toBe(503);
    expect(await statusOf(orderId)).toBe('UNPAID / Pending');
    expect(await last()).toMatchObject({ outcome: 'failed', orderId });
  });

  it.each([
    ['is down', () => Promise.reject(new Error('down: key-1'))],
    ['talks nonsense', async () => ({ status: 'paid' }) as never], // Safe: an adapter without types can return this value.
  ])("asks for a callback again when the gateway %s, and doesn't store the error", async (_what, answer) => {
    const { place, report, statusOf, last, control, handled } = await start();
    const orderId = await place();
    control.report = answer;
    expect(await report(orderId, {}, confirm)).toBe(503);
    expect(await statusOf(orderId)).toBe('UNPAID / Pending');
    expect((await last())?.reason).not.toContain('key-1');
    expect(handled).toHaveLength(1);
    expect(handled[0]?.error).toBeInstanceOf(Error);
  });

  it('looks up a callback with an unknown reference by its order, and stores the payment', async () => {
    const { send, open, asked, control, clock } = await start();
    control.report = async () => ({ status: 'paid', amount: 700, at: clock.now });
    const report = { status: 'paid', amount: 900, at: 1 };
    await send({ reference: 'X', orderId: 'INV-gone', report, ...confirm });
    expect(asked).toEqual([{ orderId: 'INV-gone', reference: 'X', amount: 900 }]);
    expect(await open()).toMatchObject([{ amount: 700, reason: 'unknown', orderId: null }]);
    await send({ reference: 'Y', report, ...confirm });
    expect(await open()).toHaveLength(1);
  });
});

describe('an event of a gateway from code', () => {
  it('stores a payment with an unknown reference for an operator', async () => {
    const { engine, open, clock } = await start();
    const event = { reference: 'X', status: 'paid', amount: 1, at: clock.now } as const;
    expect(await engine.handlePaymentEvent(event)).toBeNull();
    expect(await open()).toMatchObject([{ reference: 'X', orderId: null, reason: 'unknown' }]);
  });

  it("doesn't apply an event with an unknown reference to the order that it names", async () => {
    const { engine, open, place, clock } = await start();
    const orderId = await place();
    const event = { reference: 'X', orderId, status: 'paid', amount: 1, at: clock.now } as const;
    expect(await engine.handlePaymentEvent(event)).toBeNull();
    expect(await open()).toMatchObject([{ reference: 'X', orderId, reason: 'unknown' }]);
  });
});
