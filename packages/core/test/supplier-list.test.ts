import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  another,
  change,
  delivered,
  expired,
  paid,
  place,
  unit,
  unpaid,
} from '../../suites/src/store/fixtures.ts';
import { createCatalogReader } from '../src/engine/catalog/view.ts';
import { checkSupplierLimits } from '../src/engine/orders/supplier-limits.ts';
import { keepSupplierLists } from '../src/features/catalog/supplier-products.ts';
import {
  type Catalog,
  type CatalogGame,
  type CatalogProduct,
  createMemoryStore,
  type OrderState,
  type StoredUnit,
} from '../src/features/store.ts';
import type { PaymentGateway } from '../src/gateway/index.ts';
import type { SupplierProduct } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';

const product = (code: string, over: Partial<CatalogProduct> = {}): CatalogProduct => ({
  ...{ id: 901, code, supplier_code: null, title: 'x', category: null, image: null },
  ...{ selling_price: 1_000, promo_price: null, is_promo: false, status: true },
  ...over,
});

const game = (products: CatalogProduct[], over: Partial<CatalogGame> = {}): CatalogGame => ({
  ...{ id: 1, slug: 'x', title: 'x', developers: 'x', brand: 'x', category_id: 1, description: '' },
  ...{ image: null, banner: null, status: true, hidden: false, populer: false, sort: 0, target: null },
  ...{ fields: [{ name: 'id', label: 'x', required: true }], products },
  ...over,
});

const listed = (code: string, over: Partial<SupplierProduct> = {}): SupplierProduct => ({
  ...{ code, isAvailable: true, stock: null, isOncePerDay: false, pause: null },
  ...over,
});

const gateway: PaymentGateway = {
  ...{ kind: 'local', name: 'simulated', sandbox: true },
  createPayment: () => ({ reference: 'R', url: 'https://gateway.example/pay' }),
};

/** The products of a supplier that lists what the test chooses, and what is reported of them. */
async function productsOf(catalog: Catalog | null, list: SupplierProduct[], now = 0) {
  const store = createMemoryStore();
  if (catalog) await store.replaceCatalog(catalog);
  const warned: string[] = [];
  const calls: unknown[] = [];
  const errors: string[] = [];
  const changes: unknown[] = [];
  const clock = { now };
  const worldClock = () => clock.now;
  const supplier = { list: async (): Promise<SupplierProduct[]> => list };
  const deps = {
    ...{ store, gateway, supplier: supplierThat({ readProducts: () => supplier.list() }) },
    ...{ worldClock, realClock: worldClock, serverId: 'server' },
  };
  const read = createCatalogReader(deps);
  let names: string[] = [];
  let tasks: Promise<unknown>[] = [];
  const work = keepSupplierLists(store)({
    ...{ ...deps, catalog: read },
    start: () => async (name, task) => {
      names.push(name);
      tasks.push(task());
    },
    emit(event) {
      if (event.type === 'error') errors.push(`${event.about}: ${String(event.error)}`);
      else if (event.type === 'warning') warned.push(event.warning);
      else if (event.type === 'products')
        changes.push([event.changes.because, event.changes.closed, event.changes.reopened]);
      else if (event.type === 'call')
        calls.push([event.call, event.error === undefined ? 'works' : String(event.error)]);
    },
  });
  /** What a running server does, and what it starts. */
  async function look(): Promise<string[]> {
    names = [];
    tasks = [];
    await work['look at the products']?.();
    await Promise.all(tasks);
    return names;
  }
  return {
    ...{ store, supplier, warned, calls, errors, changes, look, clock, worldClock },
    catalog: read,
    /** Asks the supplier, and waits until it may be asked again. */
    async read(): Promise<string[]> {
      const names = await look();
      clock.now += 600_000;
      return names;
    },
  };
}

const catalogOf = (games: CatalogGame[]): Catalog => ({
  categories: [],
  games,
  payment_methods: [],
  promos: [],
});
const works = ['products', 'works'];
const none = ['products', 'Error: It lists none of the active products in the catalogue.'];

