import { describe, expect, it } from 'vitest';
import { findAlerts, markOrder, retryOrder } from '../src/features/index.ts';
import { createMemoryStore } from '../src/features/store.ts';
import type { FindPurchaseResult, PurchaseResult, Supplier } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const order = { ...fixtureOrder, promo_code: undefined, quantity: 1 };

/** A supplier, and what it was asked to buy and asked about. */
function recorded(
  abilities: Partial<Supplier['abilities']>,
  submit: PurchaseResult,
  find: FindPurchaseResult,
) {
  const bought: string[] = [];
  const askedAbout: string[] = [];
  const supplier = supplierThat({
    name: 'depot',
    abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null, ...abilities },
    async submit({ reference }) {
      bought.push(reference);
      return submit;
    },
    async find({ reference }) {
      askedAbout.push(reference);
      return find;
    },
  });
  return { supplier, bought, askedAbout };
}

/**
 * An order whose server stopped while it was as `before` says, which another server goes on with after a restore. What happens to it in
 * between is only in the replaced store.
 */
async function restored(
  { supplier }: { supplier: Supplier },
  before: 'unpaid' | 'paid' | 'asked' = 'paid',
  isNoted = true,
) {
  const memory = createMemoryStore();
  const first = await createTestService({ after: memory, supplier });
  await memory.replaceCatalog((await import('../src/sandbox/index.ts')).sandboxCatalog());
  const { orderId } = (await first.order(order)).json;
  if (before === 'paid') {
    const placed = (await memory.findOrder(orderId)) ?? expect.fail();
    const { reference } = placed.payment;
    const amount = placed.pricing.total_price;
    await first.engine.handlePaymentEvent({ reference, amount, status: 'paid', at: first.clock.now });
  }
  // A sandbox delivers at once what is paid.
  if (before === 'asked') await first.sandbox.act(orderId, 'pay');
  const moment = first.clock.now + 60_000;
  const second = await createTestService({
    after: memory,
    supplier,
    now: moment + 1_000,
    store: (store) => ({ ...store, readRestoredAt: async () => (isNoted ? moment : null) }),
  });
  const pass = async (): Promise<void> => {
    for (let step = 0; step < 30; step += 1) {
      await second.engine.dueWork.run();
      second.clock.now += 10_000;
    }
  };
  const operator = { store: memory, worldClock: () => second.clock.now, operator: 'ani' };
  const stateOf = async () => (await memory.findOrder(orderId))?.buyStatus;
  const unitOf = async () => (await memory.findUnits(orderId))[0];
  return { ...second, memory, orderId, pass, operator, stateOf, unitOf };
}

const delivered: PurchaseResult = { state: 'delivered', serialNumber: 'SN-1' };

describe('after a restore', () => {
  it('buys nothing for orders that were paid in the backup, and names them in an alert', async () => {
    const depot = recorded({}, delivered, delivered);
    const { pass, memory, orderId, clock, unitOf } = await restored(depot);
    await pass();
    expect(depot.bought).toEqual([]);
    expect(depot.askedAbout).toEqual([]);
    expect(await unitOf()).toMatchObject({ state: 'unknown', supplier: 'depot', attempt: 1 });
    const alerts = await findAlerts(memory, { now: clock.now, realNow: clock.now });
    expect(alerts).toMatchObject([{ kind: 'stuck-orders', names: [orderId] }]);
  });

  it('buys nothing for orders in the backup that are paid afterwards', async () => {
    const depot = recorded({}, delivered, delivered);
    const { pass, sandbox, orderId, unitOf } = await restored(depot, 'unpaid');
    await sandbox.act(orderId, 'pay');
    await pass();
    expect(depot.bought).toEqual([]);
    expect(await unitOf()).toMatchObject({ state: 'unknown' });
  });

  it('buys orders that were paid in the backup if the restore was not recorded, as after pg_restore', async () => {
    const depot = recorded({}, delivered, delivered);
    const { pass, orderId } = await restored(depot, 'paid', false);
    await pass();
    expect(depot.bought).toEqual([`${orderId}-1-1`]);
  });

  it('buys a new order as usual after a restore', async () => {
    const depot = recorded({}, delivered, delivered);
    const shop = await restored(depot);
    const { orderId } = (await shop.order({ ...order, id: '87654321' })).json;
    await shop.sandbox.act(orderId, 'pay');
    await shop.pass();
    expect(depot.bought).toEqual([`${orderId}-1-1`]);
  });

  it('looks up submitted orders if a look-up buys nothing', async () => {
    const depot = recorded({ findOnlyReads: true }, { state: 'pending' }, delivered);
    const { pass, orderId, stateOf } = await restored(depot, 'asked');
    await pass();
    expect(depot.askedAbout).toContain(`${orderId}-1-1`);
    expect([depot.bought.length, await stateOf()]).toEqual([1, 'Sukses']);
  });

  it("looks up submitted orders by the supplier's id", async () => {
    const depot = recorded({ findBy: 'supplierId' }, { state: 'pending', supplierId: 'P-1' }, delivered);
    const { pass, stateOf } = await restored(depot, 'asked');
    await pass();
    expect([depot.bought.length, await stateOf()]).toEqual([1, 'Sukses']);
  });

  it("doesn't look up submitted orders if a look-up may buy them", async () => {
    const depot = recorded({}, { state: 'pending' }, delivered);
    const { pass, unitOf } = await restored(depot, 'asked');
    const before = depot.askedAbout.length;
    await pass();
    expect([depot.bought.length, depot.askedAbout.length - before]).toEqual([1, 0]);
    expect(await unitOf()).toMatchObject({ state: 'unknown' });
  });

  it('never automatically buys an order that the supplier lacks', async () => {
    const depot = recorded({ findOnlyReads: true }, { state: 'pending' }, { state: 'absent' });
    const { pass, unitOf } = await restored(depot, 'asked');
    await pass();
    expect(depot.bought).toHaveLength(1);
    expect(await unitOf()).toMatchObject({ state: 'unknown' });
  });

  it('lets an operator mark a restored order as delivered, or release it', async () => {
    const depot = recorded({}, delivered, delivered);
    const { pass, operator, orderId, stateOf } = await restored(depot);
    await pass();
    await markOrder(operator, orderId, { outcome: 'failed', note: 'not in the dashboard' });
    expect(await stateOf()).toBe('Gagal');
    await retryOrder(operator, orderId, {});
    await pass();
    expect(depot.bought).toEqual([`${orderId}-1-2`]);
    expect(await stateOf()).toBe('Sukses');
  });

  it("doesn't buy an order that an operator marked as delivered", async () => {
    const depot = recorded({}, delivered, delivered);
    const { pass, operator, orderId, stateOf } = await restored(depot);
    await pass();
    await markOrder(operator, orderId, {
      outcome: 'delivered',
      note: 'in the dashboard',
      serialNumber: 'SN-9',
    });
    expect(await stateOf()).toBe('Sukses');
    expect(depot.bought).toEqual([]);
  });
});
