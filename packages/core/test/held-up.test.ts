import { describe, expect, it } from 'vitest';
import { findAlerts, retryOrder, submitFunded } from '../src/features/index.ts';
import type { PurchaseResult } from '../src/supplier/index.ts';
import { asked, orderWith } from './helpers/delivery.ts';
import { callbackGateway, callbackSupplier, signed } from './helpers/providers.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService } from './helpers/test-service.ts';

const minute = 60_000;

/** A shop whose supplier responds as planned, with a paid order. */
async function start(plan: PurchaseResult) {
  const { supplier } = callbackSupplier();
  const submitted: string[] = [];
  supplier.submit = async ({ reference }) => {
    submitted.push(reference);
    return plan;
  };
  const service = await createTestService({ gateway: callbackGateway().gateway, supplier });
  const { order, clock, engine, store } = service;
  const { orderId, data } = (await order()).json;
  const payment = { reference: `R-${orderId}`, amount: data.total_price, at: clock.now };
  await engine.handlePaymentEvent({ ...payment, status: 'paid' });
  await engine.dueWork.run();
  return {
    ...{ ...service, orderId, submitted },
    /** Lets the supplier respond in another way. */
    plan(next: PurchaseResult) {
      plan = next;
    },
    run: () => engine.dueWork.run(),
    alerts: async () =>
      (await findAlerts(store, { now: clock.now, realNow: clock.now })).map(
        ({ kind, sentence }) => `${kind}: ${sentence}`,
      ),
    operating: { store, worldClock: () => clock.now, operator: 'Dewi' },
  };
}

const notPermitted = {
  state: 'pending',
  waitsFor: 'supplier',
  reason: 'IP 2001:db8::1 is not permitted',
} as const;
const unfunded = { state: 'pending', waitsFor: 'balance', reason: 'no balance' } as const;
const delivered = { state: 'delivered', serialNumber: 'SN' } as const;

describe('a paid order whose supplier currently accepts no purchases', () => {
  it('keeps a paid order in delivery while its supplier accepts no purchases, names the cause in an alert, and then buys it automatically', async () => {
    const { orderId, store, clock, run, plan, alerts, submitted } = await start(notPermitted);
    expect(await store.findOrder(orderId)).toMatchObject({ paymentStatus: 'PAID', buyStatus: 'Proses' });
    expect(await store.findUnits(orderId)).toMatchObject([
      { state: 'waiting', attempt: 1, reason: notPermitted.reason, waitsFor: null, cost: null },
      { state: 'waiting', attempt: 1 },
    ]);
    expect(await alerts()).toEqual([expect.stringContaining(notPermitted.reason)]);
    plan(delivered);
    clock.now += minute;
    await run();
    expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Sukses' });
    expect(new Set(submitted)).toEqual(new Set([`${orderId}-1-1`, `${orderId}-2-1`]));
    expect(await alerts()).toEqual([]);
  });

  it('raises no alert for the whole supplier while only one product is unavailable, but later reports that the order is stuck, with the reason', async () => {
    const { clock, alerts, run, store, orderId } = await start({
      state: 'pending',
      waitsFor: 'product',
      reason: 'Stok habis',
    });
    expect(await alerts()).toEqual([]);
    expect(await store.findUnits(orderId)).toMatchObject([{ reason: 'Stok habis' }, { state: 'waiting' }]);
    clock.now += 16 * minute;
    await run();
    expect(await alerts()).toEqual([expect.stringMatching(/^stuck-orders: .*\(reasons: Stok habis\)/)]);
  });

  it('tries a waiting order again within a minute', async () => {
    const { clock, run, submitted } = await start(notPermitted);
    const before = submitted.length;
    for (let seconds = 0; seconds < 600; seconds += 10) {
      clock.now += 10_000;
      await run();
    }
    // Two items, at most once a minute each when it has waited for long, and sooner at first.
    expect(submitted.length - before).toBeGreaterThanOrEqual(2 * 10);
  });

  it('tries a waiting order immediately when an operator retries it', async () => {
    const { orderId, plan, run, store, operating } = await start(notPermitted);
    plan(delivered);
    await run();
    expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Proses' });
    expect(await retryOrder(operating, orderId)).toMatchObject({ buyStatus: 'Proses' });
    expect(await store.findUnits(orderId)).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
    await run();
    expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Sukses' });
  });
});

