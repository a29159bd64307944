import { describe, expect, it } from 'vitest';
import { readCatalogFile } from '../src/engine/catalog/file.ts';
import { findAlerts, retryOrder } from '../src/features/index.ts';
import type { Catalog } from '../src/features/store.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import type {
  FindPurchaseRequest,
  FindPurchaseResult,
  PurchaseRequest,
  PurchaseResult,
  Supplier,
  SupplierProduct,
} from '../src/supplier/index.ts';
import { callbackSupplier, signed } from './helpers/providers.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder, type TestServiceOptions } from './helpers/test-service.ts';

const minute = 60_000;
const offers = [
  { supplier: 'depot', code: 'D-86' },
  { supplier: 'shelf', code: 'S-86' },
];

/** The sandbox's catalogue; one product is bought at these. */
function catalogWith(suppliers: typeof offers): Catalog {
  const catalog = sandboxCatalog();
  const games = catalog.games.map((game) => ({
    ...game,
    products: game.products.map((product) => (product.id === 901 ? { ...product, suppliers } : product)),
  }));
  return { ...catalog, games };
}

const order = { ...fixtureOrder, promo_code: undefined, quantity: 1 };
const rejected: PurchaseResult = { state: 'failed', reason: 'closed here', kind: 'product_unavailable' };
const delivered: PurchaseResult = { state: 'delivered', serialNumber: 'SN-2' };

/** A supplier that responds as planned, and what it was asked to buy. */
function planned(
  name: string,
  submit: PurchaseResult | Error,
  find: FindPurchaseResult = { state: 'pending' },
) {
  const bought: Pick<PurchaseRequest, 'reference' | 'productCode'>[] = [];
  const plan = { submit, find };
  const supplier = supplierThat({
    name,
    async submit({ reference, productCode }) {
      bought.push({ reference, productCode });
      if (plan.submit instanceof Error) throw plan.submit;
      return plan.submit;
    },
    find: async () => plan.find,
  });
  return { supplier, bought, plan };
}

/** A paid order of one unit of a product of two suppliers, after what falls due in two minutes. */
async function paidOrder(
  supplier: Supplier,
  otherSuppliers: Supplier[],
  options: Omit<TestServiceOptions, 'supplier'> = {},
) {
  const service = await createTestService({
    catalog: catalogWith(offers),
    ...options,
    ...{ supplier, otherSuppliers },
  });
  const { orderId } = (await service.order(order)).json;
  await service.sandbox.act(orderId, 'pay');
  async function pass(times = 12): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await service.engine.dueWork.run();
      service.clock.now += 10_000;
    }
  }
  await pass();
  const unit = async () => (await service.store.findUnits(orderId))[0] ?? expect.fail();
  const stateOf = async () => (await service.store.findOrder(orderId))?.buyStatus;
  return { ...service, orderId, pass, unit, stateOf };
}

