import { describe, expect, it } from 'vitest';
import type { RemoteGateway } from '../src/gateway/index.ts';
import type { Store } from '../src/store/index.ts';
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
  it('delays neither the expiry nor the delivery of others', async () => {
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

  it('is not tried again immediately, even if it has many units', async () => {
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

describe('a run that is requested during another one', () => {
  it('does what has fallen due since the other one began', async () => {
    const atTheEnd = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { order, engine, clock, store } = await createTestService({
      store: (memory) => ({
        ...memory,
        async purgeIdempotentResponses(now, limit) {
          atTheEnd.resolve();
          await goOn.promise;
          return memory.purgeIdempotentResponses(now, limit);
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
  it('do not delay one that can be expired', async () => {
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
  it('delays no other order: the others are delivered meanwhile', async () => {
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

  it('gets no two requests with the same reference at the same time', async () => {
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
    await sandbox.advance(10 * minute);
    expect(asked).toHaveLength(2);
  });
});

describe('reserved orders that can not be recovered', () => {
  it('do not prevent the recovery of others', async () => {
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
  it('is never lost: the order is paid, or the payment is stored for an operator', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { order, engine, store, clock } = await createTestService();
      const { data } = (await order()).json;
      const event = { reference: data.payment_reference, amount: 40_000, at: clock.now };
      const statuses = count % 2 === 0 ? (['failed', 'paid'] as const) : (['paid', 'failed'] as const);
      await Promise.all(statuses.map((status) => engine.handlePaymentEvent({ ...event, status })));
      const paid = (await store.findOrder(data.order_id))?.paymentStatus === 'PAID';
      const kept = await store.listReconciliations('open');
      expect(kept.length).toBe(paid ? 0 : 1);
    }
  });
});

describe('a sandbox whose supplier is down', () => {
  it('can be advanced by years, and works again afterwards', async () => {
    const { order, sandbox, clock } = await createTestService();
    const { orderId } = (await order()).json;
    sandbox.chooseScenario('supplier-down');
    await sandbox.act(orderId, 'pay');
    const begin = performance.now();
    await sandbox.advance(3_650 * 24 * 60 * minute);
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(sandbox.world().now - clock.now).toBe(3_650 * 24 * 60 * minute);
  }, 30_000);

  it('is reset even in the middle of an advance', async () => {
    const { order, sandbox, clock } = await createTestService();
    const { orderId } = (await order()).json;
    sandbox.chooseScenario('supplier-down');
    await sandbox.act(orderId, 'pay');
    const advancing = sandbox.advance(365 * 24 * 60 * minute);
    await sandbox.reset();
    await advancing;
    expect(sandbox.world()).toEqual({ now: clock.now, ahead: 0, scenario: 'none' });
  });

  it('adds up several advances', async () => {
    const { sandbox, clock } = await createTestService();
    await Promise.all([1, 2, 3].map((minutes) => sandbox.advance(minutes * minute)));
    expect(sandbox.world().now - clock.now).toBe(6 * minute);
  });
});
