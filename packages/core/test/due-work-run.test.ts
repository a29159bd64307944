import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import {
  change,
  moment,
  order,
  paid,
  place,
  reserve,
  response,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { createCatalogReader } from '../src/engine/catalog/view.ts';
import { createDueWork } from '../src/engine/due-work.ts';
import { handleCallbacks } from '../src/features/index.ts';
import { createMemoryStore, type Store } from '../src/features/store.ts';
import type { PaymentGateway, RemoteGateway } from '../src/gateway/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import type { Supplier } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';

const never = () => new Promise<never>(() => {});

const remoteGateway = (over: Partial<RemoteGateway> = {}): RemoteGateway => ({
  kind: 'remote',
  name: 'bank',
  sandbox: true,
  createPayment: never,
  findPayment: async () => ({ state: 'absent' }),
  checkPayment: async () => ({ status: 'open' }),
  ...over,
});

const localGateway: PaymentGateway = {
  kind: 'local',
  name: 'simulated',
  sandbox: true,
  createPayment: () => ({ reference: 'R', url: 'https://gateway.example/pay' }),
};

/** The work that falls due by itself, with a store to fill and a clock that the test moves. */
function workOf({
  store: wrap = (store) => store,
  gateway = remoteGateway(),
  supplier = supplierThat({}),
  replay = async () => {},
  recordUses = async () => 0,
}: {
  store?: (store: Store) => Store;
  gateway?: PaymentGateway;
  supplier?: Supplier;
  replay?: () => Promise<void>;
  recordUses?: () => Promise<number>;
} = {}) {
  const store = createMemoryStore();
  const clock = { now: moment + 60_000 };
  const reported: string[] = [];
  const started: string[] = [];
  const wrapped = wrap(store);
  const work = createDueWork({
    ...{ store: wrapped, gateway, supplier },
    ...{ worldClock: () => clock.now, realClock: () => clock.now, monotonicClock: () => clock.now },
    restoredAt: async () => null,
    catalog: createCatalogReader({
      store,
      gateway,
      supplier,
      worldClock: () => clock.now,
      realClock: () => clock.now,
    }),
    renderResponse: () => ({ body: '{}', locale: 'id' }),
    emit(event) {
      if (event.type === 'error') reported.push(`${event.about}: ${String(event.error)}`);
    },
    ...{ serverId: 'server', countServers: () => 1 },
    random: secureRandom,
    hash: String,
    orders: { invoiced: never },
    renderInvoice: () => expect.unreachable(),
    rooms: [
      ({ start }) => ({ 'look at the products': () => start('read products')('products', async () => {}) }),
      handleCallbacks({
        ...{ store: wrapped, callbacks: { replay, storeUnverified: async () => {} } },
        ...{ closing: new AbortController().signal, reportError: never },
      }),
    ],
    keys: { recordUses },
    watchWork(kind, item, task) {
      started.push(`${kind} ${item}`);
      return task();
    },
  });
  const fields = (orderId: string) => ({ orderId, payment: { ...order().payment, reference: orderId } });
  return {
    ...{ store, clock, reported, started, run: work.run },
    async addUnpaid(orderId: string, expiresIn = 60 * 60_000): Promise<void> {
      await store.placeOrder(place(order({ ...fields(orderId), expiresAt: clock.now + expiresIn })));
    },
    /** A paid order of so many items, which are to be submitted. */
    async addPaid(orderId: string, quantity = 1): Promise<void> {
      await store.placeOrder(place(order(fields(orderId))));
      const units = Array.from({ length: quantity }, (_, index) => unit(index + 1));
      await store.changeOrder(change({ orderId, to: paid, units }));
    },
    addReserved: (orderId: string, gatewayName: string | null = 'bank') =>
      store.reserveOrder(reserve(order({ ...fields(orderId), gateway: gatewayName }))),
    async addReplay(callbackId: string): Promise<void> {
      await store.addCallback(callback({ callbackId }));
      await store.requestReplay(callbackId);
    },
  };
}

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(3, '0'));

