import { setupServer } from 'msw/node';
import { describe, expect, it } from 'vitest';
import { createMockService, createTopupMock } from '../src/index.ts';
import { sampleOrder, shopOf } from './helpers/shop.ts';

describe('the faults of a mock', () => {
  it('take effect by operation and game, a given number of times, and are listed with a count', async () => {
    const mock = createMockService();
    const shop = shopOf(mock);
    mock.faults.add({ error: 'GAME_CLOSED', operation: 'createOrder', game: 'mobile-legends', times: 1 });
    expect((await shop.post()).headers.get('X-Error-Code')).toBe('GAME_CLOSED');
    expect((await shop.post()).status).toBe(201);
    expect(mock.faults.list()).toEqual([
      {
        id: 1,
        error: 'GAME_CLOSED',
        operation: 'createOrder',
        game: 'mobile-legends',
        times: 1,
        struck: 1,
        active: false,
      },
    ]);
    expect([mock.faults.remove(1), mock.faults.remove(1)]).toEqual([true, false]);
  });

  it('cut the connection before and after an order is placed, and during its response', async () => {
    const mock = createMockService();
    const shop = shopOf(mock);
    const count = async () => (await (await shop.ask('/orders')).json()).data.length;
    mock.faults.add({ connection: 'cut', operation: 'createOrder', times: 1 });
    await expect(shop.post()).rejects.toThrow(TypeError);
    expect(await count()).toBe(0);
    mock.faults.add({ connection: 'cut-after', operation: 'createOrder', times: 1 });
    await expect(shop.post()).rejects.toThrow(TypeError);
    expect(await count()).toBe(1);
    mock.faults.add({ connection: 'half-body', operation: 'createOrder', times: 1 });
    const response = await shop.post();
    expect(response.status).toBe(201);
    await expect(response.json()).rejects.toThrow(TypeError);
    expect(await count()).toBe(2);
  });

  it("change the gateway's report on a payment, in the process and in a file of steps", async () => {
    const mock = createMockService();
    mock.faults.add({ payment: 'declined', account: sampleOrder.id, times: 1 });
    const { order_id } = await mock.orders.create(sampleOrder);
    expect(await mock.orders.pay(order_id)).toMatchObject({ payment_status: 'FAILED' });
    await mock.play({
      steps: [
        { do: 'add-fault', payment: 'wrong-amount', times: 1 },
        { do: 'trigger', event: 'order.created', as: 'order' },
        { do: 'pay', order: '$order' },
        { do: 'expect-order', order: '$order', state: 'UNPAID / Pending' },
        { do: 'pay', order: '$order' },
        { do: 'expect-order', order: '$order', state: 'PAID / Proses' },
      ],
    });
    expect(mock.faults.list()).toMatchObject([{ struck: 1 }, { struck: 1 }]);
  });

  it("last for a time of the mock's clock, are in its snapshots, and end with a reset", async () => {
    const mock = createMockService();
    const { ask } = shopOf(mock);
    mock.faults.add({ error: 'UNAVAILABLE', for: '5m' });
    const saved = mock.snapshot();
    expect((await ask('/games')).status).toBe(503);
    await mock.clock.advance('5m');
    expect((await ask('/games')).status).toBe(200);
    mock.restore(saved);
    expect((await ask('/games')).status).toBe(503);
    mock.reset();
    expect((await ask('/games')).status).toBe(200);
    expect(mock.faults.list()).toEqual([]);
  });

  it("let a gateway's faults take effect again after a snapshot is restored", async () => {
    const mock = createMockService();
    mock.faults.add({ scenario: 'gateway-down' });
    mock.restore(mock.snapshot());
    expect((await shopOf(mock).post()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
  });

  it('let the supplier send a message about one account', async () => {
    const mock = createMockService();
    const shop = shopOf(mock);
    mock.faults.add({ reason: 'account_not_found', account: '11111111' });
    const first = await shop.order({ id: '11111111' });
    const second = await shop.order({ id: '22222222' });
    for (const { orderId } of [first, second]) await mock.orders.pay(orderId);
    await mock.clock.advance('3s');
    expect(await shop.state(first.orderId)).toBe('PAID / Gagal');
    expect(await shop.state(second.orderId)).toBe('PAID / Sukses');
  });

  it('apply when the scenario of the mock has ended', async () => {
    const mock = createMockService({ scenario: 'maintenance' });
    const { ask } = shopOf(mock);
    mock.faults.add({ error: 'RATE_LIMITED' });
    expect((await ask('/games')).status).toBe(503);
    mock.scenarios.clear();
    expect((await ask('/games')).status).toBe(429);
  });

  it('name a wrong parameter in the error', () => {
    const mock = createMockService();
    expect(() => mock.faults.add({})).toThrow(/^A fault needs one of/);
    expect(() => mock.faults.add({ error: 'UNAVAILABLE', times: 0 })).toThrow(
      'The times field must be at least 1.',
    );
    // @ts-expect-error: a mistyped name
    expect(() => mock.faults.add({ error: 'UNAVAILABLE', gmae: 'free-fire' })).toThrow(/no parameter gmae/);
  });
});

it('affect an app through MSW, including cut connections and half a body', async () => {
  const mock = createTopupMock({ baseUrl: 'http://shop.test/api' });
  const server = setupServer(...mock.handlers);
  server.listen();
  try {
    const ask = () => fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
    mock.faults.add({ connection: 'half-body', times: 1 });
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    mock.faults.add({ connection: 'cut', times: 1 });
    await expect(ask()).rejects.toThrow(TypeError);
    mock.faults.add({ error: 'SERVER_ERROR', times: 1 });
    expect((await ask()).status).toBe(500);
    expect((await ask()).status).toBe(200);
  } finally {
    server.close();
  }
});

describe('an order that a test prepares', () => {
  it.each([
    ['of its request', { error: 'GAME_CLOSED', operation: 'createOrder', times: 1 }],
    ['of the gateway', { scenario: 'gateway-down', times: 1 }],
    ['of its payment', { payment: 'declined', times: 1 }],
    ['of the supplier', { reason: 'account_not_found', times: 1 }],
  ] as const)('uses up no fault %s, and reaches its state', async (_where, fault) => {
    const mock = createMockService();
    mock.faults.add(fault);
    expect(await mock.orders.create(sampleOrder, 'PAID / Sukses')).toMatchObject({ buy_status: 'Sukses' });
    expect(mock.faults.list()).toMatchObject([{ struck: 0, active: true }]);
  });

  it("is affected by a supplier's fault later, like any other order", async () => {
    const mock = createMockService();
    mock.faults.add({ reason: 'account_not_found' });
    const { order_id } = await mock.orders.create(sampleOrder, 'PAID / Proses');
    await mock.clock.advance('3s');
    expect(await shopOf(mock).state(order_id)).toBe('PAID / Gagal');
  });
});
