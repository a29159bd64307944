import { expect, it, onTestFinished } from 'vitest';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { loggedText } from '../../suites/src/assertions.ts';
import { type GatewayName, gatewayNames } from '../src/registry.ts';
import { callbackOf, minute } from './helpers/gateways.ts';
import { knownGateways } from './helpers/known-gateways.ts';

/** A shop that takes payments by an adapter, and the provider that it talks to, with the same time. */
async function startService(name: GatewayName, { key }: { key?: string } = {}) {
  const provider = await startSimulated(name);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const time = { now: start };
  const { create, requests } = knownGateways[name];
  const gateway = create({ baseUrl: provider.baseUrl, clock: () => time.now, key });
  const service = await createTestService({ gateway });
  service.clock.now = start;
  return {
    ...{ provider, gateway, service },
    operation: requests.create,
    /** Lets time pass for both, and does what is due in the shop. */
    async pass(ms: number) {
      time.now += ms;
      service.clock.now += ms;
      await provider.advance(ms / 1000);
      await service.engine.dueWork.run();
    },
    paymentOf: async () => (await provider.books()).payments[0],
    stored: async () => (await service.store.listOrders({ limit: 10 }))[0],
  };
}

it.each(gatewayNames.filter((name) => knownGateways[name].showsAgain))(
  'finds the payment for an order through %s whose response was lost',
  async (name) => {
    const { provider, service, operation, paymentOf } = await startService(name);
    await provider.fault('lost-response', { on: operation });
    const { status, json } = await service.order();
    expect(status).toBe(201);
    const { reference, transaction_id } = await paymentOf();
    expect(json.data).toMatchObject({ payment_reference: reference ?? transaction_id, total_price: 40_000 });
    expect(json.data.qr_url).toMatch(/qr\.svg$/);
    expect((await provider.books()).payments).toHaveLength(1);
  },
);

