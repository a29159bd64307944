import { describe, expect, it } from 'vitest';
import type { PaymentQuestion, PaymentReport, RemoteGateway } from '../src/gateway/index.ts';
import type { Store } from '../src/store/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;

/** A service whose gateway reports what the test chooses, and notes when it was asked. */
async function start(over: Partial<RemoteGateway> = {}, after?: Store, now?: number) {
  const asked: { at: number; payment: PaymentQuestion }[] = [];
  const gateway = { report: async (): Promise<PaymentReport> => ({ status: 'open' }) };
  const service = await createTestService({
    ...(after && { after }),
    ...(now !== undefined && { now }),
    gateway: {
      kind: 'remote',
      name: 'remote',
      sandbox: true,
      createPayment: async ({ orderId }) => ({
        reference: `R-${orderId}`,
        url: 'https://gateway.example/pay',
      }),
      findPayment: async () => ({ state: 'absent' }),
      checkPayment(payment) {
        asked.push({ at: service.clock.now, payment });
        return gateway.report();
      },
      ...over,
    },
  });
  /** Lets time pass in steps of five seconds, as a running server does its work. */
  async function pass(duration: number): Promise<void> {
    const end = service.clock.now + duration;
    while (service.clock.now < end) {
      service.clock.now += 5_000;
      await service.engine.dueWork.run();
    }
  }
  const place = async () => (await service.order({ ...fixtureOrder, promo_code: undefined })).json.orderId;
  const statusOf = async (orderId: string) => (await service.store.findOrder(orderId))?.paymentStatus;
  return { ...service, asked, gateway, pass, place, statusOf };
}

describe('an open payment', () => {
  it('is asked about with growing gaps, until it is paid', async () => {
    const { place, pass, asked, gateway, clock, statusOf } = await start();
    const orderId = await place();
    await pass(20 * minute);
    expect(asked[0]?.payment).toEqual({ orderId, reference: `R-${orderId}`, amount: 44_000 });
    const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(15_000);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(4 * minute);

    gateway.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
    await pass(10 * minute);
    expect(await statusOf(orderId)).toBe('PAID');
    const count = asked.length;
    await pass(30 * minute);
    expect(asked).toHaveLength(count);
  });

  it('is asked about no more often than the gateway allows', async () => {
    const { place, pass, asked } = await start({ checkIntervalMs: 3 * minute });
    await place();
    await pass(25 * minute);
    const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(gaps.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3 * minute);
  });

  it('of another gateway is not asked about, until that one is configured again', async () => {
    const { place, pass, store, clock } = await start();
    const orderId = await place();
    await pass(minute);
    const other = await start({ name: 'other' }, store);
    other.clock.now = clock.now;
    await other.pass(5 * minute);
    expect(other.asked).toEqual([]);
    const again = await start({}, store);
    again.clock.now = other.clock.now;
    await again.pass(5_000);
    expect(again.asked[0]?.payment).toMatchObject({ orderId });
  });

  it('of another amount becomes one reconciliation, and is asked about no more often', async () => {
    const { place, pass, gateway, clock, store, asked } = await start();
    const orderId = await place();
    const paidAt = clock.now + 1;
    gateway.report = async () => ({ status: 'paid', amount: 1, at: paidAt });
    await pass(5 * minute);
    expect(await store.listReconciliations('open')).toMatchObject([{ orderId, reason: 'amount', amount: 1 }]);
    expect(asked.length).toBeLessThan(10);
  });

  it('stays open when the gateway is down or returns nonsense, which is reported', async () => {
    const { place, pass, gateway, reported, statusOf, clock } = await start();
    const orderId = await place();
    gateway.report = async () => ({ status: 'paid', amount: '44000' }) as never; // safe: an adapter without types
    await pass(minute);
    expect(String(reported[0])).toContain("gateway's checkPayment returned an invalid result.amount");
    gateway.report = () => Promise.reject(new Error('down'));
    await pass(minute);
    expect(await statusOf(orderId)).toBe('UNPAID');
    gateway.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
    await pass(5 * minute);
    expect(await statusOf(orderId)).toBe('PAID');
  });

  it('is asked about for a day after it expired, more and more rarely', async () => {
    const { place, pass, gateway, clock, statusOf, asked } = await start();
    const [paid, forgotten] = [await place(), await place()];
    const end = clock.now + 30 * minute;
    gateway.report = () => Promise.reject(new Error('down'));
    await pass(32 * minute);
    expect(await statusOf(paid)).toBe('EXPIRED');
    gateway.report = async () =>
      asked.at(-1)?.payment.orderId === paid
        ? { status: 'paid', amount: 44_000, at: end - 1 }
        : { status: 'open' };
    await pass(20 * minute);
    expect(await statusOf(paid)).toBe('PAID');
    expect(await statusOf(forgotten)).toBe('EXPIRED');
    const count = asked.length;
    await pass(24 * 60 * minute);
    const later = asked.slice(count);
    expect(new Set(later.map(({ payment }) => payment.orderId))).toEqual(new Set([forgotten]));
    expect(later.length).toBeLessThanOrEqual(4);
    expect(later.at(-1)?.at).toBeGreaterThan(end + 23 * 60 * minute);
    await pass(2 * 60 * minute);
    expect(asked).toHaveLength(count + later.length);
  });

  it('is asked about when a server starts, also when it expired while none ran', async () => {
    const before = await start();
    const orderId = await before.place();
    const paidAt = before.clock.now + minute;
    const next = await start({}, before.store, before.clock.now + 8 * 60 * minute);
    next.gateway.report = async () => ({ status: 'paid', amount: 44_000, at: paidAt });
    await next.engine.dueWork.run();
    await next.engine.dueWork.run();
    expect(await next.statusOf(orderId)).toBe('PAID');
  });

  it('is asked about when a server starts, also when it expired before the last one stopped', async () => {
    const before = await start();
    const orderId = await before.place();
    await before.pass(31 * minute);
    expect(await before.statusOf(orderId)).toBe('EXPIRED');
    const paidAt = before.clock.now - 10 * minute;
    const next = await start({}, before.store, before.clock.now + 10 * 60 * minute);
    next.gateway.report = async () => ({ status: 'paid', amount: 44_000, at: paidAt });
    await next.engine.dueWork.run();
    await next.engine.dueWork.run();
    expect(await next.statusOf(orderId)).toBe('PAID');
  });
});

