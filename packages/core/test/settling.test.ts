import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  claim,
  expired,
  moment,
  paid,
  place,
  promo,
  reconciliation,
  unpaid,
} from '../../suites/src/store/fixtures.ts';
import { applyEvent } from '../src/engine/orders/change-order.ts';
import {
  ClosingError,
  dryRun,
  previewPromo,
  returnPayment,
  settleReconciliation,
} from '../src/features/index.ts';
import { createMemoryStore, type OrderState } from '../src/features/store.ts';

const { orderId } = another('A');
const at = moment + 120_000;

/** A store with an order in a state, which an operator changes. */
async function orderIn(to: OrderState) {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  await store.changeOrder(change({ to }));
  const order = () => store.findOrder(orderId);
  return {
    store,
    deps: { store, worldClock: () => at, operator: 'ani' },
    read: async () => ({
      order: await order(),
      units: await store.findUnits(orderId),
      history: await store.findHistory(orderId),
    }),
  };
}

describe("a payment that didn't match its order", () => {
  /** An order in a state with an open payment of its own, and one of no order. */
  async function withPayments(state: OrderState) {
    const service = await orderIn(state);
    await service.store.addReconciliation(reconciliation({ reconciliationId: 'rec-0', orderId: null }));
    await service.store.addReconciliation(reconciliation());
    return service;
  }

  it.each([
    ['late', 'rec-1', undefined],
    ['of no order', 'rec-0', orderId],
  ])('pays the order with a payment that is %s when an operator settles it', async (_what, id, ofOrder) => {
    const { deps, read, store } = await withPayments(expired);
    const preview = await settleReconciliation(dryRun(deps), { reconciliationId: id, orderId: ofOrder });
    expect(preview).toMatchObject({ order: paid, difference: 0, refunds: [] });
    expect((await read()).order).toMatchObject(expired);
    const settled = await settleReconciliation(deps, { reconciliationId: id, orderId: ofOrder });
    const { order, units, history } = await read();
    expect(settled).toEqual({ order, difference: 0, refunds: [] });
    expect(order).toEqual({ ...preview.order, version: 3 });
    expect(units).toMatchObject([{ state: 'waiting', attempt: 1, nextAt: at }]);
    expect(history).toStrictEqual([
      { at, event: 'settled', by: 'operator', operator: 'ani', from: expired, to: paid, amount: 22_000 },
    ]);
    expect(await store.listReconciliations({ state: 'settled' })).toMatchObject([
      { reconciliationId: id, orderId },
    ]);
  });

  it.each<[string, OrderState, string, string | undefined, object]>([
    ['an unknown payment', expired, 'rec-2', undefined, { code: 'RECONCILIATION_NOT_FOUND' }],
    [
      'a payment without an order if none is named',
      expired,
      'rec-0',
      undefined,
      { code: 'RECONCILIATION_WITHOUT_ORDER' },
    ],
    [
      'a payment without an order for an unknown order',
      expired,
      'rec-0',
      'INV-1',
      { code: 'INVOICE_NOT_FOUND' },
    ],
    [
      'a payment of another order than the named order',
      expired,
      'rec-1',
      'INV-1',
      { code: 'RECONCILIATION_OF_OTHER_ORDER' },
    ],
    [
      'a payment of a paid order',
      paid,
      'rec-1',
      undefined,
      { code: 'STATE_CONFLICT', params: { payment: 'PAID', buy: 'Proses' } },
    ],
  ])('rejects settling %s', async (_what, state, id, ofOrder, error) => {
    const { deps, read, store } = await withPayments(state);
    const before = await read();
    await expect(
      settleReconciliation(deps, { reconciliationId: id, orderId: ofOrder }),
    ).rejects.toMatchObject(error);
    expect(await read()).toEqual(before);
    expect(await store.listReconciliations({ state: 'open' })).toHaveLength(2);
    if (state === paid)
      await expect(
        settleReconciliation(dryRun(deps), { reconciliationId: id, orderId: ofOrder }),
      ).rejects.toMatchObject(error);
  });
});

describe("a payment with another amount than the order's", () => {
  it.each([
    ['less', 20_000, -2_000, []],
    ['more', 25_500, 3_500, [{ amount: 3_500, units: [], state: 'to-pay', operator: 'ani', at }]],
  ])(
    'settles a payment of another amount (%s) only on request, and records it',
    async (_what, amount, difference, over) => {
      const { deps, read, store } = await orderIn(unpaid);
      await store.addReconciliation(reconciliation({ amount, reason: 'amount' }));
      const error = { name: 'AmountError', problem: 'other-than-total', amount, limit: 22_000 };
      for (const by of [deps, dryRun(deps)])
        await expect(settleReconciliation(by, { reconciliationId: 'rec-1' })).rejects.toMatchObject(error);
      expect(await read()).toMatchObject({ order: unpaid, history: [] });
      const asked = { reconciliationId: 'rec-1', otherAmount: true };
      expect(await settleReconciliation(dryRun(deps), asked)).toMatchObject({ difference, refunds: over });
      expect(await store.listRefunds()).toEqual([]);
      expect(await settleReconciliation(deps, asked)).toMatchObject({ order: paid, difference });
      expect((await read()).history).toMatchObject([{ event: 'settled', operator: 'ani', amount }]);
      expect(await store.findRefunds(orderId)).toMatchObject(over);
      expect(await store.listReconciliations()).toMatchObject([
        { state: 'settled', closedBy: 'ani', closedAt: at },
      ]);
    },
  );
});

