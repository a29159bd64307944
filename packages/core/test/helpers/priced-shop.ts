import {
  type CatalogGame,
  type CatalogProduct,
  createMemoryStore,
  type MarginRule,
  type Store,
  type SupplierProduct,
} from '../../src/features/store.ts';

/** Real and world time of the shop. */
export const shopNow = Date.UTC(2026, 2, 29, 3);

export const product = (code: string, over: Partial<CatalogProduct> = {}): CatalogProduct => ({
  ...{ id: Number(code.slice(1)), code, supplier_code: null, title: `Title ${code}`, category: null },
  ...{ image: null, selling_price: 1_000, promo_price: null, is_promo: false, status: true },
  ...over,
});

export const game = (
  slug: string,
  products: CatalogProduct[],
  over: Partial<CatalogGame> = {},
): CatalogGame => ({
  ...{ id: slug.length, slug, title: slug, developers: 'x', brand: slug, category_id: 1, description: '' },
  ...{ image: null, banner: null, status: true, hidden: false, populer: false, sort: 0, target: null },
  ...{ fields: [{ name: 'id', label: 'User ID', required: true }], products },
  ...over,
});

export const listed = (
  code: string,
  price: number,
  over: Partial<SupplierProduct> = {},
): SupplierProduct => ({
  ...{ code, price, isAvailable: true, stock: null, isOncePerDay: false, pause: null },
  ...over,
});

export const listOf = (...products: SupplierProduct[]) => ({ supplier: 'depot', readAt: shopNow, products });

export const rule = (over: Partial<MarginRule>): MarginRule => ({
  ...{ percent: 0, flat: 0, minimum: 0, floor: 0, rounding: null },
  ...over,
});

export async function shopWith(...games: CatalogGame[]): Promise<Store> {
  const store = createMemoryStore();
  await store.replaceCatalog({ categories: [{ id: 1, title: 'x' }], games, payment_methods: [], promos: [] });
  return store;
}

/** The selling price of each product, by its code. */
export async function pricesOf(store: Store): Promise<Record<string, number>> {
  const games = (await store.readCatalog())?.games ?? [];
  return Object.fromEntries(
    games.flatMap(({ products }) => products.map(({ code, selling_price }) => [code, selling_price])),
  );
}

/** What an edit needs, as the operator Rina makes it. */
export const byRina = (store: Store) => ({ store, realClock: () => shopNow, operator: 'rina' });