describe("the differences between a supplier's list and the catalogue", () => {
  const closed = product('CLOSED', { status: false });
  it.each<[string, Catalog | null, unknown, number]>([
    ['no catalogue', null, works, 0],
    ['no product', catalogOf([game([])]), works, 0],
    [
      'a complete list',
      catalogOf([
        game([product('A'), closed]),
        game([product('X')], { status: false }),
        game([product('Y')], { hidden: true }),
      ]),
      works,
      0,
    ],
    [
      'products with other codes at the supplier',
      catalogOf([game([product('OURS', { supplier_code: 'A' })])]),
      works,
      0,
    ],
    [
      'a list with some of the products',
      catalogOf([game([product('A'), product('B'), product('C')])]),
      works,
      2,
    ],
    ['a list with none of the products', catalogOf([game([product('B')])]), none, 1],
  ])('reports the difference for %s', async (_what, catalog, call, unlisted) => {
    const { read, warned, calls, errors } = await productsOf(catalog, [listed('A')]);
    expect(await read()).toEqual(['products of the supplier']);
    expect(calls).toEqual([call]);
    expect(errors).toEqual([]);
    const start = `The supplier does not list ${unlisted} of the active products in the catalogue, so they can't be ordered: `;
    expect(warned).toEqual(unlisted === 0 ? [] : [expect.stringContaining(start)]);
  });

  it('reports the difference from a list once, and again when it changes', async () => {
    const { read, warned, supplier } = await productsOf(catalogOf([game([product('A'), product('B')])]), []);
    for (const codes of [[], ['A'], ['A'], ['A', 'B'], ['A'], ['B']]) {
      supplier.list = async () => codes.map((code) => listed(code));
      await read();
    }
    expect(warned.map((text) => text.split(': ')[1])).toEqual(['A, B', 'B', 'B', 'A']);
  });

  it.each([
    ['A'.repeat(300), 'A'.repeat(300)],
    ['A'.repeat(301), `${'A'.repeat(300)}…`],
  ])('cuts the report off after 300 characters', async (code, shown) => {
    const { read, warned } = await productsOf(catalogOf([game([product(code)])]), [listed('A')]);
    await read();
    expect(warned[0]?.split(': ')[1]).toBe(shown);
  });

  it('keeps the difference unknown without a response within a minute, and reports the second failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { read, calls, errors, supplier } = await productsOf(null, []);
    supplier.list = () => new Promise(() => {});
    for (let count = 0; count < 2; count += 1) {
      const reading = read();
      await vi.advanceTimersByTimeAsync(60_000);
      await reading;
    }
    const late = 'Error: the supplier did not respond in time';
    expect(errors).toEqual([`products of the supplier: ${late}`]);
    expect(calls).toEqual([['products', late]]);
  });
});

