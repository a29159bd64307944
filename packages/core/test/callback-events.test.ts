import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change, moment, place, unit } from '../../suites/src/store/fixtures.ts';
import {
  applyDeliveryCallback,
  applyPaymentCallback,
  type CallbackEventDependencies,
} from '../src/features/callbacks/apply.ts';
import { createMemoryStore, type StoredUnit } from '../src/features/store.ts';
import type { PaymentReport } from '../src/gateway/index.ts';
import { createSimulatedGateway } from '../src/gateway/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import type { DeliveryCallback } from '../src/supplier/index.ts';
import { callbackGateway, callbackSupplier } from './helpers/providers.ts';

const { orderId, payment } = another('A');
const total = 22_000;

/** An order with a gateway that says what the test chooses when it is asked. */
async function withGateway(over: Partial<CallbackEventDependencies> = {}) {
  const { gateway, asked, control } = callbackGateway();
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const events: unknown[] = [];
  const deps: CallbackEventDependencies = {
    ...{ store, gateway, supplier: callbackSupplier().supplier, worldClock: () => moment },
    emit(event) {
      if (event.type === 'payment') events.push([event.payment.status, event.payment.at]);
    },
    ...over,
  };
  const apply = (
    report: PaymentReport,
    { reference = payment.reference, order = null as string | null, confirm = true } = {},
  ) => applyPaymentCallback(deps, { reference, orderId: order, report, confirm });
  return { store, asked, control, events, apply };
}

const paid = (at: number | null, amount = total): PaymentReport => ({ status: 'paid', amount, at });
const expired = (at: number): PaymentReport => ({ status: 'expired', amount: total, at });

