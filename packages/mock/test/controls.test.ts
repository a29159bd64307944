import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect, it } from 'vitest';
import { createMockService } from '../src/index.ts';
import { sampleOrder, shopOf } from './helpers/shop.ts';

it('pays an order, which is delivered two seconds later', async () => {
  const mock = createMockService();
  const { order, state, invoice } = shopOf(mock);
  const { orderId } = await order();
  expect(await mock.orders.pay(orderId)).toEqual({
    order_id: orderId,
    payment_status: 'PAID',
    buy_status: 'Proses',
  });
  await mock.clock.advance('2s');
  expect(await state(orderId)).toBe('PAID / Sukses');
  expect((await invoice(orderId)).serial_number).toMatch(/^SN-/);
});

it.each([
  ['fail', 'FAILED / Batal'],
  ['expire', 'EXPIRED / Batal'],
] as const)('lets a payment %s', async (action, expected) => {
  const mock = createMockService();
  const { order, state } = shopOf(mock);
  const { orderId } = await order();
  await mock.orders[action](orderId);
  expect(await state(orderId)).toBe(expected);
});

it('delivers an order immediately', async () => {
  const mock = createMockService();
  const { order, state } = shopOf(mock);
  const { orderId } = await order();
  await mock.orders.pay(orderId);
  await mock.orders.deliver(orderId);
  expect(await state(orderId)).toBe('PAID / Sukses');
});

it('fails a delivery, and refunds the order', async () => {
  const mock = createMockService();
  const { order, state } = shopOf(mock);
  const { orderId } = await order();
  await mock.orders.pay(orderId);
  expect(await mock.orders.failDelivery(orderId)).toMatchObject({ buy_status: 'Gagal' });
  expect(await state(orderId)).toBe('PAID / Gagal');
  await mock.orders.refund(orderId);
  expect(await state(orderId)).toBe('REFUND / Gagal');
  await expect(mock.orders.refund(orderId)).rejects.toThrow("is REFUND / Gagal: it can't be refunded");
});

it('simulates problems for an operator, and leaves the order unchanged', async () => {
  const mock = createMockService();
  const { order, state } = shopOf(mock);
  const { orderId } = await order();
  for (const action of ['payLate', 'payWrongAmount', 'payUnknown'] as const)
    expect(await mock.orders[action](orderId)).toMatchObject({
      payment_status: 'UNPAID',
      buy_status: 'Pending',
    });
  await expect(mock.orders.payAgain(orderId)).rejects.toThrow("is UNPAID / Pending: it can't be paid again");
  await mock.orders.pay(orderId);
  expect(await mock.orders.payAgain(orderId)).toMatchObject({ payment_status: 'PAID' });
  await mock.orders.loseDelivery(orderId);
  await mock.clock.advance('1h');
  expect(await state(orderId)).toBe('PAID / Proses');
  await mock.orders.deliver(orderId);
  await mock.orders.contradictDelivery(orderId);
  expect(await state(orderId)).toBe('PAID / Sukses');
});

it.each([
  'UNPAID / Pending',
  'PAID / Proses',
  'PAID / Sukses',
  'PAID / Gagal',
  'EXPIRED / Batal',
  'FAILED / Batal',
  'REFUND / Gagal',
] as const)('creates an order that is %s', async (expected) => {
  const mock = createMockService();
  const { state, invoice } = shopOf(mock);
  const created = await mock.orders.create({ ...sampleOrder, quantity: 3 }, expected);
  expect(`${created.payment_status} / ${created.buy_status}`).toBe(expected);
  expect(mock.requests).toEqual([]);
  expect(await state(created.order_id)).toBe(expected);
  expect((await invoice(created.order_id)).quantity).toBe(3);
});

it("explains why an order can't be created", async () => {
  const { orders } = createMockService();
  await expect(orders.create({ ...sampleOrder, product_id: 1 })).rejects.toThrow(
    /rejected with status 404, PRODUCT_NOT_FOUND: .*Produk tidak ditemukan/,
  );
  // @ts-expect-error -- not a state
  await expect(orders.create(sampleOrder, 'LOST')).rejects.toThrow(
    'Unknown state "LOST". The states are UNPAID / Pending, PAID / Proses,',
  );
});

it('changes the latency of responses, until a reset', async () => {
  const mock = createMockService({ latency: 5 });
  const { ask } = shopOf(mock);
  const timed = async (): Promise<number> => {
    const start = performance.now();
    await ask('/games');
    return performance.now() - start;
  };
  mock.latency = [300, 310];
  expect(mock.latency).toEqual([300, 310]);
  expect(await timed()).toBeGreaterThanOrEqual(299);
  mock.reset();
  expect(mock.latency).toEqual([5, 5]);
  // The best of three, because a busy machine may delay one.
  expect(Math.min(await timed(), await timed(), await timed())).toBeLessThan(250);
  expect(() => {
    mock.latency = -1;
  }).toThrow('latency must be whole milliseconds');
});

