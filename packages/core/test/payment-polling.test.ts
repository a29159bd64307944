import { describe, expect, it } from 'vitest';
import type { Store } from '../src/features/store.ts';
import type { CheckPaymentRequest, PaymentReport, RemoteGateway } from '../src/gateway/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;

/** A service whose gateway reports what the test chooses, and notes when it was asked. */
async function start(over: Partial<RemoteGateway> = {}, after?: Store, now?: number) {
  const asked: { at: number; payment: CheckPaymentRequest }[] = [];
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
  it('checks an open payment until it is paid', async () => {
    const { place, pass, asked, gateway, clock, statusOf } = await start();
    const orderId = await place();
    await pass(minute);
    expect(asked[0]?.payment).toEqual({ orderId, reference: `R-${orderId}`, amount: 44_000 });
    gateway.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
    await pass(minute);
    expect(await statusOf(orderId)).toBe('PAID');
    const count = asked.length;
    await pass(10 * minute);
    expect(asked).toHaveLength(count);
  });

  it('stores one reconciliation for a payment with another amount, and stops checking', async () => {
    const { place, pass, gateway, clock, store, asked } = await start();
    const orderId = await place();
    const paidAt = clock.now + 1;
    gateway.report = async () => ({ status: 'paid', amount: 1, at: paidAt });
    await pass(5 * minute);
    expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
      { orderId, reason: 'amount', amount: 1 },
    ]);
    expect(asked.length).toBeLessThan(10);
  });

  it('keeps a payment open when the gateway is unavailable or returns an invalid response, and reports the problem', async () => {
    const { place, pass, gateway, reported, statusOf, clock } = await start();
    const orderId = await place();
    gateway.report = async () => ({ status: 'paid', amount: '44000' }) as never; // Safe: an adapter without types can return this value.
    await pass(minute);
    expect(String(reported[0])).toContain("gateway's checkPayment returned an invalid result.amount");
    gateway.report = () => Promise.reject(new Error('down'));
    await pass(minute);
    expect(await statusOf(orderId)).toBe('UNPAID');
    gateway.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
    await pass(5 * minute);
    expect(await statusOf(orderId)).toBe('PAID');
  });

  it('checks a payment when a server starts, even if the payment expired while no server ran', async () => {
    const before = await start();
    const orderId = await before.place();
    const paidAt = before.clock.now + minute;
    const next = await start({}, before.store, before.clock.now + 8 * 60 * minute);
    next.gateway.report = async () => ({ status: 'paid', amount: 44_000, at: paidAt });
    await next.engine.dueWork.run();
    await next.engine.dueWork.run();
    expect(await next.statusOf(orderId)).toBe('PAID');
  });

  it('checks a payment when a server starts, even if it expired before the last server stopped', async () => {
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