describe('products that a list closes and reopens', () => {
  const codes = ['A', 'B', 'C', 'D'];
  const sold = catalogOf([
    game([...codes.map((code) => product(code)), product('OFF', { status: false })]),
    game([product('X')], { status: false }),
    game([product('Y')], { hidden: true }),
  ]);
  const all = (over: Record<string, Partial<SupplierProduct>> = {}): SupplierProduct[] =>
    [...codes, 'OFF', 'X', 'Y'].map((code) => listed(code, { price: 900, ...over[code] }));
  const none = { isAvailable: false };

  it.each<[string, SupplierProduct[], SupplierProduct[], unknown[]]>([
    ['nothing', all(), all({ A: { price: 1_000 }, B: { stock: 1 } }), []],
    ['a product that is not sold', all(), all({ OFF: none, X: none, Y: { price: 1_001 } }), []],
    [
      'a product closed by its status and stock',
      all(),
      all({ A: none, C: { stock: 0 } }),
      [['supplier', ['A', 'C'], []]],
    ],
    ['again', all({ A: none, C: { stock: 0 } }), all(), [['supplier', [], ['A', 'C']]]],
    [
      'closed and reopened products in one line',
      all({ A: none }),
      all({ B: none }),
      [['supplier', ['B'], ['A']]],
    ],
    ['a product that is listed again', all().slice(1), all(), [['supplier', [], ['A']]]],
    [
      'a product closed by its cost',
      all({ B: { price: 1_001 } }),
      all({ A: { price: 23_000 } }),
      [['cost', ['A (cost 23,000, price 1,000)'], ['B']]],
    ],
    [
      'a product closed by its cost when it is listed again',
      all({ A: none }),
      all({ A: { price: 1_001 } }),
      [['cost', ['A (cost 1,001, price 1,000)'], []]],
    ],
    [
      'a product closed by its status that cost too much',
      all({ A: { price: 1_001 } }),
      all({ A: { ...none, price: 1_001 } }),
      [['supplier', ['A'], []]],
    ],
    [
      'no product that is closed only by cut-off hours',
      all(),
      all({ A: { pause: { from: 0, until: 9e15 } } }),
      [],
    ],
  ])('reports once which products a list closes or reopens: %s', async (_what, before, after, expected) => {
    const { supplier, read, changes } = await productsOf(sold, before);
    await read();
    changes.length = 0;
    supplier.list = async () => after;
    await read();
    expect(changes).toEqual(expected);
    await read();
    expect(changes).toEqual(expected);
  });

  it('reports products that the first list closes, because every product was for sale before it', async () => {
    const { read, changes } = await productsOf(sold, all({ A: none, B: { price: 1_001 } }));
    await read();
    expect(changes).toEqual([
      ['cost', ['B (cost 1,001, price 1,000)'], []],
      ['supplier', ['A'], []],
    ]);
  });

  it('reports no products that are closed in the list that a server finds at its start', async () => {
    const { store, look, changes, clock } = await productsOf(sold, []);
    const products = all({ A: none, B: { price: 1_001 } });
    await store.saveSupplierList({ supplier: 'test', readAt: clock.now, products });
    expect(await look()).toEqual([]);
    expect(changes).toEqual([]);
  });

  it("reports products that another server's list or a change of the catalogue closes", async () => {
    const { store, read, look, changes, clock } = await productsOf(sold, all());
    await read();
    const products = all({ A: none });
    await store.saveSupplierList({ supplier: 'test', readAt: clock.now, products });
    await look();
    expect(changes).toEqual([['supplier', ['A'], []]]);
    const cheaper = catalogOf([game([product('A'), product('B', { selling_price: 899 })])]);
    await store.replaceCatalog(cheaper);
    await look();
    expect(changes.slice(1)).toEqual([['cost', ['B (cost 900, price 899)'], []]]);
  });
});

describe('a product that is sold once per target and day', () => {
  // Midnight in Jakarta.
  const today = Date.UTC(2026, 2, 27, 17);
  const now = today + 3_600_000;
  const done = (askedAt: number | null) => unit(1, { state: 'delivered', nextAt: null, askedAt });
  const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
  const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

  it.each<[string, OrderState, StoredUnit[], boolean]>([
    ['may still be paid', unpaid, [], true],
    ['is in delivery', paid, [unit(1)], true],
    ['was delivered today', delivered, [done(today)], true],
    ['was delivered yesterday', delivered, [done(today - 1)], false],
    ['was delivered in part today', delivered, [done(today - 1), { ...done(today), unit: 2 }], true],
    ['an operator marked as delivered', delivered, [done(null)], false],
    ['failed', gagal, [unit(1, { state: 'failed', nextAt: null })], false],
    ['expired', expired, [], false],
    ['was refunded', refunded, [], false],
  ])('rejects another order while an order %s: %j', async (_what, to, units, isSold) => {
    const store = createMemoryStore();
    const worldClock = () => now;
    await store.placeOrder(place(another('A', { createdAt: today - 1 })));
    if (to !== unpaid) await store.changeOrder(change({ to, units }));
    const { id, server } = another('A').target;
    const checking = checkSupplierLimits(
      { store, worldClock },
      { product: product('ML86'), listed: listed('ML86', { isOncePerDay: true }) },
      { id, ...(server !== null && { server }), quantity: 1 },
    );
    await expect(checking.catch((error) => error.fields)).resolves.toEqual(
      isSold ? { id: [{ rule: 'oncePerDay' }] } : undefined,
    );
  });
});
