import { describe, expect, it } from 'vitest';
import { another, expired, moment, paid, place, reserve, unpaid } from '../../suites/src/store/fixtures.ts';
import type { PaymentEvent } from '../src/engine/events.ts';
import { applyEvent } from '../src/engine/orders/change-order.ts';
import { applyPaymentEvent, handlePaymentEvent } from '../src/engine/payments.ts';
import { settleReconciliation } from '../src/features/index.ts';
import { createMemoryStore, type OrderState, type Store } from '../src/features/store.ts';

const minute = 60_000;
const { orderId, payment, pricing } = another('A');
const failed = { paymentStatus: 'FAILED', buyStatus: 'Batal' } as const;

/** An order in a state without a history, to which events of its payment are applied. */
async function orderIn(state: OrderState = unpaid, wrap: (store: Store) => Store = (store) => store) {
  const memory = createMemoryStore();
  const store = wrap(memory);
  await memory.placeOrder(place(another('A', state)));
  const clock = { now: moment + minute };
  const eventOf = (over: Partial<PaymentEvent>): PaymentEvent => ({
    ...{ reference: payment.reference, status: 'paid', amount: pricing.total_price, at: clock.now },
    ...over,
  });
  return {
    store: memory,
    clock,
    async apply(over: Partial<PaymentEvent> = {}) {
      const { outcome, reason, order } = await applyPaymentEvent({ store, now: clock.now }, eventOf(over));
      return { outcome, reason, is: order && `${order.paymentStatus} / ${order.buyStatus}` };
    },
    handle: (over: Partial<PaymentEvent>) => handlePaymentEvent({ store, now: clock.now }, eventOf(over)),
    history: () => memory.findHistory(orderId),
    open: async () =>
      (await memory.listReconciliations({ state: 'open' })).map(({ reason, amount, paidAt }) => [
        reason,
        amount,
        paidAt,
      ]),
  };
}

const applied = (is: string, reason: string | null = null) => ({ outcome: 'applied', reason, is });
const unchanged = (is: string, reason: string | null = null) => ({ outcome: 'unchanged', reason, is });
const waits = (is: string | null) => ({ outcome: 'reconciliation', reason: null, is });

describe('an event of a payment', () => {
  it.each<[string, Partial<PaymentEvent>, object, object]>([
    [
      'a payment without a time',
      {},
      applied('PAID / Proses'),
      { event: 'paid', to: paid, paidAt: moment + minute },
    ],
    ['a payment with a time', { at: null }, applied('PAID / Proses'), { event: 'paid', to: paid }],
    ['a failed payment', { status: 'failed' }, applied('FAILED / Batal'), { event: 'failed', to: failed }],
    [
      'an expired payment',
      { status: 'expired' },
      applied('EXPIRED / Batal'),
      { event: 'expired', to: expired },
    ],
    [
      'a refunded payment',
      { status: 'refunded' },
      applied('FAILED / Batal', 'The payment was refunded before the order was paid.'),
      { event: 'failed', to: failed },
    ],
  ])('changes an unpaid order by %s', async (_what, over, result, entry) => {
    const { apply, history, open, store } = await orderIn();
    expect(await apply(over)).toEqual(result);
    expect(await store.findUnits(orderId)).toHaveLength(over.status === undefined ? 1 : 0);
    expect(await history()).toStrictEqual([{ at: moment + minute, by: 'gateway', from: unpaid, ...entry }]);
    expect(await open()).toEqual([]);
  });

  it.each<[string, OrderState, string, string]>([
    ['closed', failed, 'FAILED / Batal', 'closed'],
    ['late', expired, 'EXPIRED / Batal', 'late'],
    ['late', unpaid, 'UNPAID / Pending', 'late'],
  ])(
    'stores money to reconcile, %s, for an order that is %j when the payment arrives at its expiry',
    async (_what, state, is, reason) => {
      const { apply, open, clock } = await orderIn(state);
      clock.now = moment + 30 * minute;
      expect(await apply()).toEqual(waits(is));
      expect(await open()).toEqual([[reason, pricing.total_price, clock.now]]);
    },
  );

  it.each<[string, OrderState, Partial<PaymentEvent>, object]>([
    [
      'a failure of what is paid',
      paid,
      { status: 'failed' },
      {
        outcome: 'contradiction',
        reason: 'The gateway reported that the payment failed, but the order is PAID / Proses.',
      },
    ],
    [
      'an expiry of what is paid',
      paid,
      { status: 'expired' },
      {
        outcome: 'contradiction',
        reason: 'The gateway reported that the payment expired, but the order is PAID / Proses.',
      },
    ],
    [
      'a refund of what is paid',
      paid,
      { status: 'refunded' },
      {
        outcome: 'reconciliation',
        reason: 'The gateway reported that the payment was refunded, but the order is PAID / Proses.',
      },
    ],
    // Nothing tells when an order of an earlier version was paid.
    ['a payment of what is paid', paid, {}, { outcome: 'unchanged', reason: null }],
    ['an expiry of what failed', failed, { status: 'expired' }, { outcome: 'unchanged', reason: null }],
  ])('ignores an event for an order that is %s', async (_what, state, over, result) => {
    const { apply, history } = await orderIn(state);
    expect(await apply(over)).toMatchObject(result);
    expect(await history()).toEqual([]);
  });

  it('applies an event to an order that is created or changed meanwhile', async () => {
    let [references, orders] = [0, 0];
    const { apply } = await orderIn(unpaid, (store) => ({
      ...store,
      findOrderByReference(reference) {
        references += 1;
        return references === 1 ? Promise.resolve(null) : store.findOrderByReference(reference);
      },
      findOrder(id) {
        orders += 1;
        return orders === 1 ? Promise.resolve(null) : store.findOrder(id);
      },
    }));
    expect(await apply()).toEqual(applied('PAID / Proses'));
  });

  it("returns the order of an event with the order's reference", async () => {
    const { handle } = await orderIn();
    expect(await handle({})).toMatchObject({ orderId, paymentStatus: 'PAID' });
    expect(await handle({ reference: 'X', orderId })).toBeNull();
  });
});