it('buys all waiting orders immediately after a deposit, and no other orders', async () => {
  const { orderId, plan, run, store, clock } = await start(unfunded);
  plan(delivered);
  await submitFunded(store, { supplier: 'another', balance: 1_000_000 }, clock.now);
  await run();
  expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Proses' });
  await submitFunded(store, { supplier: 'depot', balance: 1_000_000 }, clock.now);
  await run();
  expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Sukses' });

  const other = await start(notPermitted);
  const before = await other.store.findUnits(other.orderId);
  await submitFunded(other.store, { supplier: 'depot', balance: 1_000_000 }, other.clock.now);
  expect(await other.store.findUnits(other.orderId)).toEqual(before);
});

it.each([
  ['one of them', 1, 1],
  ['both', 1_000_000, 2],
])('tries only as many orders as the increased balance can pay for: %s', async (_what, balance, tried) => {
  const { orderId, store, clock, order, engine } = await start(unfunded);
  const other = (await order()).json;
  const payment = { reference: `R-${other.orderId}`, amount: other.data.total_price, at: clock.now };
  await engine.handlePaymentEvent({ ...payment, status: 'paid' });
  await engine.dueWork.run();
  await submitFunded(store, { supplier: 'depot', balance }, clock.now);
  const units = await Promise.all([orderId, other.orderId].map((id) => store.findUnits(id)));
  expect(units.filter((some) => some.every(({ nextAt }) => nextAt === clock.now))).toHaveLength(tried);
});

it("shows the last request's reason for a unit that can't be looked up", async () => {
  const { deliver, read } = await orderWith([{ ...asked, reason: 'status 502 that is not JSON' }], {
    supplier: supplierThat({ abilities: { findBy: 'none' } }),
  });
  await deliver();
  expect(await read()).toMatchObject({
    ...{ state: 'unknown' },
    reason: expect.stringMatching(/can't be asked.*Before: status 502 that is not JSON/),
  });
});

describe('a supplier that allows a look-up every ten minutes, but an earlier one after a callback', () => {
  const abilities = { findIntervalMs: 10 * minute, callbackFindIntervalMs: 10_000 };

  it('looks up a purchase within seconds of its callback, and only once if the callback is repeated', async () => {
    const { supplier, control } = callbackSupplier();
    supplier.abilities = { ...supplier.abilities, ...abilities };
    const { order, clock, engine, callbacks, store } = await createTestService({
      gateway: callbackGateway().gateway,
      supplier,
    });
    const { orderId, data } = (await order()).json;
    const payment = { reference: `R-${orderId}`, amount: data.total_price, at: clock.now };
    await engine.handlePaymentEvent({ ...payment, status: 'paid' });
    await engine.dueWork.run();
    let questions = 0;
    control.find = async () => {
      questions += 1;
      return { state: 'pending' };
    };
    const tell = async () => {
      const event = { reference: `${orderId}-1-1`, supplierId: null, result: null };
      await callbacks.receive('supplier', 'depot', signed(JSON.stringify(event)), '203.0.113.7');
      await engine.dueWork.run();
    };
    await tell();
    expect(questions).toBe(0);
    clock.now += 11_000;
    await tell();
    clock.now += 1_000;
    await tell();
    expect(questions).toBe(1);
    for (let second = 0; second < 8; second += 1) {
      clock.now += 1_000;
      await tell();
    }
    expect(questions).toBe(1);
    control.find = async () => delivered;
    clock.now += 10_000;
    await tell();
    clock.now += 1_000;
    await engine.dueWork.run();
    const [first] = await store.findUnits(orderId);
    expect(first).toMatchObject({ state: 'delivered' });
  });
});
