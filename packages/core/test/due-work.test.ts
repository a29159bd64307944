import { describe, expect, it } from 'vitest';
import { type Store, StoreError } from '../src/features/store.ts';
import type { RemoteGateway } from '../src/gateway/index.ts';
import { magicIds, type Supplier } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;

/** A store in which the changes of some orders fail. */
const failingFor =
  (broken: Set<string>) =>
  (store: Store): Store => ({
    ...store,
    changeOrder: (change) =>
      broken.has(change.orderId) ? Promise.reject(new Error('sector 7')) : store.changeOrder(change),
  });

/** A supplier that never responds for one player, and immediately for any other. */
const hangingFor = (id: string): Supplier =>
  supplierThat({
    submit: ({ target, reference }) =>
      target.id === id
        ? new Promise(() => {})
        : Promise.resolve({ state: 'delivered', serialNumber: reference }),
    find: () => new Promise(() => {}),
  });

describe('an order whose change fails', () => {
  it("expires and delivers other orders while an order's change fails", async () => {
    const broken = new Set<string>();
    const { order, sandbox, engine, clock, store } = await createTestService({ store: failingFor(broken) });
    const first = (await order()).json.orderId;
    const second = (await order()).json.orderId;
    const paid = (await order({ ...fixtureOrder, id: magicIds.late })).json.orderId;
    await sandbox.act(paid, 'pay');
    broken.add(first);
    clock.now += 31 * minute;
    await engine.dueWork.run();
    expect((await store.findOrder(second))?.paymentStatus).toBe('EXPIRED');
    expect((await store.findOrder(paid))?.buyStatus).toBe('Sukses');
    expect((await store.findOrder(first))?.paymentStatus).toBe('UNPAID');
    broken.clear();
    clock.now += minute;
    await engine.dueWork.run();
    expect((await store.findOrder(first))?.paymentStatus).toBe('EXPIRED');
  });

  it("doesn't retry a failed order immediately, even if the order has many units", async () => {
    const broken = new Set<string>();
    const { order, sandbox, engine, clock, reported } = await createTestService({
      store: failingFor(broken),
    });
    const { orderId } = (await order({ ...fixtureOrder, id: magicIds.late, quantity: 100 })).json;
    await sandbox.act(orderId, 'pay');
    broken.add(orderId);
    clock.now += 10 * minute;
    await engine.dueWork.run();
    await engine.dueWork.run();
    expect(reported).toHaveLength(1);
  });
});

describe('work that fails again and again', () => {
  /** The moments, in seconds after the first, at which an order that can't be expired was tried within an hour. */
  async function triesOfAnHour(fails: () => Error) {
    const tries: number[] = [];
    let isBroken = true;
    const service = await createTestService({
      store: (store) => ({
        ...store,
        changeOrder(change) {
          if (!isBroken) return store.changeOrder(change);
          tries.push(service.clock.now);
          return Promise.reject(fails());
        },
      }),
    });
    const { orderId } = (await service.order()).json;
    service.clock.now += 31 * minute;
    for (let tick = 0; tick < 3_600; tick += 1) {
      await service.engine.dueWork.run();
      service.clock.now += 1_000;
    }
    isBroken = false;
    const first = tries[0] ?? 0;
    return { service, orderId, seconds: tries.map((at) => (at - first) / 1_000) };
  }

  it('repeats failing work after growing pauses of at most five minutes, and reports the failure once', async () => {
    const { service, orderId, seconds } = await triesOfAnHour(() => new Error('sector 7'));
    const { clock, engine, store, reported } = service;
    expect(seconds.slice(0, 6)).toEqual([0, 30, 90, 210, 450, 750]);
    expect(seconds.at(-1)).toBeGreaterThan(3_300);
    expect(reported).toEqual([new Error('sector 7')]);
    clock.now += 5 * minute;
    await engine.dueWork.run();
    expect((await store.findOrder(orderId))?.paymentStatus).toBe('EXPIRED');
  });

  it('continues immediately after a failure of the store, which the store reports', async () => {
    class Locked extends StoreError {
      readonly retryAfter = 1;
      readonly isReported = true;
    }
    const { service, orderId } = await triesOfAnHour(() => new Locked('locked'));
    await service.engine.dueWork.run();
    expect((await service.store.findOrder(orderId))?.paymentStatus).toBe('EXPIRED');
    expect(service.reported).toEqual([]);
  });

  it('reports each open look-up of a supplier once, and again after a success', async () => {
    let isDown = true;
    const respond = async (): Promise<{ state: 'pending' }> => {
      if (isDown) throw new Error('connection refused');
      return { state: 'pending' };
    };
    const { order, sandbox, engine, clock, reported } = await createTestService({
      supplier: supplierThat({ submit: respond, find: respond }),
    });
    await sandbox.act((await order({ ...fixtureOrder, quantity: 1 })).json.orderId, 'pay');
    const anHour = async (): Promise<void> => {
      for (let tick = 0; tick < 60; tick += 1) {
        clock.now += minute;
        await engine.dueWork.run();
      }
    };
    await anHour();
    expect(reported).toHaveLength(1);
    isDown = false;
    await anHour();
    isDown = true;
    await anHour();
    expect(reported).toHaveLength(2);
  });

  it('reports a failing query once, and again after a success', async () => {
    let isBroken = true;
    const { engine, reported } = await createTestService({
      store: (store) => ({
        ...store,
        findDueUnits: (...query) =>
          isBroken ? Promise.reject(new Error('sector 8')) : store.findDueUnits(...query),
      }),
    });
    for (let count = 0; count < 10; count += 1) await engine.dueWork.run();
    expect(reported).toHaveLength(1);
    isBroken = false;
    await engine.dueWork.run();
    isBroken = true;
    for (let count = 0; count < 10; count += 1) await engine.dueWork.run();
    expect(reported).toHaveLength(2);
  });
});