describe('a callback that the gateway must confirm', () => {
  it.each<[string, PaymentReport, PaymentReport, unknown[]]>([
    [
      'another payment of the same amount',
      paid(1),
      paid(2),
      [
        ['paid', 2],
        ['paid', 1],
      ],
    ],
    ['the same payment', paid(2), paid(2), [['paid', 2]]],
    ['another amount, which the gateway corrects', paid(1, 1), paid(2), [['paid', 2]]],
    ['a time that the gateway does not report', paid(1), paid(null), [['paid', null]]],
    ['a payment without a time', paid(null), paid(2), [['paid', 2]]],
    ['the expiry of a paid payment', expired(1), paid(2), [['paid', 2]]],
    ['the payment of an expired payment', paid(1), expired(2), [['expired', 2]]],
  ])("counts the gateway's response to a callback about %s", async (_what, told, confirmed, applied) => {
    const { apply, control, events } = await withGateway();
    control.report = async () => confirmed;
    await apply(told);
    expect(events).toEqual(applied);
  });

  it('requests the payment by the order and its total, or else by the data in the callback', async () => {
    const { apply, asked } = await withGateway();
    await apply(paid(1, 1));
    await apply(paid(1, 700), { reference: 'X', order: 'INV-gone' });
    await apply({ status: 'open' }, { reference: 'X', order: 'INV-gone' });
    expect(asked).toEqual([
      { orderId, reference: payment.reference, amount: total },
      { orderId: 'INV-gone', reference: 'X', amount: 700 },
      { orderId: 'INV-gone', reference: 'X', amount: 0 },
    ]);
  });

  it('leaves a callback unmatched if neither its id nor its reference names an order', async () => {
    const { apply, asked } = await withGateway();
    expect(await apply(paid(1), { reference: 'X' })).toEqual({
      ...{ outcome: 'unmatched', orderId: null },
      reason: 'It names no order, so the gateway could not confirm it.',
    });
    expect(asked).toEqual([]);
  });

  it('fails a callback if the gateway is unreachable or takes over ten seconds', async () => {
    const { checkPayment: _checkPayment, ...unaskable } = callbackGateway().gateway;
    const local = createSimulatedGateway({ clock: () => moment, random: secureRandom, pageUrl: String });
    for (const gateway of [unaskable, local]) {
      const { apply } = await withGateway({ gateway });
      await expect(apply(paid(1))).rejects.toThrow(
        `The gateway ${gateway.name} has no checkPayment, which could confirm a callback.`,
      );
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { apply, control } = await withGateway();
    control.report = () => new Promise(() => {});
    const result = expect(apply(paid(1))).rejects.toThrow('the gateway did not respond in time');
    await vi.advanceTimersByTimeAsync(10_000);
    await result;
  });
});

describe('a callback of a payment that is open', () => {
  const denied = 'The gateway has not confirmed the payment yet.';

  it.each([
    [
      'repeats an earlier report',
      { status: 'open' } as const,
      true,
      {},
      { outcome: 'unchanged', reason: null, orderId },
    ],
    ['is believed', { status: 'open' } as const, false, {}, { outcome: 'unchanged', reason: null, orderId }],
    [
      'reports a payment that the gateway denies',
      paid(1),
      true,
      {},
      { outcome: 'failed', reason: denied, orderId },
    ],
    [
      'is about an unknown order',
      { status: 'open' } as const,
      true,
      { reference: 'X', order: 'INV-gone' },
      { outcome: 'unmatched', reason: null, orderId: null },
    ],
  ])('a callback %s', async (_what, report, confirm, names, result) => {
    const { apply, events } = await withGateway();
    expect(await apply(report, { ...names, confirm })).toEqual(result);
    expect(events).toEqual([]);
  });
});

describe('a callback of a purchase', () => {
  const delivered = { state: 'delivered', serialNumber: 'SN-7' } as const;
  const asked = { state: 'asked', supplier: 'depot', askedAt: moment, nextAt: moment + 1 } as const;
  const unmatched = { outcome: 'unmatched', reason: 'No order has this purchase.', orderId: null };

  /** The result of a callback about a paid order with these units. */
  async function event(units: Partial<StoredUnit>[], over: Partial<DeliveryCallback>) {
    const { supplier, found } = callbackSupplier();
    const { gateway } = callbackGateway();
    const store = createMemoryStore();
    await store.placeOrder(place(another('A')));
    await store.changeOrder(
      change({ units: units.map((fields, index) => unit(index + 1, { ...asked, ...fields })) }),
    );
    const result = await applyDeliveryCallback(
      { store, gateway, supplier, worldClock: () => moment },
      supplier,
      { reference: null, supplierId: null, result: null, ...over },
    );
    return { result, found, units: await store.findUnits(orderId) };
  }

  it.each<[string, Partial<StoredUnit>[], Partial<DeliveryCallback>]>([
    ['that names nothing', [{}], { result: delivered }],
    ['of an item that the order does not have', [{}], { reference: `${orderId}-2-1`, result: delivered }],
    [
      'of an id that two open purchases have',
      [{ supplierId: 'T' }, { supplierId: 'T', state: 'unknown' }],
      { supplierId: 'T', result: delivered },
    ],
    [
      'of an id that two settled purchases have',
      Array(2).fill({ supplierId: 'T', state: 'failed', nextAt: null }),
      { supplierId: 'T', result: delivered },
    ],
  ])('leaves a callback %s unmatched', async (_what, fields, over) => {
    expect((await event(fields, over)).result).toEqual(unmatched);
  });

  it.each<[string, Partial<StoredUnit>[], Partial<DeliveryCallback>, object, Partial<StoredUnit>[]]>([
    [
      'keeps the id of the supplier',
      [{}],
      { reference: `${orderId}-1-1`, supplierId: 'T-1', result: delivered },
      { outcome: 'applied', reason: null, orderId },
      [{ state: 'delivered', supplierId: 'T-1' }],
    ],
    [
      'with an id belongs to the item with an unknown outcome, and not to a settled item',
      [
        { state: 'failed', nextAt: null, supplierId: 'T' },
        { state: 'unknown', nextAt: null, supplierId: 'T' },
      ],
      { supplierId: 'T', result: delivered },
      { outcome: 'applied', reason: null, orderId },
      [{ state: 'failed' }, { state: 'delivered' }],
    ],
    [
      'about an attempt before that at another supplier still contradicts its failure',
      [{ attempt: 2, supplier: 'shelf' }],
      { reference: `${orderId}-1-1`, result: delivered },
      {
        ...{ outcome: 'contradiction', orderId },
        reason: `${orderId}-1-1: It contradicts the supplier's earlier report.`,
      },
      [{ attempt: 2, state: 'asked', contradiction: expect.stringContaining('attempt 1 as delivered') }],
    ],
    [
      'about an earlier attempt changes nothing if it is unverified',
      [{ attempt: 2 }],
      { reference: `${orderId}-1-1` },
      { outcome: 'unchanged', reason: 'It reports an attempt that is not the current one.', orderId },
      [{ attempt: 2, state: 'asked' }],
    ],
  ])('a callback %s', async (_what, fields, over, result, after) => {
    const { result: came, units, found } = await event(fields, over);
    expect(came).toEqual(result);
    expect(units).toMatchObject(after);
    expect(found).toEqual([]);
  });

  it.each([
    [null, 'T-1', 'T-1'],
    ['T-0', 'T-1', 'T-0'],
  ])(
    "looks up a purchase by the id %s for an unverified callback, or else by the callback's id",
    async (known, told, asked) => {
      const failed = { state: 'failed', nextAt: null, supplierId: known } as const;
      const { found } = await event([failed], { reference: `${orderId}-1-1`, supplierId: told });
      expect(found).toMatchObject([{ reference: `${orderId}-1-1`, supplierId: asked }]);
    },
  );
});