describe('a product of two suppliers', () => {
  it('buys a product from the first supplier by its code, and from no other', async () => {
    const first = planned('depot', delivered);
    const second = planned('shelf', delivered);
    const { orderId, stateOf } = await paidOrder(first.supplier, [second.supplier]);
    expect(await stateOf()).toBe('Sukses');
    expect(first.bought).toEqual([{ reference: `${orderId}-1-1`, productCode: 'D-86' }]);
    expect(second.bought).toEqual([]);
  });

  it('buys a product from the next supplier, as a new attempt, after a certain rejection by the first supplier', async () => {
    const first = planned('depot', rejected);
    const second = planned('shelf', delivered);
    const { orderId, unit, stateOf, store } = await paidOrder(first.supplier, [second.supplier]);
    expect(first.bought).toHaveLength(1);
    expect(second.bought).toEqual([{ reference: `${orderId}-1-2`, productCode: 'S-86' }]);
    expect(await unit()).toMatchObject({
      state: 'delivered',
      attempt: 2,
      supplier: 'shelf',
      serialNumber: 'SN-2',
    });
    expect(await stateOf()).toBe('Sukses');
    const history = await store.findHistory(orderId);
    expect(history.find(({ event }) => event === 'retried')).toMatchObject({
      by: 'supplier',
      attempts: [{ unit: 1, attempt: 1, supplier: 'depot', reason: 'closed here' }],
    });
  });

  it('buys a product from the next supplier after a later rejection by the first supplier', async () => {
    const first = planned('depot', { state: 'pending' }, rejected);
    const second = planned('shelf', delivered);
    const { stateOf } = await paidOrder(first.supplier, [second.supplier]);
    expect([first.bought.length, second.bought.length, await stateOf()]).toEqual([1, 1, 'Sukses']);
  });

  it("buys a product from the next supplier when the first supplier's balance is too low", async () => {
    const first = planned('depot', { state: 'pending', waitsFor: 'balance', reason: 'saldo' });
    const second = planned('shelf', delivered);
    const { stateOf, unit } = await paidOrder(first.supplier, [second.supplier]);
    expect([first.bought.length, second.bought.length, await stateOf()]).toEqual([1, 1, 'Sukses']);
    expect(await unit()).toMatchObject({ waitsFor: null, attempt: 2 });
  });

  it('fails when the last supplier has rejected the product', async () => {
    const first = planned('depot', rejected);
    const second = planned('shelf', rejected);
    const { stateOf, pass } = await paidOrder(first.supplier, [second.supplier]);
    await pass();
    expect([first.bought.length, second.bought.length, await stateOf()]).toEqual([1, 1, 'Gagal']);
  });

  it.each(['supplier', 'balance', 'product'] as const)(
    'buys from the first supplier in the end, if only its %s delayed the purchase and the last supplier rejects it',
    async (waitsFor) => {
      const first = planned('depot', { state: 'pending', waitsFor, reason: 'not now' });
      const second = planned('shelf', rejected);
      const { orderId, stateOf, unit, pass } = await paidOrder(first.supplier, [second.supplier]);
      expect(await stateOf()).toBe('Proses');
      // It waits at the first, and is not sent to the second again.
      expect(await unit()).toMatchObject({
        attempt: 3,
        supplier: 'depot',
        state: 'waiting',
        reason: 'not now',
      });
      expect(second.bought).toHaveLength(1);
      first.plan.submit = delivered;
      await pass();
      expect([await stateOf(), second.bought.length]).toEqual(['Sukses', 1]);
      expect(first.bought.at(-1)).toEqual({ reference: `${orderId}-1-3`, productCode: 'D-86' });
    },
  );

  it('fails when the first supplier, which had only delayed the purchase, rejects it as well', async () => {
    const first = planned('depot', { state: 'pending', waitsFor: 'supplier', reason: 'not now' });
    const second = planned('shelf', rejected);
    const { orderId, store, clock, stateOf, pass } = await paidOrder(first.supplier, [second.supplier]);
    first.plan.submit = rejected;
    await pass();
    expect([await stateOf(), second.bought.length]).toEqual(['Gagal', 1]);
    // An operator's retry tries each again.
    second.plan.submit = delivered;
    await retryOrder({ store, worldClock: () => clock.now, operator: 'ani' }, orderId);
    await pass();
    expect([await stateOf(), second.bought.length]).toEqual(['Sukses', 2]);
  });

  it('starts with the first supplier again when an operator retries an order', async () => {
    const first = planned('depot', rejected);
    const second = planned('shelf', rejected);
    const { orderId, store, pass, clock } = await paidOrder(first.supplier, [second.supplier]);
    first.plan.submit = delivered;
    await retryOrder({ store, worldClock: () => clock.now, operator: 'ani' }, orderId);
    await pass();
    expect(first.bought.map(({ reference }) => reference)).toEqual([`${orderId}-1-1`, `${orderId}-1-3`]);
    expect(second.bought).toHaveLength(1);
  });

  it.each<[string, PurchaseResult | Error, FindPurchaseResult]>([
    ['does not respond', new Error('time-out'), { state: 'pending' }],
    ['has no outcome', { state: 'pending' }, { state: 'pending' }],
    ['says that the player does not exist', { ...rejected, kind: 'account_not_found' }, { state: 'pending' }],
  ])("doesn't buy from the next supplier while the first supplier %s", async (_what, submit, find) => {
    const first = planned('depot', submit, find);
    const second = planned('shelf', delivered);
    const { pass } = await paidOrder(first.supplier, [second.supplier]);
    await pass();
    expect(second.bought).toEqual([]);
  });

  it('never buys from the next supplier after an unknown outcome, even if the first supplier rejects the purchase later', async () => {
    const { supplier } = callbackSupplier();
    const lost = { ...supplier, abilities: { ...supplier.abilities, findBy: 'none' as const } };
    const second = planned('shelf', delivered);
    const { orderId, unit, callbacks, pass } = await paidOrder(lost, [second.supplier]);
    expect((await unit()).state).toBe('unknown');
    const event = { reference: `${orderId}-1-1`, supplierId: null, result: rejected };
    await callbacks.receive('supplier', 'depot', signed(JSON.stringify(event)), '203.0.113.7');
    await pass();
    expect((await unit()).state).toBe('failed');
    expect(second.bought).toEqual([]);
  });

  it('never buys twice silently, but records a late delivery by the first supplier as a contradiction', async () => {
    const { supplier } = callbackSupplier();
    const first = { ...supplier, submit: async () => rejected };
    const second = planned('shelf', { state: 'pending' });
    const { orderId, unit, callbacks, pass, stateOf } = await paidOrder(first, [second.supplier]);
    expect(await unit()).toMatchObject({ state: 'asked', attempt: 2, supplier: 'shelf' });
    const event = {
      reference: `${orderId}-1-1`,
      supplierId: null,
      result: { ...delivered, serialNumber: 'SN-1' },
    };
    await callbacks.receive('supplier', 'depot', signed(JSON.stringify(event)), '203.0.113.7');
    expect((await unit()).contradiction).toContain('attempt 1 as delivered, with serial number SN-1');
    second.plan.find = rejected;
    await pass();
    expect(await unit()).toMatchObject({ state: 'failed', attempt: 2 });
    expect([second.bought.length, await stateOf()]).toEqual([1, 'Gagal']);
  });

  /** The first supplier, whose callbacks name only its own id of a purchase and prove nothing, as VIP Reseller's. */
  function nameless(find: () => Promise<FindPurchaseResult>, submitted: PurchaseResult) {
    const { supplier } = callbackSupplier();
    const asked: FindPurchaseRequest[] = [];
    const first: Supplier = {
      ...supplier,
      abilities: { ...supplier.abilities, findBy: 'supplierId' },
      submit: async () => submitted,
      async find(request) {
        asked.push(request);
        return find();
      },
    };
    const event = (supplierId = 'T-1', result: PurchaseResult | null = null) =>
      signed(JSON.stringify({ reference: null, supplierId, result }));
    return { first, asked, event };
  }

  it.each<[string, PurchaseResult]>([
    ['rejected it', { ...rejected, supplierId: 'T-1' }],
    ['rejected it because of the balance', { state: 'pending', waitsFor: 'balance', supplierId: 'T-1' }],
  ])(
    'never buys twice silently after a callback that names only an id, after the first supplier %s',
    async (_what, submitted) => {
      const { first, asked, event } = nameless(
        async () => ({ ...delivered, serialNumber: 'SN-1' }),
        submitted,
      );
      const second = planned('shelf', delivered);
      const { orderId, unit, callbacks } = await paidOrder(first, [second.supplier]);
      expect(await unit()).toMatchObject({ state: 'delivered', attempt: 2, supplierId: null });
      await callbacks.receive('supplier', 'depot', event(), '203.0.113.7');
      expect(asked).toMatchObject([{ reference: `${orderId}-1-1`, productCode: 'D-86', supplierId: 'T-1' }]);
      expect((await unit()).contradiction).toContain('attempt 1 as delivered, with serial number SN-1');
    },
  );

  it('records a contradiction for a verified callback that contains only an id', async () => {
    const { first, asked, event } = nameless(async () => rejected, { ...rejected, supplierId: 'T-1' });
    const { unit, callbacks } = await paidOrder(first, [planned('shelf', delivered).supplier]);
    await callbacks.receive('supplier', 'depot', event('T-1', delivered), '203.0.113.7');
    expect(asked).toEqual([]);
    expect((await unit()).contradiction).toContain('attempt 1 as delivered, with serial number SN-2');
  });

  it('leaves the order unchanged when the first supplier reports its failure again', async () => {
    const { first, asked, event } = nameless(async () => rejected, { ...rejected, supplierId: 'T-1' });
    const { unit, callbacks } = await paidOrder(first, [planned('shelf', delivered).supplier]);
    const before = await unit();
    await callbacks.receive('supplier', 'depot', event(), '203.0.113.7');
    expect([asked.length, await unit()]).toEqual([1, before]);
  });

  it("doesn't look up a purchase at the first supplier by the kit's reference if that may buy it", async () => {
    const { first, asked, event } = nameless(async () => delivered, { ...rejected, supplierId: 'T-1' });
    const byReference = { ...first, abilities: { ...first.abilities, findBy: 'reference' as const } };
    const { unit, callbacks } = await paidOrder(byReference, [planned('shelf', delivered).supplier]);
    await callbacks.receive('supplier', 'depot', event(), '203.0.113.7');
    expect([asked, (await unit()).contradiction]).toEqual([[], null]);
  });

  it("looks up a purchase at the first supplier by the kit's reference if that only reads", async () => {
    const { first, asked } = nameless(async () => delivered, { ...rejected, supplierId: 'T-1' });
    const abilities = { ...first.abilities, findBy: 'reference' as const, findOnlyReads: true };
    const shelf = planned('shelf', delivered).supplier;
    const { orderId, unit, callbacks } = await paidOrder({ ...first, abilities }, [shelf]);
    const reference = `${orderId}-1-1`;
    const event = signed(JSON.stringify({ reference, supplierId: null, result: null }));
    await callbacks.receive('supplier', 'depot', event, '203.0.113.7');
    expect(asked).toMatchObject([{ reference }]);
    expect((await unit()).contradiction).toContain('attempt 1 as delivered');
  });

  it("accepts each supplier's callbacks at that supplier's name, but no callback about another supplier's purchase", async () => {
    const { supplier } = callbackSupplier();
    const first = planned('shop', { state: 'pending' });
    const { orderId, unit, callbacks } = await paidOrder(first.supplier, [supplier], {
      catalog: catalogWith([{ supplier: 'shop', code: 'x' }, ...offers]),
    });
    expect([callbacks.has('supplier', 'depot'), callbacks.has('supplier', 'shop')]).toEqual([true, false]);
    const event = { reference: `${orderId}-1-1`, supplierId: null, result: delivered };
    await callbacks.receive('supplier', 'depot', signed(JSON.stringify(event)), '203.0.113.7');
    expect((await unit()).state).toBe('asked');
  });

  it('waits while none of the suppliers is configured, and buys when a supplier is configured', async () => {
    const first = planned('depot', delivered);
    const stranger = planned('stranger', delivered);
    const before = await createTestService({ catalog: catalogWith(offers), supplier: first.supplier });
    const { orderId } = (await before.order(order)).json;
    const now = before.clock.now;
    const without = await createTestService({ after: before.store, now, supplier: stranger.supplier });
    await without.sandbox.act(orderId, 'pay');
    await without.engine.dueWork.run();
    expect(await before.store.findUnits(orderId)).toMatchObject([
      { state: 'waiting', reason: 'No supplier of its product is configured. Add one to TOPUP_SUPPLIER.' },
    ]);
    const again = await createTestService({
      ...{ after: before.store, now: now + 11 * minute, supplier: stranger.supplier },
      otherSuppliers: [first.supplier],
    });
    await again.engine.dueWork.run();
    expect([first.bought.length, stranger.bought]).toEqual([1, []]);
  });
});

