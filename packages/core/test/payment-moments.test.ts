import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { change, expired, moment, order, place } from '../../suites/src/store/fixtures.ts';
import { createPaymentPolling } from '../src/engine/payment-polling.ts';
import { createMemoryStore, type Store, type StoredOrder, StoreError } from '../src/features/store.ts';
import type { PaymentReport } from '../src/gateway/index.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The polling by itself, with a clock that the test moves, over a store with these orders. */
async function pollingOf({
  checkIntervalMs,
  orders = 0,
  over = {},
  store: wrap = (store) => store,
}: {
  checkIntervalMs?: number;
  /** How many orders, each of which is to be asked about at the start. */
  orders?: number;
  over?: Partial<StoredOrder>;
  store?: (store: Store) => Store;
}) {
  const store = createMemoryStore();
  const clock = { now: moment };
  const asked: { orderId: string; seconds: number }[] = [];
  const reported: unknown[] = [];
  const tasks: Promise<unknown>[] = [];
  const gateway = { report: async (): Promise<PaymentReport> => ({ status: 'open' }) };
  const polling = createPaymentPolling(
    {
      store: wrap(store),
      gateway: { name: 'remote' },
      worldClock: () => clock.now,
      emit(event) {
        if (event.type === 'error') reported.push(event.error);
      },
      countServers: () => 1,
    },
    {
      checkIntervalMs,
      checkPayment({ orderId }) {
        asked.push({ orderId, seconds: (clock.now - moment) / 1_000 });
        return gateway.report();
      },
    },
  );
  const add = (orderId: string, fields: Partial<StoredOrder> = {}) =>
    store.placeOrder(
      place(
        order({
          orderId,
          gateway: 'remote',
          payment: { ...order().payment, reference: orderId },
          ...fields,
        }),
      ),
    );
  for (let number = 1; number <= orders; number += 1)
    await add(`order ${String(number).padStart(3, '0')}`, { createdAt: moment - minute, ...over });
  /** Starts what is due after so many seconds; returns how many. */
  async function begin(seconds: number, room = 100): Promise<number> {
    clock.now += seconds * 1_000;
    return polling.run(room, (_name, task) => {
      const started = task().then(() => {});
      tasks.push(started);
      return started;
    });
  }
  return {
    ...{ store, clock, asked, reported, gateway, polling, add, begin },
    /** Does what is due after so many seconds, to the end. */
    async tick(seconds: number, room?: number): Promise<void> {
      await begin(seconds, room);
      await Promise.all(tasks.splice(0));
    },
  };
}