describe('a player id that is also a property of every object', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'delivers to a player id that is also a property of every object: %s',
    async (id) => {
      const { order, sandbox, engine, clock, store, reported } = await createTestService();
      const placed = await order({ ...fixtureOrder, id });
      expect(placed.status).toBe(201);
      await sandbox.act(placed.json.orderId, 'pay');
      clock.now += minute;
      await engine.dueWork.run();
      expect((await store.findOrder(placed.json.orderId))?.buyStatus).toBe('Sukses');
      expect(reported).toEqual([]);
    },
  );
});

describe('a run that is requested during another one', () => {
  it('does the work that became due after the previous run started', async () => {
    const atTheEnd = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { order, engine, clock, store } = await createTestService({
      store: (memory) => ({
        ...memory,
        async dropIdempotentResponses(now, limit) {
          atTheEnd.resolve();
          await goOn.promise;
          return memory.dropIdempotentResponses(now, limit);
        },
      }),
    });
    const { orderId } = (await order()).json;
    const first = engine.dueWork.run();
    await atTheEnd.promise;
    clock.now += 31 * minute;
    const second = engine.dueWork.run();
    goOn.resolve();
    await second;
    expect((await store.findOrder(orderId))?.paymentStatus).toBe('EXPIRED');
    await first;
  });
});

describe('many orders whose expiry fails', () => {
  it('expires an order even if many other orders fail to expire', async () => {
    const broken = new Set<string>();
    const { order, engine, clock, store } = await createTestService({ store: failingFor(broken) });
    for (let count = 0; count < 120; count += 1) broken.add((await order()).json.orderId);
    clock.now += 1;
    const { orderId } = (await order()).json;
    clock.now += 31 * minute;
    await engine.dueWork.run();
    await engine.dueWork.run();
    expect((await store.findOrder(orderId))?.paymentStatus).toBe('EXPIRED');
  });
});

describe('a supplier that does not respond', () => {
  it("delivers other orders while a supplier doesn't respond", async () => {
    const { order, sandbox, store } = await createTestService({ supplier: hangingFor('900') });
    const slow = (await order({ ...fixtureOrder, id: '900' })).json.orderId;
    const quick = (await order()).json.orderId;
    const begin = performance.now();
    await sandbox.act(slow, 'pay');
    await sandbox.act(quick, 'pay');
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect((await store.findOrder(quick))?.buyStatus).toBe('Sukses');
    expect((await store.findOrder(slow))?.buyStatus).toBe('Proses');
  });

  it('never sends two simultaneous requests with the same reference', async () => {
    const asked: string[] = [];
    const supplier = hangingFor(fixtureOrder.id);
    const { order, sandbox } = await createTestService({
      supplier: {
        ...supplier,
        submit(request, signal) {
          asked.push(request.reference);
          return supplier.submit(request, signal);
        },
        find(request, signal) {
          asked.push(request.reference);
          return supplier.find(request, signal);
        },
      },
    });
    await sandbox.act((await order()).json.orderId, 'pay');
    await sandbox.advance(10_000);
    expect(asked).toHaveLength(2);
  });
});

describe('reserved orders that can not be recovered', () => {
  it("recovers orders even if other reserved orders can't be recovered", async () => {
    const stuck = 120;
    const asked: string[] = [];
    const gateway: RemoteGateway = {
      kind: 'remote',
      name: 'remote',
      sandbox: true,
      createPayment: () => Promise.reject(new Error('down')),
      async findPayment({ orderId }) {
        asked.push(orderId);
        if (asked.length > stuck && orderId === last) return { state: 'absent' };
        throw new Error('down');
      },
    };
    const { order, store, engine, clock } = await createTestService({ gateway });
    for (let count = 0; count < stuck; count += 1) {
      await order();
      clock.now += 1;
    }
    await order();
    const last = (await store.findReservedOrders(1_000)).at(-1)?.orderId;
    clock.now += minute;
    await engine.dueWork.run();
    await engine.dueWork.run();
    const left = await store.findReservedOrders(1_000);
    expect(left).toHaveLength(stuck);
    expect(left.some(({ orderId }) => orderId === last)).toBe(false);
  });
});

describe('a payment that arrives while it is reported as failed', () => {
  it('never loses a payment that arrives while it is reported as failed: the order is paid, or the payment goes to an operator', async () => {
    for (const statuses of [['failed', 'paid'] as const, ['paid', 'failed'] as const]) {
      const { order, engine, store, clock } = await createTestService();
      const { data } = (await order()).json;
      const event = { reference: data.payment_reference, amount: 40_000, at: clock.now };
      await Promise.all(statuses.map((status) => engine.handlePaymentEvent({ ...event, status })));
      const paid = (await store.findOrder(data.order_id))?.paymentStatus === 'PAID';
      const kept = await store.listReconciliations({ state: 'open' });
      expect(kept.length).toBe(paid ? 0 : 1);
    }
  });
});

describe('a sandbox whose supplier is down', () => {
  it('advances a sandbox by years while its supplier is down, and then works again', async () => {
    const { order, sandbox, clock } = await createTestService();
    const { orderId } = (await order()).json;
    sandbox.chooseScenario('supplier-down');
    await sandbox.act(orderId, 'pay');
    const begin = performance.now();
    await sandbox.advance(3_650 * 24 * 60 * minute);
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(sandbox.world().now - clock.now).toBe(3_650 * 24 * 60 * minute);
  }, 30_000);
});