describe('a run of due work', () => {
  it('gives the host each background task and its order or unit', async () => {
    const { addUnpaid, addPaid, addReserved, addReplay, run, started } = workOf();
    await addUnpaid('INV-1');
    await addPaid('INV-2', 2);
    await addReserved('INV-3');
    await addReplay('cb_1');
    await run();
    expect(started.toSorted()).toEqual([
      'check payment INV-1',
      'deliver INV-2-1-1',
      'deliver INV-2-2-1',
      'read products products',
      'recover order INV-3',
      'replay callback cb_1',
    ]);
  });

  it('does all due work in one run, however much work is due', async () => {
    const { store, addUnpaid, clock, run } = workOf();
    for (const number of numbers(250)) await addUnpaid(number);
    for (const key of numbers(250))
      await store.placeOrder(
        place(order({ ...{ orderId: `R${key}` }, payment: { ...order().payment, reference: `R${key}` } }), {
          response: response({ key, orderId: `R${key}` }),
        }),
      );
    clock.now += 48 * 60 * 60_000;
    await run();
    expect(await store.findOverdueOrders(clock.now, 1_000)).toEqual([]);
    expect(await store.dropIdempotentResponses(clock.now, 1_000)).toBe(0);
    expect((await store.findHistory('001'))[0]).toMatchObject({ event: 'expired', by: 'clock' });
  });

  it('ends a run after twenty rounds, so that the host can do other work', async () => {
    let rounds = 0;
    const { run } = workOf({
      store: (store) => ({
        ...store,
        async dropIdempotentResponses(_now, limit) {
          rounds += 1;
          return limit;
        },
      }),
    });
    await run();
    expect(rounds).toBe(20);
  });

  it('continues with due work after an order that fails', async () => {
    const { store, addUnpaid, clock, run } = workOf({
      store: (memory) => ({
        ...memory,
        changeOrder: (command) =>
          command.orderId === 'broken' ? Promise.reject(new Error('sector 7')) : memory.changeOrder(command),
      }),
    });
    await addUnpaid('broken', -1);
    await run();
    for (const number of numbers(150)) await addUnpaid(number, -2);
    await run();
    expect((await store.findOverdueOrders(clock.now, 1_000)).map(({ orderId }) => orderId)).toEqual([
      'broken',
    ]);
  });

  it('keeps at most 200 requests of all kinds in flight', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ids = Array(1_000).keys();
    const { clock, addUnpaid, addPaid, addReserved, run, started } = workOf({
      replay: never,
      store: (store) => ({
        ...store,
        findReplays: async (limit) =>
          Array.from({ length: limit }, () => callback({ callbackId: `cb_${ids.next().value}` })),
      }),
    });
    /** A run whose requests never end goes on after a while. */
    async function runOn(): Promise<void> {
      let isOver = false;
      const running = run().then(() => {
        isOver = true;
      });
      while (!isOver) {
        await vi.advanceTimersByTimeAsync(50);
        await setImmediate();
      }
      await running;
    }
    await runOn();
    await addUnpaid('INV-1');
    await addPaid('INV-2');
    await addReserved('INV-3');
    clock.now += 60_000;
    await runOn();
    const requests = started.filter((one) => !one.startsWith('read products'));
    expect(requests).toHaveLength(200);
    expect(requests.every((one) => one.startsWith('replay callback'))).toBe(true);
  });

  it("doesn't start a task that is still running, and starts each task again after it ends", async () => {
    let isReplayed = Promise.withResolvers<void>();
    const { addReplay, run, started } = workOf({ replay: () => isReplayed.promise });
    await addReplay('cb_1');
    const count = async () => {
      await run();
      return started.filter((one) => one === 'replay callback cb_1').length;
    };
    expect([await count(), await count()]).toEqual([1, 1]);
    isReplayed.resolve();
    isReplayed = Promise.withResolvers();
    await Promise.resolve();
    expect(await count()).toBe(2);
  });

  it("ignores reserved orders if the gateway sends no requests, including orders without a gateway's name", async () => {
    const { store, addReserved, run, reported } = workOf({ gateway: localGateway });
    await addReserved('INV-1', null);
    await run();
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    expect(reported).toEqual([]);
  });
});

describe('an error in a run', () => {
  it.each<[keyof Store | 'recordUses', string]>([
    ['findPaymentsByExpiry', 'check payments'],
    ['findOverdueOrders', 'expire orders'],
    ['findDueUnits', 'ask suppliers'],
    ['findReservedOrders', 'recover orders'],
    ['findReplays', 'replay callbacks'],
    ['dropIdempotentResponses', 'delete old responses'],
    ['recordUses', 'store when keys were last used'],
  ])('reports %s of a query as "%s", and continues', async (query, kind) => {
    const fails = () => Promise.reject(new Error('sector 7'));
    const { addUnpaid, addPaid, addReserved, addReplay, run, started, reported } = workOf({
      store: (store) => ({ ...store, [query]: fails }),
      ...(query === 'recordUses' && { recordUses: fails }),
    });
    await addUnpaid('INV-1');
    await addPaid('INV-2');
    await addReserved('INV-3');
    await addReplay('cb_1');
    await run();
    expect(reported).toEqual([`${kind}: Error: sector 7`]);
    expect(started.length).toBeGreaterThanOrEqual(4);
  });

  it('reports an error of an order or unit once, until it succeeds', async () => {
    let isBroken = true;
    const fails = async (): Promise<void> => {
      if (isBroken) throw new Error('sector 7');
    };
    const { addReplay, run, reported } = workOf({ replay: fails });
    await addReplay('cb_1');
    for (const broken of [true, true, false, true]) {
      isBroken = broken;
      await run();
    }
    expect(reported).toEqual(Array(2).fill('cb_1: Error: sector 7'));
  });

  it("reports an order's error, and delays the order for half a minute, again after each success", async () => {
    let isBroken = true;
    const tries: number[] = [];
    const { addPaid, run, reported, clock } = workOf({
      store: (memory) => ({
        ...memory,
        changeOrder(command) {
          if (command.units.some(({ state, reason }) => state === 'asked' && reason === null))
            tries.push(clock.now);
          return isBroken ? Promise.reject(new Error('sector 7')) : memory.changeOrder(command);
        },
      }),
    });
    await addPaid('INV-1');
    const begin = clock.now;
    const seconds: number[] = [];
    for (const [wait, broken] of [
      [0, true],
      [29, true],
      [1, false],
      [60, true],
      [29, true],
      [1, false],
    ] as const) {
      clock.now += wait * 1_000;
      isBroken = broken;
      tries.length = 0;
      await run();
      if (tries.length > 0) seconds.push((clock.now - begin) / 1_000);
    }
    expect(seconds).toEqual([0, 30, 90, 120]);
    expect(reported).toEqual(Array(2).fill('INV-1: Error: sector 7'));
  });
});