describe('the times at which the server asks about a payment', () => {
  it.each([
    // They double up to ten minutes; then one at the expiry after half an hour, and four in the day after it.
    [0, [15, 30, 60, 120, 240, 480, 960, 1560, 1800, 2100, 5400, 23_400, 88_200]],
    // Passes are five seconds apart, by which a question may be late.
    [3 * minute, [185, 370, 740, 1340, 1800, 2100, 5400, 23_400, 88_200]],
    // Those sooner after another one than the gateway allows are left out.
    [20 * minute, [1205, 5400, 23_400, 88_200]],
  ])(
    "derives the times of checks from a payment's age and expiry, if the gateway allows a check every %i ms",
    async (checkIntervalMs, seconds) => {
      const { add, tick, asked, reported } = await pollingOf({ checkIntervalMs });
      await add('order');
      for (let count = 0; count < 480; count += 1) await tick(5);
      for (let count = 0; count < 1_460; count += 1) await tick(60);
      expect(asked.map((one) => one.seconds)).toEqual(seconds);
      expect(reported).toEqual([]);
    },
  );

  it('continues checks when the clock is set back, even after failures', async () => {
    const { clock, gateway, tick, asked } = await pollingOf({ orders: 5 });
    gateway.report = () => Promise.reject(new Error('down'));
    await tick(0);
    expect(asked).toHaveLength(5);
    clock.now -= hour;
    for (let seconds = 0; seconds < 600; seconds += 5) await tick(5);
    expect(asked.length).toBeGreaterThan(5);
  });

  const age = (createdAgo: number, expiresIn = 30 * minute): Partial<StoredOrder> => ({
    createdAt: moment - createdAgo,
    expiresAt: moment + expiresIn,
  });

  it.each<[string, Partial<StoredOrder>, number]>([
    ['that is open', age(minute), 1],
    ['that is a few seconds old', age(14_999), 0],
    ['of another gateway, which would not know it', { ...age(minute), gateway: 'other' }, 0],
    ['of an earlier version, which named no gateway', { ...age(minute), gateway: null }, 1],
    ['that expired and was not noticed', age(hour, -1), 1],
    ['that expired a day ago', { ...age(25 * hour, -24 * hour), ...expired }, 1],
    ['that expired longer ago', { ...age(26 * hour, -25 * hour), ...expired }, 0],
    ['that is paid', { ...age(minute), paymentStatus: 'PAID' }, 0],
  ])('makes up for missed checks when a server starts: one %s', async (_what, fields, times) => {
    const { add, tick, asked } = await pollingOf({});
    await add('order', fields);
    await tick(0);
    await tick(4);
    expect(asked).toHaveLength(times);
  });

  it("doesn't skip the next check after a late check", async () => {
    const { add, tick, asked } = await pollingOf({ checkIntervalMs: 20_000 });
    await add('order');
    await tick(30);
    await tick(20);
    expect(asked.map(({ seconds }) => seconds)).toEqual([30, 50]);
  });

  it('starts checks again when a sandbox sets its clock back', async () => {
    const { add, tick, asked } = await pollingOf({});
    await tick(100_000);
    await tick(-100_000);
    await add('order');
    for (let count = 0; count < 6; count += 1) await tick(5);
    expect(asked.map(({ seconds }) => seconds)).toEqual([15, 30]);
  });

  it('skips a check if the order is paid before the request', async () => {
    const { polling, asked, store } = await pollingOf({ orders: 1 });
    const tasks: [name: string, item: string, task: () => Promise<unknown>][] = [];
    const start = async (...[name, task, item]: Parameters<Parameters<typeof polling.run>[1]>) =>
      void tasks.push([name, item, task]);
    expect(await polling.run(1, start)).toBe(1);
    const orderId = 'order 001';
    await store.changeOrder(change({ orderId }));
    expect(tasks).toEqual([[`payment of ${orderId}`, orderId, expect.any(Function)]]);
    await tasks[0]?.[2]();
    expect(asked).toEqual([]);
  });
});

describe('many open payments', () => {
  it('checks all open payments at the start and again when they are due, as many as possible at a time', async () => {
    const { tick, asked } = await pollingOf({ orders: 250 });
    await tick(0, 7);
    expect(asked).toHaveLength(7);
    await tick(1, 0);
    expect(asked).toHaveLength(7);
    for (let count = 0; count < 13; count += 1) await tick(1);
    expect(new Set(asked.map(({ orderId }) => orderId)).size).toBe(250);
    // A minute after the start they are two minutes old.
    for (let count = 0; count < 80; count += 1) await tick(1);
    expect(asked).toHaveLength(500);
  });

  it('checks twenty payments at a time, however slow the gateway is', async () => {
    const { gateway, begin, asked } = await pollingOf({ orders: 30 });
    const open: (() => void)[] = [];
    gateway.report = () => new Promise((resolve) => open.push(() => resolve({ status: 'open' })));
    expect([await begin(0), await begin(1)]).toEqual([20, 0]);
    for (const end of open.splice(0, 5)) end();
    await setImmediate();
    expect([await begin(0), await begin(1)]).toEqual([5, 0]);
    for (const end of open.splice(0)) end();
    await setImmediate();
    expect(await begin(0)).toBe(5);
    expect(new Set(asked.map(({ orderId }) => orderId)).size).toBe(30);
  });

  /** Notes after which order a page of which payments is read. */
  const noting =
    (reads: string[], find?: Store['findPaymentsByExpiry']) =>
    (store: Store): Store => ({
      ...store,
      findPaymentsByExpiry(status, after, limit) {
        reads.push(`${status} after ${after.orderId}`);
        return (find ?? store.findPaymentsByExpiry)(status, after, limit);
      },
    });

  it('checks payments on all pages, at most once in five seconds', async () => {
    const reads: string[] = [];
    const fresh = { createdAt: moment };
    const { add, tick, asked } = await pollingOf({ orders: 101, over: fresh, store: noting(reads) });
    await tick(0);
    await add('order 999', { createdAt: moment - 57_000 });
    reads.length = 0;
    await tick(4.999);
    expect(reads).toEqual([]);
    await tick(0.001);
    expect(reads).toEqual(['UNPAID after ', 'UNPAID after order 100', 'EXPIRED after ']);
    expect(asked).toEqual([{ orderId: 'order 999', seconds: 5 }]);
  });

  it('reads twenty pages at a time, and continues with the next run', async () => {
    const reads: string[] = [];
    const page = { createdAt: moment, expiresAt: moment + hour };
    const { tick } = await pollingOf({
      store: noting(reads, async (_status, _after, limit) =>
        Array.from({ length: limit }, () => ({ ...page, orderId: `order ${reads.length}` })),
      ),
    });
    await tick(0);
    expect(reads).toHaveLength(20);
    await tick(0);
    expect(reads[20]).toBe('UNPAID after order 20');
  });
});