it('reports an unknown order by its id', async () => {
  await expect(createMockService().orders.pay('INV-1')).rejects.toThrow('There is no order "INV-1".');
});

it('explains why an event of an order is impossible', async () => {
  const mock = createMockService();
  const { orderId } = await shopOf(mock).order();
  await mock.orders.expire(orderId);
  await expect(mock.orders.pay(orderId)).rejects.toThrow(
    `The order ${orderId} is EXPIRED / Batal: it can't be paid.`,
  );
  await expect(mock.orders.deliver(orderId)).rejects.toThrow("it can't be delivered");
});

it('moves the clock by a duration or by milliseconds', async () => {
  const mock = createMockService();
  const start = mock.clock.now();
  await mock.clock.advance('1h30m');
  await mock.clock.advance(30 * 60_000);
  expect(mock.clock.now() - start).toBeGreaterThanOrEqual(2 * 3_600_000);
  expect(mock.clock.now() - start).toBeLessThan(2 * 3_600_000 + 5_000);
});

it.each(['soon', -1, Number.NaN, 0.5, '3654d', Number.MAX_SAFE_INTEGER])(
  'rejects moving the clock by %s',
  async (by) => {
    await expect(createMockService().clock.advance(by)).rejects.toThrow('such as 30s, 31m or 1h30m');
  },
);

it('replaces the catalogue, and returns a copy that callers may change', async () => {
  const mock = createMockService();
  const catalog = mock.catalog.get();
  expect(catalog.games).toHaveLength((sandboxCatalogFile as typeof catalog).games.length);
  catalog.games = catalog.games.slice(0, 1);
  catalog.promos = [];
  const { ask } = shopOf(mock);
  expect((await (await ask('/games')).json()).games.length).toBeGreaterThan(1);
  await mock.catalog.replace(catalog);
  expect((await (await ask('/games')).json()).games).toHaveLength(1);
});

it('rejects an invalid catalogue', async () => {
  const mock = createMockService();
  const catalog = { ...mock.catalog.get(), categories: [] };
  await expect(mock.catalog.replace(catalog)).rejects.toThrow(/games\[0\]\.category_id/);
});

it('lists the calls in sequence', async () => {
  const mock = createMockService();
  const { ask, post } = shopOf(mock);
  await ask('/games?page=2');
  await ask('/invoice/INV-1');
  await post({ quantity: 2 });
  await mock.fetch(`${mock.baseUrl}/games`);
  await mock.fetch(new URL('/assets/games/mobile-legends.svg', mock.baseUrl));
  expect(mock.requests).toMatchObject([
    { operation: 'listGames', method: 'GET', path: '/games?page=2', status: 200 },
    { operation: 'getInvoice', method: 'GET', path: '/invoice/INV-1', status: 404 },
    { operation: 'createOrder', method: 'POST', path: '/order', status: 201, body: { quantity: 2 } },
    { operation: 'listGames', path: '/games', status: 401 },
  ]);
  expect(mock.requests).toHaveLength(4);
});

it('keeps the last thousand calls', async () => {
  const mock = createMockService();
  const { ask } = shopOf(mock);
  for (let count = 0; count < 1_002; count += 1) await ask(`/games?call=${count}`);
  expect(mock.requests).toHaveLength(1_000);
  expect(mock.requests[0]).toMatchObject({ path: '/games?call=2' });
});

it("returns a list of calls that later calls don't change", async () => {
  const mock = createMockService({ latency: 5 });
  const response = shopOf(mock).ask('/games');
  const before = mock.requests;
  await response;
  expect(before).toMatchObject([{ status: null }]);
  expect(mock.requests).toMatchObject([{ status: 200 }]);
});

it('lists no body if the body is empty', async () => {
  const mock = createMockService();
  await shopOf(mock).ask('/order', { method: 'POST', body: '' });
  expect(mock.requests[0]).not.toHaveProperty('body');
});

it.each([
  'https://other.test/api/games',
  'https://shop.test:8443/api/games',
  'https://shop.test.other/api/games',
])('rejects requests to another origin, and names its base URL: %s', async (url) => {
  const mock = createMockService({ baseUrl: 'https://shop.test/api' });
  await expect(mock.fetch(url)).rejects.toThrow(
    new TypeError(`${url} is on another origin than the mock, whose base URL is https://shop.test/api.`),
  );
  expect(mock.requests).toEqual([]);
});

it('serves the pictures that responses link to', async () => {
  const mock = createMockService();
  const { order, ask } = shopOf(mock);
  const { games } = await (await ask('/games')).json();
  const { data } = await order();
  for (const url of [games[0].image, data.qr_url]) {
    const picture = await mock.fetch(url);
    expect(picture.headers.get('Content-Type')).toMatch(/^image\/svg\+xml/);
  }
});

it('rejects a request that was aborted before its start', async () => {
  const mock = createMockService();
  const signal = AbortSignal.abort(new Error('never mind'));
  await expect(mock.fetch(`${mock.baseUrl}/games`, { signal })).rejects.toThrow('never mind');
  expect(mock.requests).toEqual([]);
});
