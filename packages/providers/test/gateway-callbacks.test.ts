import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallbackResponse } from '@topup-kit/core/callback';
import { startSimulators } from '@topup-kit/simulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestService } from '../../core/test/helpers/test-service.ts';
import { start } from '../../simulators/test/helpers/simulators.ts';
import { createMidtransGateway } from '../src/midtrans/adapter.ts';
import { createTripayGateway } from '../src/tripay/adapter.ts';
import { callbackOf, minute } from './helpers/gateways.ts';

const serverKey = 'askvnoibnosifnboseofinbofinfgbiufglnbfg';

/** A shop that receives the callbacks of a simulated provider over HTTP, with an order that waits to be paid. */
async function startShop(name: 'tripay' | 'midtrans', firstFault?: string) {
  let receive: (callback: Parameters<typeof callbackOf>[0]) => Promise<CallbackResponse | null>;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const result = await receive({ headers: request.headers, body });
    response.writeHead(result?.status ?? 404).end(JSON.stringify(result?.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  const simulators = await startSimulators({
    ...{ port: 0, now: () => start, callbackUrls: { [name]: `http://127.0.0.1:${port}/` } },
  });
  onTestFinished(() => simulators.close());
  const { baseUrl } = simulators.providers.find((provider) => provider.name === name) ?? { baseUrl: '' };

  const service = await createTestService({
    gateway:
      name === 'midtrans'
        ? createMidtransGateway({ serverKey, signatureKey: serverKey, baseUrl }, { clock: () => start })
        : createTripayGateway({
            ...{ apiKey: 'DEV-simulated-api-key', privateKey: 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu' },
            ...{ merchantCode: 'T0001', baseUrl, fallbackEmail: 'orders@shop.example' },
          }),
  });
  service.clock.now = start;
  receive = async (callback) =>
    (await service.callbacks.receive('gateway', name, callbackOf(callback), '203.0.113.7'))?.response ?? null;

  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`${simulators.url}/control/${path}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    });
    expect(response.status).toBeLessThan(300);
  }
  if (firstFault) await control('faults', { provider: name, fault: firstFault });
  const { orderId, data } = (await service.order()).json;
  // Midtrans notifies of a new payment, too.
  await control('advance', { seconds: 0 });
  const reference = name === 'tripay' ? data.payment_reference : orderId;
  return {
    orderId,
    service,
    fault: (fault: string) => control('faults', { provider: name, fault }),
    act: (action: string, more: object = {}) => control(`${name}/${action}`, { reference, ...more }),
    /** Lets time pass for both; callbacks that are due have been handled then. */
    async pass(ms: number) {
      service.clock.now += ms;
      await control('advance', { seconds: ms / 1000 });
    },
    async state() {
      await service.callbacks.storeUnverified();
      const order = await service.store.findOrder(orderId);
      const callbacks = await service.store.listCallbacks({ limit: 100 });
      return {
        status: order?.paymentStatus,
        // Midtrans also says that a payment is pending.
        // Several may come in one millisecond. Of a payment that is pending there is nothing to say.
        outcomes: callbacks
          .filter(({ body }) => firstFault || !new TextDecoder().decode(body).includes('"pending"'))
          .map(({ outcome }) => outcome)
          .toSorted(),
        reasons: (await service.store.listReconciliations({ state: 'open' })).map(({ reason }) => reason),
      };
    },
  };
}

describe.each(['tripay', 'midtrans'] as const)('callbacks of %s to a shop', (name) => {
  const paid = { status: 'PAID', outcomes: ['applied'], reasons: [] };

  it('pays the order when a callback arrives', async () => {
    const { act, pass, state } = await startShop(name);
    await act('pay');
    await pass(minute);
    expect(await state()).toEqual(paid);
  });

  it('pays the order once when callbacks are repeated', async () => {
    const { act, fault, pass, state } = await startShop(name);
    await fault('duplicate-callback');
    await act('pay');
    await pass(minute);
    expect(await state()).toEqual({ ...paid, outcomes: ['applied', 'unchanged'] });
  });

  it('changes nothing for a callback with a wrong signature, and records the payment at the next attempt', async () => {
    const { act, fault, pass, state } = await startShop(name);
    await fault('bad-signature');
    await act('pay');
    await pass(minute);
    expect(await state()).toEqual({ status: 'UNPAID', outcomes: ['rejected'], reasons: [] });
    await pass(2 * minute);
    expect(await state()).toEqual({ ...paid, outcomes: ['applied', 'rejected'] });
  });

  it('leaves a callback with another amount to an operator', async () => {
    const { act, fault, pass, state } = await startShop(name);
    await fault('wrong-amount');
    await act('pay');
    await pass(minute);
    expect(await state()).toEqual({ status: 'UNPAID', outcomes: ['reconciliation'], reasons: ['amount'] });
  });

  it('leaves a payment after the expiry to an operator', async () => {
    const { act, pass, state, service } = await startShop(name);
    await pass(31 * minute);
    await service.engine.dueWork.run();
    await act('pay', { late: true });
    await pass(minute);
    expect(await state()).toMatchObject({
      ...{ status: 'EXPIRED', reasons: ['late'], outcomes: expect.arrayContaining(['reconciliation']) },
    });
  });

  it("leaves an order's second payment to an operator", async () => {
    const { act, pass, state } = await startShop(name);
    await act('pay');
    await pass(minute);
    await act('pay', { late: true });
    await pass(minute);
    expect(await state()).toEqual({
      status: 'PAID',
      outcomes: ['applied', 'reconciliation'],
      reasons: ['closed'],
    });
  });
});

describe('a partial refund by Midtrans', () => {
  const waiting = async ({ service }: Awaited<ReturnType<typeof startShop>>) =>
    (await service.store.listReconciliations({ state: 'open' })).map(({ reason, amount }) => [
      reason,
      amount,
    ]);

  it('keeps an order whose delivery failed unchanged, and leaves the partial refund to an operator', async () => {
    const shop = await startShop('midtrans');
    const { act, pass, service, orderId } = shop;
    await act('pay');
    await pass(minute);
    await service.sandbox.act(orderId, 'fail-delivery');
    await act('refund', { amount: 13_334 });
    await pass(minute);
    expect(await service.store.findOrder(orderId)).toMatchObject({
      paymentStatus: 'PAID',
      buyStatus: 'Gagal',
    });
    expect(await waiting(shop)).toEqual([['refunded', 13_334]]);
    // The rest is an operator's to pay, or the gateway's.
    await act('refund');
    await pass(minute);
    expect(await service.store.findOrder(orderId)).toMatchObject({ paymentStatus: 'REFUND' });
    expect(await service.store.findRefunds(orderId)).toMatchObject([{ amount: 40_000, state: 'paid' }]);
    expect(await waiting(shop)).toEqual([]);
  });

  it('finds a partial refund with a status request, and leaves the rest of the payment to an operator', async () => {
    const shop = await startShop('midtrans');
    const { act, fault, pass, service } = shop;
    await fault('lost-callback');
    await act('pay');
    await fault('lost-callback');
    await act('refund', { amount: 13_334 });
    await pass(minute);
    await service.engine.dueWork.run();
    await expect.poll(() => waiting(shop)).toEqual([['amount', 26_666]]);
    expect(await shop.state()).toMatchObject({ status: 'UNPAID' });
  });
});

it('changes nothing for an older notification of Midtrans after a newer notification', async () => {
  const { act, pass, state } = await startShop('midtrans', 'out-of-order');
  await act('pay');
  await pass(minute);
  expect(await state()).toEqual({ status: 'PAID', outcomes: ['applied', 'unchanged'], reasons: [] });
});

it("leaves Tripay's PAID after REFUND to an operator", async () => {
  const { act, fault, pass, state } = await startShop('tripay');
  await fault('out-of-order');
  await act('pay');
  await act('refund');
  await pass(20 * minute);
  expect(await state()).toEqual({
    ...{ status: 'FAILED', outcomes: ['applied', 'reconciliation'], reasons: ['closed'] },
  });
});
