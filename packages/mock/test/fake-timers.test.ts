import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMockService, type MockService } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const minute = 60_000;
let mock: MockService;
let shop: ReturnType<typeof shopOf>;

beforeEach(() => {
  mock = createMockService();
  shop = shopOf(mock);
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => vi.useRealTimers());

it("uses the test's clock for orders", async () => {
  const { orderId, data } = await shop.order();
  expect(orderId).toMatch(/^INV-20260101070000-/);
  expect(data.expired_at).toBe('2026-01-01T07:30:00+07:00');
});

it("expires an order when the test's clock moves forward", async () => {
  const { orderId } = await shop.order();
  vi.advanceTimersByTime(30 * minute - 1);
  expect(await shop.state(orderId)).toBe('UNPAID / Pending');
  vi.advanceTimersByTime(1);
  expect(await shop.state(orderId)).toBe('EXPIRED / Batal');
});

it('delivers a paid order after two seconds', async () => {
  const { orderId } = await shop.order();
  await mock.orders.pay(orderId);
  vi.advanceTimersByTime(1_999);
  expect(await shop.state(orderId)).toBe('PAID / Proses');
  vi.advanceTimersByTime(1);
  expect(await shop.state(orderId)).toBe('PAID / Sukses');
});

it('delivers after the system time jumps forward', async () => {
  const { orderId } = await shop.order();
  await mock.orders.pay(orderId);
  vi.setSystemTime(Date.now() + 60 * minute);
  expect(await shop.state(orderId)).toBe('PAID / Sukses');
});

it('declines a payment after two seconds', async () => {
  mock.scenarios.use('payment-declined');
  const { orderId } = await shop.order();
  vi.advanceTimersByTime(2_000);
  expect(await shop.state(orderId)).toBe('FAILED / Batal');
});

it("moves the mock's clock while the timers are stopped", async () => {
  const { orderId } = await shop.order();
  await mock.clock.advance('31m');
  expect(await shop.state(orderId)).toBe('EXPIRED / Batal');
  expect(mock.clock.now()).toBe(Date.now() + 31 * minute);
});

it('handles a hundred due orders while the timers are stopped', async () => {
  for (let count = 0; count < 120; count += 1) await shop.order({ id: `${count}` });
  await mock.clock.advance('31m');
  expect(await shop.state((await shop.order()).orderId)).toBe('UNPAID / Pending');
});

it('leaves no timers running', async () => {
  const { orderId } = await shop.order();
  await mock.orders.pay(orderId);
  await mock.clock.advance('10s');
  await shop.state(orderId);
  expect(vi.getTimerCount()).toBe(0);
});

it("waits with the test's timers in the scenario slow", async () => {
  mock.scenarios.use('slow');
  let responded = false;
  const response = shop.ask('/games').then(() => {
    responded = true;
  });
  await vi.advanceTimersByTimeAsync(2_999);
  expect(responded).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await response;
});

it('rejects like fetch when a call is aborted while it waits', async () => {
  mock.scenarios.use('slow');
  const controller = new AbortController();
  const response = shop.ask('/games', { signal: controller.signal });
  const rejected = expect(response).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort(new Error('enough'));
  await rejected;
  expect(vi.getTimerCount()).toBe(0);
});