describe('the payments of a gateway that is unavailable', () => {
  const down = () => Promise.reject(new Error('down'));

  it.each([
    ['one', 1, [0, 5, 10, 15, 20, 35, 65, 125, 245, 485, 965, 1565, 2165]],
    // Those that were sent at once say no more than one does.
    ['all', 100, [...Array(20).fill(0), 15, 45, 105, 225, 465, 945, 1545, 2145]],
  ])(
    'sends one check after each of several growing pauses while a gateway is unavailable, %s at a time',
    async (_room, room, seconds) => {
      const { tick, asked, gateway } = await pollingOf({ orders: 40 });
      gateway.report = down;
      await tick(0, room);
      for (let count = 0; count < 440; count += 1) await tick(5, room);
      expect(asked.map((one) => one.seconds)).toEqual(seconds);
      gateway.report = async () => ({ status: 'open' });
      asked.length = 0;
      for (let count = 0; count < 121; count += 1) await tick(5);
      expect(new Set(asked.map(({ orderId }) => orderId)).size).toBe(40);
    },
  );

  it("doesn't pause after four failures in a row, or after failures of the store", async () => {
    class Locked extends StoreError {
      readonly retryAfter = 1;
      readonly isReported = true;
    }
    let isLocked = false;
    const { tick, asked, gateway, reported } = await pollingOf({
      orders: 30,
      store: (store) => ({
        ...store,
        findOrder: (orderId) => (isLocked ? Promise.reject(new Locked('locked')) : store.findOrder(orderId)),
      }),
    });
    for (let count = 0; count < 10; count += 1) {
      gateway.report = count % 5 === 4 ? async () => ({ status: 'open' }) : down;
      await tick(0, 1);
    }
    expect(asked).toHaveLength(10);
    isLocked = true;
    await tick(0, 10);
    isLocked = false;
    await tick(0);
    expect(asked).toHaveLength(20);
    expect(reported).toEqual(Array(8).fill(new Error('down')));
  });

  it('reports each failing payment once, until a check succeeds', async () => {
    const { tick, gateway, reported } = await pollingOf({ orders: 1 });
    const open = async () => ({ status: 'open' }) as const;
    for (const [seconds, report] of [
      [60, down],
      [120, down],
      [240, open],
      [480, down],
    ] as const) {
      gateway.report = report;
      await tick(seconds);
    }
    expect(reported).toEqual([new Error('down'), new Error('down')]);
  });

  it('stops a check after ten seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { gateway, begin, reported } = await pollingOf({ orders: 1 });
    gateway.report = () => new Promise(() => {});
    await begin(0);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(reported).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(reported).toEqual([new Error('the gateway did not respond in time')]);
  });
});
