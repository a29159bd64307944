import { afterEach, expect, it, vi } from 'vitest';
import { createMockService } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

afterEach(() => vi.useRealTimers());

const letters = (orderId: string): string => orderId.slice(-8);
const lettersOf = async (seed: number, changes: object): Promise<string> =>
  letters((await shopOf(createMockService({ seed })).order(changes)).orderId);

it('gives an order the same letters and code at any time', async () => {
  const virtualAccount = { payment_method_id: 13, quantity: 2 };
  const first = await shopOf(createMockService({ seed: 7 })).order(virtualAccount);
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['Date'] });
  const second = await shopOf(createMockService({ seed: 7 })).order(virtualAccount);
  expect(letters(second.orderId)).toBe(letters(first.orderId));
  expect(second.data.payment_code).toBe(first.data.payment_code);
  expect(second.data.payment_reference.slice(-22)).toBe(first.data.payment_reference.slice(-22));
});

it('gives another order, or another seed, other letters', async () => {
  expect(await lettersOf(7, { id: '1' })).not.toBe(await lettersOf(7, { id: '2' }));
  expect(await lettersOf(7, { id: '1' })).not.toBe(await lettersOf(8, { id: '1' }));
});

it('derives letters from the order, not from earlier calls', async () => {
  const mock = createMockService({ seed: 7 });
  const { order, post, ask } = shopOf(mock);
  await order({ id: '2' });
  await order({ payment_method_id: 21 });
  await post({ promo_code: 'NOSUCHCODE' });
  await ask('/games');
  const { orderId } = await order({ id: '1' });
  expect(letters(orderId)).toBe(await lettersOf(7, { id: '1' }));
});

it('gives equal orders different letters, by their number', async () => {
  const made = async (seed: number): Promise<string[]> => {
    const { order } = shopOf(createMockService({ seed }));
    return [await order(), await order(), await order()].map(({ orderId }) => letters(orderId));
  };
  const first = await made(7);
  expect(new Set(first).size).toBe(3);
  expect(await made(7)).toEqual(first);
});

it('counts an order once when five simultaneous requests have one idempotency key', async () => {
  const { order } = shopOf(createMockService({ seed: 7 }));
  await Promise.all(Array.from({ length: 5 }, () => order({}, { 'Idempotency-Key': 'one' })));
  const second = await order();
  const { order: again } = shopOf(createMockService({ seed: 7 }));
  await again();
  expect(letters(second.orderId)).toBe(letters((await again()).orderId));
});

it('accepts twenty equal orders while the clock stands still', async () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  const { order } = shopOf(createMockService({ seed: 7 }));
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await order()).orderId));
  expect(new Set(ids).size).toBe(20);
});

it('responds with the same bytes while the clock stands still', async () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  const responseText = async (): Promise<string> =>
    (await shopOf(createMockService({ seed: 7 })).post()).text();
  expect(await responseText()).toBe(await responseText());
});

it('uses and returns a random seed by default', async () => {
  const drawn = createMockService();
  const { orderId } = await shopOf(drawn).order();
  expect(letters(orderId)).toBe(await lettersOf(drawn.seed, {}));
  expect(createMockService().seed).not.toBe(drawn.seed);
});

it('shares no state between mocks', async () => {
  const [one, other] = [createMockService({ seed: 1 }), createMockService({ seed: 1 })];
  one.scenarios.use('maintenance');
  await one.clock.advance('1h');
  const { orderId } = await shopOf(other).order();
  expect(await shopOf(other).state(orderId)).toBe('UNPAID / Pending');
  expect(one.requests).toEqual([]);
  expect(one.clock.now() - other.clock.now()).toBeGreaterThan(3_500_000);
});

it('derives latencies from the seed, separately for each operation', async () => {
  vi.useFakeTimers();
  const latencies = async (between: string[]): Promise<number[]> => {
    const { ask } = shopOf(createMockService({ seed: 7, latency: [0, 1_000] }));
    const taken: number[] = [];
    for (const path of ['/games', ...between, '/games', '/games']) {
      const start = Date.now();
      const response = ask(path);
      await vi.runAllTimersAsync();
      await response;
      if (path === '/games') taken.push(Date.now() - start);
    }
    return taken;
  };
  const drawn = await latencies([]);
  expect(new Set(drawn).size).toBe(3);
  expect(await latencies(['/games/free-fire', '/order/free-fire'])).toEqual(drawn);
});
