import { describe, expect, it } from 'vitest';
import { findAlerts, markOrder } from '../src/features/index.ts';
import { magicIds } from '../src/supplier/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** Sends a request to the service's root. */
async function control(
  { app }: Awaited<ReturnType<typeof createTestService>>,
  path: string,
  {
    body,
    direct = true,
    headers = {},
  }: { body?: object; direct?: boolean; headers?: Record<string, string> } = {},
) {
  const response = await app.fetch(
    new Request(`http://localhost/sandbox${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body ?? {}),
    }),
    { address: '127.0.0.1', direct },
  );
  return { status: response.status, json: await response.json() };
}

describe('the control routes of a sandbox', () => {
  it.each([
    ['pay', 'PAID', 'Proses'],
    ['fail', 'FAILED', 'Batal'],
    ['expire', 'EXPIRED', 'Batal'],
  ])('%s changes an order to %s / %s', async (action, payment_status, buy_status) => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const { status, json } = await control(service, `/orders/${orderId}/${action}`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ order_id: orderId, payment_status, buy_status });
  });

  it('delivers a paid order immediately', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    await control(service, `/orders/${orderId}/pay`);
    const { json } = await control(service, `/orders/${orderId}/deliver`);
    expect(json.data).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it('rejects an action that the state does not allow, and names the state', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const early = await control(service, `/orders/${orderId}/deliver`);
    expect(early.status).toBe(409);
    expect(early.json).toMatchObject({
      error_code: 'STATE_CONFLICT',
      message: 'Tidak bisa dilakukan: pesanan ini UNPAID / Pending.',
    });
    await control(service, `/orders/${orderId}/pay`);
    expect((await control(service, `/orders/${orderId}/pay`)).status).toBe(409);
    expect((await control(service, '/orders/INV-1-AAAAAAAA/pay')).status).toBe(404);
  });

  it('advances world time, and does the due work in sequence', async () => {
    const service = await createTestService();
    const first = (await service.order()).json.orderId;
    const second = (await service.order({ ...fixtureOrder, payment_method_id: 19 })).json.orderId;
    await control(service, '/advance', { body: { by: '1h30m' } });
    const entries = await Promise.all([first, second].map((orderId) => service.store.findHistory(orderId)));
    const [qr, wallet] = entries.flat();
    expect(qr).toMatchObject({ event: 'expired', at: service.clock.now + 30 * 60_000 });
    expect(wallet).toMatchObject({ event: 'expired', at: service.clock.now + 60 * 60_000 });
  });

  it.each([true, false])(
    'rejects a wrong key, and leaves the sandbox unchanged (direct: %s)',
    async (direct) => {
      const service = await createTestService();
      const headers = { 'X-API-KEY': 'tk_test_wrong' };
      const { status } = await control(service, '/advance', { body: { by: '31m' }, direct, headers });
      expect([status, service.sandbox.world().ahead]).toEqual([401, 0]);
    },
  );

  it('accepts only durations for an advance', async () => {
    const service = await createTestService();
    for (const by of ['soon', '-1m', '', 60, undefined, '99999999d'])
      expect((await control(service, '/advance', { body: { by } })).status).toBe(422);
  });

  it('advances world time by at most ten years until a reset', async () => {
    const service = await createTestService();
    const advance = (by: string) => control(service, '/advance', { body: { by } });
    expect(await advance('3651d')).toMatchObject({
      status: 422,
      json: {
        message:
          'The clock of a sandbox can be at most 3650d ahead of real time. Reset the sandbox to start again.',
      },
    });
    expect((await advance('3649d')).status).toBe(200);
    expect((await advance('1d')).status).toBe(200);
    // At the same time: each alone would be within the limit of a call.
    const both = await Promise.all([advance('1ms'), advance('3650d')]);
    expect(both.map(({ status }) => status)).toEqual([422, 422]);
    expect(service.sandbox.world().ahead).toBe(3650 * 24 * 60 * 60_000);
    expect((await service.order()).status).toBe(201);
    await control(service, '/reset');
    expect((await advance('3650d')).status).toBe(200);
  });

  it('deletes all orders and resets the clock', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    await control(service, '/advance', { body: { by: '10d' } });
    await control(service, '/scenario', { body: { name: 'gateway-down' } });
    await control(service, '/reset');
    expect((await service.get(`/invoice/${orderId}`)).status).toBe(404);
    expect(service.sandbox.world().now).toBe(service.clock.now);
    expect((await service.order()).status).toBe(201);
  });

  it('makes the gateway fail and work again', async () => {
    const service = await createTestService();
    await control(service, '/scenario', { body: { name: 'gateway-down' } });
    expect((await service.order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect((await control(service, '/scenario', { body: { name: 'rain' } })).status).toBe(422);
    await control(service, '/scenario', { body: { name: 'none' } });
    expect((await service.order()).status).toBe(201);
  });

  it('fails the delivery of the remaining units, and refunds the order', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const act = (action: string) => control(service, `/orders/${orderId}/${action}`);
    expect((await act('fail-delivery')).status).toBe(409);
    await act('pay');
    expect((await act('refund')).status).toBe(409);
    expect((await act('fail-delivery')).json.data).toMatchObject({ buy_status: 'Gagal' });
    const units = await service.store.findUnits(orderId);
    expect(units.map(({ state, reason }) => [state, reason])).toEqual(
      units.map(() => ['failed', 'The sandbox was asked to fail this delivery.']),
    );
    expect((await act('refund')).json.data).toMatchObject({ payment_status: 'REFUND', buy_status: 'Gagal' });
    const history = await service.store.findHistory(orderId);
    expect(history.slice(-2)).toMatchObject([
      { event: 'undelivered', by: 'sandbox' },
      { event: 'refunded', by: 'sandbox' },
    ]);
  });

  it('leaves an order that was paid twice unchanged, and leaves the extra payment to an operator', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const act = (name: string) => control(service, `/orders/${orderId}/${name}`);
    for (const name of ['pay', 'fail-delivery', 'pay-again']) await act(name);
    const { status, json } = await act('refund');
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    expect(await service.store.listReconciliations({ state: 'open' })).toMatchObject([
      { reason: 'closed', amount: 40_000, orderId },
      { reason: 'refunded', amount: 40_000, orderId },
    ]);
  });

  it.each([
    ['pay-late', [], 'late', 0],
    ['pay-late', ['expire'], 'late', 0],
    ['pay-wrong-amount', [], 'amount', -1],
    ['pay-again', ['pay'], 'closed', 0],
    ['pay-again', ['pay', 'deliver'], 'closed', 0],
    ['pay-unknown', [], 'unknown', 0],
    ['pay-unknown', ['pay', 'deliver'], 'unknown', 0],
  ] as const)(
    '%s after %j leaves the order unchanged, and the money to an operator',
    async (action, before, reason, less) => {
      const service = await createTestService();
      const { orderId } = (await service.order()).json;
      const act = (name: string) => control(service, `/orders/${orderId}/${name}`);
      for (const name of before) await act(name);
      const order = await service.store.findOrder(orderId);
      const { status, json } = await act(action);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ payment_status: order?.paymentStatus, buy_status: order?.buyStatus });
      expect(await service.store.listReconciliations({ state: 'open' })).toMatchObject([
        { reason, amount: 40_000 + less, orderId: reason === 'unknown' ? null : orderId },
      ]);
    },
  );

  it.each([
    ['pay', ['expire']],
    ['pay', ['fail']],
    ['fail', ['pay']],
    ['deliver', ['pay', 'fail-delivery']],
    ['fail-delivery', ['pay', 'deliver']],
    ['pay-late', ['pay']],
    ['pay-wrong-amount', ['expire']],
    ['pay-again', []],
    ['lose-delivery', []],
    ['lose-delivery', ['pay', 'deliver']],
    ['lose-delivery', ['pay', 'lose-delivery']],
    ['contradict-delivery', ['pay']],
  ])('rejects %s after %j, and stores nothing', async (action, before) => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    for (const name of before) await control(service, `/orders/${orderId}/${name}`);
    const order = await service.store.findOrder(orderId);
    expect((await control(service, `/orders/${orderId}/${action}`)).status).toBe(409);
    expect(await service.store.findOrder(orderId)).toEqual(order);
    expect(await service.store.listReconciliations()).toEqual([]);
  });

  it('loses the outcome of a delivery, which an operator then marks', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const act = (name: string) => control(service, `/orders/${orderId}/${name}`);
    await act('pay');
    expect((await act('lose-delivery')).json.data).toMatchObject({ buy_status: 'Proses' });
    await control(service, '/advance', { body: { by: '1h' } });
    expect(await service.store.findUnits(orderId)).toMatchObject(
      Array(2).fill({ state: 'unknown', nextAt: null }),
    );
    const deps = { store: service.store, worldClock: () => service.sandbox.world().now, operator: 'ani' };
    const { order: marked } = await markOrder(deps, orderId, { outcome: 'delivered', note: 'seen' });
    expect(marked).toMatchObject({ paymentStatus: 'PAID', buyStatus: 'Sukses' });
  });

  it.each([
    ['deliver', 'Sukses', /as failed/],
    ['fail-delivery', 'Gagal', /as delivered/],
  ])('contradicts an outcome after %s, but keeps it', async (action, buy_status, sentence) => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const act = (name: string) => control(service, `/orders/${orderId}/${name}`);
    await act('pay');
    await act(action);
    expect((await act('contradict-delivery')).json.data).toMatchObject({
      payment_status: 'PAID',
      buy_status,
    });
    const units = await service.store.findUnits(orderId);
    expect(units).toMatchObject(Array(2).fill({ contradiction: expect.stringMatching(sentence) }));
    expect(await service.store.findProblemOrders({ kind: 'contradicted' }, 10)).toEqual([orderId]);
  });

  it('leaves a delivery without an outcome for a player id, so that the order is stuck', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order({ ...fixtureOrder, id: magicIds.pending })).json;
    await control(service, `/orders/${orderId}/pay`);
    await control(service, '/advance', { body: { by: '16m' } });
    const { now } = service.sandbox.world();
    expect(await findAlerts(service.store, { now, realNow: now })).toMatchObject([
      { kind: 'stuck-orders', names: [orderId] },
    ]);
    await control(service, `/orders/${orderId}/deliver`);
    expect(await findAlerts(service.store, { now, realNow: now })).toEqual([]);
  });

  it('makes the supplier fail, or not respond', async () => {
    const service = await createTestService();
    const states = async (name: string) => {
      const { orderId } = (await service.order()).json;
      await control(service, '/scenario', { body: { name } });
      await control(service, `/orders/${orderId}/pay`);
      await control(service, '/advance', { body: { by: '1m' } });
      return (await service.get(`/invoice/${orderId}/payment-status`)).json.data.buy_status;
    };
    expect(await states('supplier-fails')).toBe('Gagal');
    expect(await states('supplier-down')).toBe('Proses');
  });

  it('rejects indirect requests without a key of the sandbox', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const path = `/orders/${orderId}/pay`;
    expect((await control(service, path, { direct: false })).status).toBe(401);
    const shopKey = { 'X-API-KEY': await service.keyOf('shop') };
    expect((await control(service, path, { direct: false, headers: shopKey })).status).toBe(403);
    const key = await service.keyOf('sandbox');
    expect((await control(service, path, { direct: false, headers: { 'X-API-KEY': key } })).status).toBe(200);
  });
});