it("pays no order with a gateway's refund", async () => {
  const { deps, store, read } = await orderIn(expired);
  await store.addReconciliation(reconciliation({ reason: 'refunded' }));
  for (const by of [deps, dryRun(deps)])
    await expect(settleReconciliation(by, { reconciliationId: 'rec-1' })).rejects.toMatchObject({
      code: 'RECONCILIATION_REFUNDED',
    });
  expect((await read()).order).toMatchObject(expired);
});

it('records when an operator returned a payment', async () => {
  const { deps, store } = await orderIn(expired);
  await store.addReconciliation(reconciliation());
  expect(await returnPayment(deps, 'rec-1', 'BCA 1')).toMatchObject({ state: 'returned', closedBy: 'ani' });
  expect(await store.listReconciliations({ state: 'returned' })).toMatchObject([
    { note: 'BCA 1', closedAt: at, closedBy: 'ani' },
  ]);
});

it.each([
  ['settled', 'Pembayaran rec-1 sudah dihitung sebagai pembayaran.', 'The payment rec-1 is already settled.'],
  ['returned', 'Pembayaran rec-1 sudah dikembalikan.', 'The payment rec-1 is already returned.'],
] as const)(
  'rejects a second return of a payment that is %s, and explains it in both languages',
  async (state, id, en) => {
    const { deps, store } = await orderIn(expired);
    await store.addReconciliation(reconciliation({ state }));
    for (const by of [deps, dryRun(deps)]) {
      const error = await returnPayment(by, 'rec-1', 'BCA 2').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'RECONCILIATION_CLOSED' });
      expect(error instanceof ClosingError && error.words({ money: String, time: String })).toEqual({
        id,
        en,
      });
    }
  },
);

it('returns a payment once for two simultaneous operators', async () => {
  const { deps, store } = await orderIn(expired);
  await store.addReconciliation(reconciliation());
  const results = await Promise.allSettled(
    ['BCA 1', 'BCA 2'].map((note) => returnPayment(deps, 'rec-1', note)),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('records why the operator accepted the payment', async () => {
  const { store, deps, read } = await orderIn(expired);
  await store.addReconciliation(reconciliation());
  await settleReconciliation(deps, { reconciliationId: 'rec-1', note: 'paid at the counter' });
  expect((await read()).history).toMatchObject([{ event: 'settled', note: 'paid at the counter' }]);
});

it('settles a payment even if its order changes in between', async () => {
  const { deps, store } = await orderIn(expired);
  for (const reconciliationId of ['rec-0', 'rec-1', 'rec-2'])
    await store.addReconciliation(reconciliation({ reconciliationId }));
  let tries = 0;
  const busy = {
    ...store,
    async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
      tries += 1;
      return tries === 1 ? ({ conflict: 'order_changed' } as const) : store.changeOrder(command);
    },
  };
  expect(await settleReconciliation({ ...deps, store: busy }, { reconciliationId: 'rec-1' })).toMatchObject({
    order: paid,
  });
  expect(await store.listReconciliations({ state: 'settled' })).toMatchObject([
    { reconciliationId: 'rec-1' },
  ]);
});

describe('a payment that is settled or returned while an operator settles it', () => {
  it('pays no order with a payment that another operator settles or returns at the same time', async () => {
    const { deps, store, read } = await orderIn(expired);
    for (const [reconciliationId, ofOrder] of [
      ['rec-0', another('B').orderId],
      ['rec-1', orderId],
      ['rec-2', orderId],
    ] as const)
      await store.addReconciliation(reconciliation({ reconciliationId, orderId: ofOrder }));
    const busy = {
      ...store,
      async changeOrder(command: Parameters<typeof store.changeOrder>[0]) {
        await store.returnReconciliation('rec-1', 'by transfer');
        return store.changeOrder(command);
      },
    };
    await expect(
      settleReconciliation({ ...deps, store: busy }, { reconciliationId: 'rec-1' }),
    ).rejects.toMatchObject({
      code: 'RECONCILIATION_CLOSED',
    });
    // Nor does one that belongs to another order.
    await expect(
      applyEvent(store, orderId, { event: 'settled', by: 'operator', at, settles: ['rec-0'] }),
    ).resolves.toMatchObject({ changed: false });
    expect((await read()).order).toMatchObject(expired);
  });
});

describe('the uses of a promo', () => {
  it.each([
    [null, false],
    [3, false],
    [2, false],
    [1, true],
  ])("previews whether two uses exceed a promo's quota of %s: %s", async (quota, isOverused) => {
    const store = createMemoryStore();
    await store.putPromo(promo());
    for (const letter of ['A', 'B'])
      await store.placeOrder(place(another(letter, unpaid), { promo: claim({ customer: letter }) }));
    const preview = await previewPromo(store, promo({ quota }), { realNow: moment, now: moment });
    expect([preview.used.uses, preview.isOverused]).toEqual([2, isOverused]);
  });
});