it.each(gatewayNames)(
  'stores nothing for a rejected order through %s, and frees its key immediately',
  async (name) => {
    const { provider, service } = await startService(name, { key: 'wrong' });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await service.order(fixtureOrder, { headers: { 'Idempotency-Key': 'k' } });
      expect(response.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
      expect(await service.store.findReservedOrders(10)).toEqual([]);
      expect((await service.store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    }
    expect(service.reported.map((error) => loggedText(error)).join()).toContain('401');
    expect((await provider.books()).payments).toEqual([]);
  },
);

it.each(gatewayNames)(
  "keeps an order through %s waiting until its request can't create a payment any more",
  async (name) => {
    const { provider, service, operation, pass, stored } = await startService(name);
    await provider.fault('error-500', { on: operation });
    expect((await service.order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    await pass(minute);
    expect(await service.store.findReservedOrders(10)).toHaveLength(1);
    await pass(minute);
    await expect.poll(() => service.store.findReservedOrders(10)).toEqual([]);
    expect(await stored()).toBeUndefined();
  },
);

it.each(gatewayNames)(
  'records the payment for an order through %s even if its callback was lost',
  async (name) => {
    const { provider, service, pass, paymentOf, stored } = await startService(name);
    await provider.fault('lost-callback');
    await service.order();
    const { reference, order_id } = await paymentOf();
    await provider.act('pay', { reference: reference ?? order_id });
    await pass(minute);
    await expect.poll(async () => (await stored())?.paymentStatus).toBe('PAID');
  },
);

it.each(gatewayNames.filter((name) => knownGateways[name].tellsTime))(
  'records a payment through %s in the last minute, even if it is checked later',
  async (name) => {
    const { provider, service, pass, paymentOf, stored } = await startService(name);
    await service.order();
    const { reference, order_id } = await paymentOf();
    await provider.advance(29 * 60);
    await provider.act('pay', { reference: reference ?? order_id });
    service.clock.now += 29 * minute;
    await pass(5 * minute);
    await expect.poll(async () => (await stored())?.paymentStatus).toBe('PAID');
    expect(await service.store.listReconciliations({ state: 'open' })).toEqual([]);
  },
);

it("leaves Duitku's last-minute payment to an operator if it is checked late, because Duitku reports no time", async () => {
  const { provider, service, pass, paymentOf, stored } = await startService('duitku');
  await provider.fault('lost-callback');
  await service.order();
  const { reference } = await paymentOf();
  await provider.advance(29 * 60);
  await provider.act('pay', { reference });
  service.clock.now += 29 * minute;
  await pass(5 * minute);
  await expect
    .poll(() => service.store.listReconciliations({ state: 'open' }))
    .toMatchObject([{ reference, amount: 40_000, reason: 'late' }]);
  expect(await stored()).toMatchObject({ paymentStatus: 'EXPIRED' });
});

it.each(gatewayNames)('leaves a payment through %s with another amount to an operator', async (name) => {
  const { provider, service, pass, paymentOf, stored } = await startService(name);
  await service.order();
  await provider.fault('wrong-amount');
  const { reference, order_id } = await paymentOf();
  await provider.act('pay', { reference: reference ?? order_id });
  await pass(minute);
  await expect
    .poll(() => service.store.listReconciliations({ state: 'open' }))
    .toMatchObject([{ amount: 39_999, reason: 'amount', orderId: (await stored())?.orderId }]);
  expect(await stored()).toMatchObject({ paymentStatus: 'UNPAID' });
});

it('never shows a Duitku order with a lost response, and keeps its payment for an operator', async () => {
  const { provider, gateway, service, paymentOf, stored } = await startService('duitku');
  await provider.fault('lost-response', { on: 'create' });
  expect((await service.order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
  const { reference } = await paymentOf();
  expect(await stored()).toMatchObject({ paymentStatus: 'FAILED', payment: { reference } });
  expect(service.reported.map(String).join()).toContain('The customer must order again');

  await provider.act('pay', { reference });
  await provider.advance(0);
  const [callback] = provider.shop.received;
  if (!callback) throw new Error('no callback');
  const answer = await service.callbacks.receive(
    ...(['gateway', gateway.name, callbackOf(callback), '203.0.113.7'] as const),
  );
  expect(answer?.response?.status).toBe(200);
  expect(await service.store.listReconciliations({ state: 'open' })).toMatchObject([
    { reference, amount: 40_000 },
  ]);
});

it('changes no order for a forged callback from Duitku, whatever its content', async () => {
  const { provider, gateway, service, paymentOf, stored } = await startService('duitku');
  await service.order();
  const { reference, order_id: orderId } = await paymentOf();
  await provider.act('fail', { reference });
  await provider.advance(0);
  const [genuine] = provider.shop.received;
  if (!genuine) throw new Error('no callback');
  await provider.control('duitku/pay', { reference, late: true });
  // Nothing signs the result: what the gateway says when it is asked counts.
  for (const [changes, status] of [
    [{ resultCode: '01' }, 200],
    [{ resultCode: '00', amount: '1' }, 401],
    [{ reference: 'D0001' }, 503],
  ] as const) {
    const body = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(genuine.body)),
      ...changes,
    });
    const forged = callbackOf({ ...genuine, body: body.toString() });
    const received = await service.callbacks.receive('gateway', gateway.name, forged, '203.0.113.7');
    expect([changes, received?.response?.status]).toEqual([changes, status]);
  }
  expect(await stored()).toMatchObject({ orderId, paymentStatus: 'PAID' });
});

it('never shows a Tripay order with additional fees, and keeps its payment for an operator', async () => {
  const { provider, gateway, service, paymentOf, stored } = await startService('tripay');
  await provider.fault('customer-fees');
  expect((await service.order(fixtureOrder)).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
  const { reference } = await paymentOf();
  expect(await stored()).toMatchObject({ paymentStatus: 'FAILED', payment: { reference, qrString: null } });
  expect(service.reported.map(String).join()).toContain('Set the merchant to pay the fees');

  await provider.act('pay', { reference });
  await provider.advance(0);
  const [callback] = provider.shop.received;
  const reading = callback && gateway.callbacks?.read(callbackOf(callback));
  if (reading?.state !== 'event' || reading.event.report.status === 'open') throw new Error('no event');
  const { report } = reading.event;
  await service.engine.handlePaymentEvent({ reference, ...report, at: report.at ?? 0 });
  expect(await service.store.listReconciliations({ state: 'open' })).toMatchObject([
    { reference, amount: 41_030 },
  ]);
});