describe('the lists of two suppliers', () => {
  const item = (code: string, over: Partial<SupplierProduct> = {}): SupplierProduct => ({
    ...{ code, price: 20_000, isAvailable: true, stock: null, isOncePerDay: false, pause: null },
    ...over,
  });

  /** Where ML86 is tried, or why it can't be ordered. */
  async function tried(
    depot: SupplierProduct[] | null,
    shelf: SupplierProduct[] | null,
    options: TestServiceOptions = {},
  ) {
    const listing = (name: string, list: SupplierProduct[] | null) =>
      supplierThat({ name, ...(list && { readProducts: async () => list }) });
    const service = await createTestService({
      ...{ catalog: catalogWith(offers), supplier: listing('depot', depot) },
      ...{ otherSuppliers: [listing('shelf', shelf)], ...options },
    });
    await service.engine.dueWork.run();
    const placed = (await service.order(order)).json;
    const stored = placed.orderId && (await service.store.findOrder(placed.orderId));
    return stored
      ? stored.product.suppliers.map(({ supplier }: { supplier: string }) => supplier)
      : (placed.code ?? placed);
  }

  const inOrder = ['depot', 'shelf'];
  const turned = ['shelf', 'depot'];
  it.each<[string, SupplierProduct[] | null, SupplierProduct[] | null, boolean, unknown]>([
    ['both sell it', [item('D-86')], [item('S-86', { price: 1 })], false, inOrder],
    [
      'the second is cheaper, and the cheapest gets it',
      [item('D-86')],
      [item('S-86', { price: 1 })],
      true,
      turned,
    ],
    ['both cost the same, and the cheapest gets it', [item('D-86')], [item('S-86')], true, inOrder],
    ['one has no list, and the cheapest gets it', null, [item('S-86')], true, turned],
    ['the first is closed', [item('D-86', { isAvailable: false })], [item('S-86')], false, turned],
    ['the first does not list it', [], [item('S-86')], false, turned],
    ['the first would sell at a loss', [item('D-86', { price: 90_000 })], [item('S-86')], false, ['shelf']],
    ['the second has no list', [item('D-86', { stock: 0 })], null, false, turned],
  ])('decides which supplier gets the order: %s', async (_what, depot, shelf, cheapestFirst, expected) => {
    expect(await tried(depot, shelf, { cheapestFirst })).toEqual(expected);
  });

  it('warns once about a product whose suppliers are not configured', async () => {
    const { engine, warned } = await createTestService({
      ...{ catalog: catalogWith(offers), supplier: supplierThat({ name: 'stranger' }) },
    });
    for (let time = 0; time < 2; time += 1) await engine.dueWork.run();
    expect(warned).toEqual([
      "No supplier is configured for 1 of the active products in the catalogue, so they can't be ordered: ML86",
    ]);
  });

  it('closes a product only if neither supplier sells it', async () => {
    const closed = { isAvailable: false };
    const placed = await tried([item('D-86', closed)], [item('S-86', { price: 90_000 })]);
    expect(placed).toMatchObject({ success: false });
  });
});