describe('a payment of an order that is paid', () => {
  const first = moment + minute;

  it.each<[string, number | null, number | null, number, boolean]>([
    ['the same moment', first, first, first, false],
    ['another moment', first, first + 1, first, true],
    ['an unknown moment', first, null, first, false],
    // The clock of a gateway may be ten minutes from ours.
    ['a time that the first payment may have had', null, first + 10 * minute, first, false],
    ["a time that the first payment can't have had", null, first + 10 * minute + 1, first, true],
  ])(
    'treats a payment with %s as another payment only if it is certainly another payment',
    async (_what, paidAt, at, noticedAt, isAnother) => {
      const { apply, open, clock } = await orderIn();
      clock.now = noticedAt;
      await apply({ at: paidAt });
      clock.now += minute;
      expect(await apply({ at })).toEqual(isAnother ? waits('PAID / Proses') : unchanged('PAID / Proses'));
      expect(await open()).toEqual(isAnother ? [['closed', pricing.total_price, at]] : []);
    },
  );

  it('compares a payment with the event that paid the order, and not with an earlier event', async () => {
    const { apply, store, open } = await orderIn();
    await applyEvent(store, orderId, { event: 'expired', by: 'clock', at: moment + 31 * minute });
    expect(await apply({ at: first })).toEqual(applied('PAID / Proses'));
    await apply({ at: first + 1 });
    expect(await open()).toEqual([['closed', pricing.total_price, first + 1]]);
  });

  it('treats a payment as another payment if an operator settled the order', async () => {
    const { apply, store, open, clock } = await orderIn();
    await apply({ amount: 1 });
    const [money] = await store.listReconciliations({ state: 'open' });
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
    await settleReconciliation(deps, { reconciliationId: money?.reconciliationId ?? '', otherAmount: true });
    expect(await apply({ amount: 1 })).toEqual(
      unchanged('PAID / Proses', 'It is already recorded as settled.'),
    );
    expect(await apply({})).toEqual(waits('PAID / Proses'));
    expect(await open()).toEqual([['closed', pricing.total_price, first]]);
  });
});

describe('money to reconcile', () => {
  const at = moment + minute;

  it.each<[string, Partial<PaymentEvent>[], number]>([
    ['that is reported twice', [{ at }, { at }], 1],
    ['of two amounts', [{ at }, { at, amount: 2 }], 2],
    ['of two moments', [{ at }, { at: at + 1 }], 2],
    ['of two references', [{ at }, { at, reference: 'Y' }], 2],
    ['whose time is reported later', [{ at: null }, { at }], 1],
    ['whose time may be that of the first event', [{ at: null }, { at: at + 10 * minute }], 1],
    ["whose time can't be that of the first event", [{ at: null }, { at: at + 10 * minute + 1 }], 2],
    ['of two amounts at an unknown time', [{ at: null }, { at, amount: 2 }], 2],
    [
      'whose digits together equal those of another',
      [
        { amount: 12, at: 3 },
        { amount: 1, at: 23 },
      ],
      2,
    ],
  ])('stores events %s: %j, %i times', async (_what, events, count) => {
    const one = await orderIn();
    for (const event of events) await one.apply({ reference: 'X', amount: 1, ...event });
    expect(await one.open()).toHaveLength(count);
    // Each may be reported to another process.
    if (events[0]?.at === null) return;
    const two = await orderIn();
    await Promise.all(events.map((event) => two.apply({ reference: 'X', amount: 1, ...event })));
    expect(await two.open()).toHaveLength(count);
  });

  it('stores a payment next to a refund with the same amount and time', async () => {
    const { apply, open } = await orderIn(paid);
    const events = [{}, { status: 'refunded' }] as const;
    await Promise.all(events.map((over) => apply({ ...over, amount: 1 })));
    for (const over of events) await apply({ ...over, amount: 1 });
    expect((await open()).map(([reason]) => reason).sort()).toEqual(['amount', 'refunded']);
  });

  it('stores a payment with an unknown reference with the order that it names', async () => {
    const { apply, store } = await orderIn();
    expect(await apply({ reference: 'X', orderId })).toEqual(waits('UNPAID / Pending'));
    expect(await apply({ reference: 'Y', orderId: 'INV-gone' })).toEqual(waits(null));
    expect(await apply({ reference: 'Z', status: 'expired' })).toEqual({
      ...{ outcome: 'unmatched', reason: 'No order has this payment reference.', is: null },
    });
    expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
      { reference: 'X', orderId, reason: 'unknown' },
      { reference: 'Y', orderId: null, reason: 'unknown' },
    ]);
  });

  it.each<[string, string | null, boolean]>([
    ['names it', another('B').orderId, true],
    ['names no order', null, true],
    ['names another order', orderId, false],
  ])(
    'asks for a report again while an order is being created, if the report %s',
    async (_what, named, isToWait) => {
      const { apply, store, open } = await orderIn();
      await store.reserveOrder(reserve(another('B')));
      const result = await apply({ reference: 'X', orderId: named });
      expect(result).toMatchObject(
        isToWait
          ? { outcome: 'failed', reason: 'The order of this payment is still being created.' }
          : { outcome: 'reconciliation' },
      );
      expect(await open()).toHaveLength(isToWait ? 0 : 1);
    },
  );
});
