import { expect, it } from 'vitest';
import { createMockService } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

it('restores a snapshot several times', async () => {
  const mock = createMockService();
  const { order, state } = shopOf(mock);
  const { orderId } = await order();
  const unpaid = mock.snapshot();
  for (let count = 0; count < 2; count += 1) {
    await mock.orders.pay(orderId);
    await mock.clock.advance('2s');
    expect(await state(orderId)).toBe('PAID / Sukses');
    mock.restore(unpaid);
    expect(await state(orderId)).toBe('UNPAID / Pending');
  }
});

it('restores the clock, uses of promo codes, scenarios, requests and the catalogue', async () => {
  const mock = createMockService();
  const { order, post, ask } = shopOf(mock);
  await mock.clock.advance('1h');
  mock.scenarios.use('slow', { operation: 'getInvoice' });
  await ask('/games');
  const before = { at: mock.clock.now(), requests: [...mock.requests], active: mock.scenarios.active };
  const snapshot = mock.snapshot();

  await order({ promo_code: 'ONCE20' });
  expect((await post({ promo_code: 'ONCE20' })).status).toBe(422);
  await mock.clock.advance('9h');
  mock.scenarios.clear();
  await mock.catalog.replace({ ...mock.catalog.get(), promos: [] });

  mock.restore(snapshot);
  expect(mock.clock.now() - before.at).toBeLessThan(5_000);
  expect(mock.requests).toEqual(before.requests);
  expect(mock.scenarios.active).toEqual(before.active);
  expect((await post({ promo_code: 'ONCE20' })).status).toBe(201);
});

it('resets to the initial state', async () => {
  const mock = createMockService({ scenario: 'flaky' });
  mock.scenarios.clear();
  const { order, ask } = shopOf(mock);
  const { orderId } = await order();
  await mock.clock.advance('1h');
  mock.reset();
  expect(mock.scenarios.active).toEqual([{ name: 'flaky' }]);
  expect(mock.requests).toEqual([]);
  expect(Math.abs(mock.clock.now() - Date.now())).toBeLessThan(5_000);
  mock.scenarios.clear();
  expect((await ask(`/invoice/${orderId}`)).status).toBe(404);
});

it('creates the same orders again after a reset', async () => {
  const mock = createMockService();
  const made = async (): Promise<string> => (await shopOf(mock).order()).orderId.slice(-8);
  const first = await made();
  const second = await made();
  mock.reset();
  expect([await made(), await made()]).toEqual([first, second]);
});

it('does not let requests in progress change a restored world', async () => {
  const mock = createMockService({ latency: 20 });
  const { post, ask } = shopOf(mock);
  const late = post();
  mock.reset();
  const { orderId } = await (await late).json();
  expect(mock.requests).toEqual([]);
  expect((await ask(`/invoice/${orderId}`)).status).toBe(404);
});

it('does not change a snapshot with later calls', async () => {
  const mock = createMockService({ latency: 20 });
  const { ask, order } = shopOf(mock);
  const response = ask('/games');
  const snapshot = mock.snapshot();
  await response;
  const { orderId } = await order();
  mock.restore(snapshot);
  expect(mock.requests).toMatchObject([{ path: '/games', status: null }]);
  expect((await ask(`/invoice/${orderId}`)).status).toBe(404);
});

it("restores another mock's snapshot", async () => {
  const other = createMockService();
  const { orderId } = await shopOf(other).order();
  const mock = createMockService();
  mock.restore(other.snapshot());
  expect(await shopOf(mock).state(orderId)).toBe('UNPAID / Pending');
});

it('takes and restores a snapshot of a thousand orders much faster than they are placed', async () => {
  const mock = createMockService();
  const { order } = shopOf(mock);
  const beginning = performance.now();
  for (let count = 0; count < 1_000; count += 1) await order({ id: `${count}` });
  const placed = performance.now();
  for (let count = 0; count < 5; count += 1) mock.restore(mock.snapshot());

  expect(performance.now() - placed).toBeLessThan(placed - beginning);
});