it('rejects a catalogue that names a supplier twice', () => {
  const problemsOf = (suppliers: unknown) => {
    const catalog = catalogWith([]);
    const games = catalog.games.map((game) => ({
      ...game,
      products: game.products.map((product) => (product.id === 901 ? { ...product, suppliers } : product)),
    }));
    const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...catalog, games });
    return 'problems' in read
      ? read.problems.map(({ path, rule }) => `${path.replace(/^.*\.suppliers/, '')} ${rule}`)
      : [];
  };
  expect(problemsOf(offers)).toEqual([]);
  expect(problemsOf(null)).toEqual([]);
  expect(problemsOf([...offers, offers[0]])).toHaveLength(1);
  expect(problemsOf([])).toHaveLength(1);
  expect(problemsOf([{ supplier: 'Digi Flazz', code: 'x' }])).toHaveLength(1);
});

const passing: PurchaseResult = { ...rejected, reason: 'closed until noon', isTemporary: true };

describe('a temporary failure', () => {
  it('keeps the order in delivery after a temporary failure, gives the reason, and buys under another reference', async () => {
    const only = planned('depot', passing);
    const { orderId, unit, stateOf, pass, store } = await paidOrder(only.supplier, []);
    expect(await stateOf()).toBe('Proses');
    expect(only.bought.map(({ reference }) => reference)).toEqual([`${orderId}-1-1`, `${orderId}-1-2`]);
    expect(await unit()).toMatchObject({ state: 'waiting', attempt: 3, reason: 'closed until noon' });
    const history = await store.findHistory(orderId);
    const attempts = history.flatMap(({ attempts = [] }) => attempts);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    // Each was asked for at its own time.
    const [first, second] = attempts.map(({ askedAt }) => askedAt ?? expect.fail());
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(minute);

    only.plan.submit = delivered;
    await pass();
    expect(await stateOf()).toBe('Sukses');
    expect(only.bought.at(-1)?.reference).toBe(`${orderId}-1-3`);
  });

  it('tries again at least every ten minutes, and at most once a minute', async () => {
    const only = planned('depot', passing);
    const { pass } = await paidOrder(only.supplier, []);
    await pass(6 * 60);
    expect(only.bought.length).toBeGreaterThanOrEqual(7);
    expect(only.bought.length).toBeLessThan(20);
  });

  it('buys the unit from the next supplier immediately after a temporary failure', async () => {
    const first = planned('depot', passing);
    const second = planned('shelf', delivered);
    const { stateOf } = await paidOrder(first.supplier, [second.supplier]);
    expect([first.bought.length, second.bought.length, await stateOf()]).toEqual([1, 1, 'Sukses']);
  });

  it('buys the unit from the first supplier later, if the last supplier rejects it permanently', async () => {
    const first = planned('depot', passing);
    const second = planned('shelf', rejected);
    const { stateOf, pass } = await paidOrder(first.supplier, [second.supplier]);
    expect(await stateOf()).toBe('Proses');
    first.plan.submit = delivered;
    await pass();
    expect([second.bought.length, await stateOf()]).toEqual([1, 'Sukses']);
  });

  it('accepts a late temporary failure, and names it in the alert about stuck orders', async () => {
    const only = planned('depot', { state: 'pending' }, passing);
    const { stateOf, pass, store, clock, unit } = await paidOrder(only.supplier, []);
    await pass(6 * 20);
    while ((await unit()).state !== 'waiting') await pass(1);
    expect(await stateOf()).toBe('Proses');
    const alerts = await findAlerts(store, { now: clock.now, realNow: clock.now });
    expect(alerts).toMatchObject([{ kind: 'stuck-orders', reasons: ['closed until noon'] }]);
  });
});