describe('thousands of open payments', () => {
  const many = 1_500;

  /** A store with so many unpaid orders, of the same few moments, and the moment of the last one. */
  async function startWithMany(over: Partial<RemoteGateway> = {}) {
    const service = await start(over);
    const first = await service.store.findOrder(await service.place());
    if (!first) throw new Error('the order was not stored');
    for (let index = 1; index < many; index += 1) {
      const orderId = `${first.orderId.slice(0, -6)}${String(index).padStart(6, '0')}`;
      await service.store.placeOrder({
        order: {
          ...first,
          orderId,
          expiresAt: first.expiresAt + (index % 3),
          payment: { ...first.payment, reference: `R-${orderId}` },
        },
        promo: null,
        response: null,
      });
    }
    return service;
  }

  it('are all asked about, at a start and with gaps afterwards, a few at a time', {
    timeout: 60_000,
  }, async () => {
    let inFlight = 0;
    let most = 0;
    const { pass, asked, store, clock } = await startWithMany({
      async checkPayment() {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inFlight -= 1;
        return { status: 'open' };
      },
    });
    await pass(8 * minute);
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(20);
    expect(asked).toEqual([]);

    const next = await start({}, store);
    next.clock.now = clock.now;
    await next.pass(8 * minute);
    expect(new Set(next.asked.map(({ payment }) => payment.orderId)).size).toBe(many);
    const count = next.asked.length;
    await next.pass(10 * minute);
    const again = next.asked.slice(count).map(({ payment }) => payment.orderId);
    expect(new Set(again).size).toBe(many);
    expect(again.length).toBeLessThan(2 * many + 100);
  });

  it('get few questions while the gateway is down, and all of them once it is back', {
    timeout: 60_000,
  }, async () => {
    const { pass, asked, gateway, reported } = await startWithMany();
    gateway.report = () => Promise.reject(new Error('down'));
    await pass(10 * minute);
    expect(asked.length).toBeLessThan(50);
    expect(reported).toHaveLength(asked.length);
    const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(gaps.at(-1)).toBeGreaterThan(2 * minute);

    gateway.report = async () => ({ status: 'open' });
    asked.length = 0;
    await pass(25 * minute);
    expect(new Set(asked.map(({ payment }) => payment.orderId)).size).toBe(many);
  });
});
