import { describe, expect, it } from 'vitest';
import { readCatalogFile } from '../src/engine/catalog/file.ts';
import type { CatalogPaymentMethod, Promo } from '../src/features/store.ts';
import { sandboxCatalog, sandboxCatalogFile } from '../src/sandbox/index.ts';

const catalog = sandboxCatalog();
const products = catalog.games.flatMap((game) => game.products);

const promo = (code: string) => catalog.promos.find((candidate) => candidate.code === code);

const unrestricted: Omit<Promo, 'code' | 'discount'> = {
  status: true,
  starts_at: null,
  ends_at: null,
  quota: null,
  per_customer: null,
  minimum_purchase: 0,
  games: [],
  products: [],
  payment_methods: [],
};

describe('the catalogue file', () => {
  it('contains a valid catalogue', () => {
    expect(readCatalogFile(sandboxCatalogFile)).not.toHaveProperty('problems');
  });

  it('returns a new catalogue on each call', () => {
    expect(sandboxCatalog()).toEqual(catalog);
    const { games, promos } = sandboxCatalog();
    expect(promos).not.toBe(catalog.promos);
    expect(games[0]?.fields).toEqual(catalog.games[0]?.fields);
    expect(games[0]?.fields).not.toBe(catalog.games[0]?.fields);
  });

  it('has each text in Indonesian and in English, without any other difference', () => {
    const english = sandboxCatalog('en');
    const withoutTexts = ({ games, categories, ...rest }: typeof catalog) => ({
      ...rest,
      categories: categories.map(({ id }) => id),
      games: games.map(({ description: _description, products, ...game }) => ({
        ...game,
        products: products.map(({ title: _title, category, ...product }) => ({
          ...product,
          category: category?.id,
        })),
      })),
    });
    expect(withoutTexts(english)).toEqual(withoutTexts(catalog));
    const descriptions = new Map(english.games.map(({ slug, description }) => [slug, description]));
    for (const { slug, description } of catalog.games) {
      expect(description, slug).not.toBe(descriptions.get(slug));
      expect(description, slug).toMatch(/ (dan|dengan|untuk) /);
      expect(descriptions.get(slug), slug).toMatch(/ (and|with|for) /);
    }
    const titleOf = (one: typeof catalog, id: number) =>
      one.games.flatMap(({ products }) => products).find((product) => product.id === id)?.title;
    expect([titleOf(catalog, 2201), titleOf(english, 2201)]).toEqual([
      'Wallet Code Rp 12.000',
      'Wallet Code Rp 12,000',
    ]);
  });

  it('contains no pictures by default', () => {
    const pictures = [
      ...catalog.games.flatMap((game) => [game.image, game.banner]),
      ...products.map((product) => product.image),
      ...catalog.payment_methods.map((method) => method.image),
    ];
    expect(new Set(pictures)).toEqual(new Set([null]));
  });

  it('gives each product category one title', () => {
    const pairs = products.flatMap(({ category }) => (category ? [`${category.id} ${category.title}`] : []));
    const ids = products.flatMap(({ category }) => (category ? [category.id] : []));
    expect(new Set(pairs).size).toBe(new Set(ids).size);
  });
});

describe('games and products', () => {
  it('contains enough games for a shop', () => {
    expect(catalog.games.length).toBeGreaterThanOrEqual(12);
    for (const game of catalog.games) expect(game.products.length, game.slug).toBeGreaterThanOrEqual(5);
    expect(catalog.games.filter((game) => game.populer).length).toBeGreaterThanOrEqual(8);
  });

  it('contains the game of the example order: 86 Diamond of Mobile Legends', () => {
    const game = catalog.games.find(({ slug }) => slug === 'mobile-legends');
    expect(game).toMatchObject({ id: 11, category_id: 1, status: true, hidden: false, populer: true });
    expect(catalog.categories).toContainEqual({ id: 1, title: 'MOBA' });
    expect(game?.products.find(({ id }) => id === 901)).toMatchObject({
      code: 'ML86',
      title: '86 Diamond',
      selling_price: 22_000,
      promo_price: null,
      is_promo: false,
      status: true,
    });
  });

  it('requires a server if the game has several servers', () => {
    const server = (slug: string) =>
      catalog.games.find((game) => game.slug === slug)?.fields.find((field) => field.name === 'server');
    expect(server('mobile-legends')).toMatchObject({ name: 'server', label: 'Zone ID', required: true });
    expect(server('genshin-impact')?.options).toEqual(['America', 'Europe', 'Asia', 'TW, HK, MO']);
    expect(server('free-fire')).toBeUndefined();
  });

  it('contains one closed game, one hidden game, closed products and products on promotion', () => {
    expect(catalog.games.filter((game) => !game.status)).toHaveLength(1);
    expect(catalog.games.filter((game) => game.hidden)).toHaveLength(1);
    expect(products.filter((product) => !product.status)).toHaveLength(2);
    expect(products.filter((product) => product.is_promo).length).toBeGreaterThan(5);
  });

  it('contains no promo price above the price', () => {
    for (const { code, promo_price, selling_price } of products)
      expect(promo_price ?? 0, code).toBeLessThan(selling_price);
  });
});

describe('payment methods', () => {
  type Figures = Partial<Omit<CatalogPaymentMethod, 'id' | 'code' | 'group'>>;
  const method = (
    id: number,
    code: string,
    group: CatalogPaymentMethod['group'],
    minimum_amount: number,
    maximum_amount: number,
    figures: Figures = {},
  ) => ({
    ...{ id, code, group, minimum_amount, maximum_amount },
    ...{ fee: 0, fee_basis_points: 0, minimum_fee: 0, status: true, image: null, name: expect.any(String) },
    ...figures,
  });

  it('contains the payment methods of the published table, and a closed method', () => {
    const wallet = { fee_basis_points: 300, minimum_fee: 1000 };
    expect(catalog.payment_methods).toEqual([
      method(12, 'QRIS', 'QRIS', 1000, 5_000_000),
      method(13, 'BRIVA', 'Virtual Account', 10_000, 10_000_000, { fee: 4250 }),
      method(14, 'BCAVA', 'Virtual Account', 10_000, 10_000_000, { fee: 5500 }),
      method(15, 'BNIVA', 'Virtual Account', 10_000, 10_000_000, { fee: 4250 }),
      method(16, 'MANDIRIVA', 'Virtual Account', 10_000, 10_000_000, { fee: 4250 }),
      method(17, 'ALFAMART', 'Retail', 10_000, 2_500_000, { fee: 3500 }),
      method(18, 'INDOMARET', 'Retail', 10_000, 2_500_000, { fee: 3500 }),
      method(19, 'DANA', 'E-Wallet', 1000, 10_000_000, wallet),
      method(20, 'SHOPEEPAY', 'E-Wallet', 1000, 10_000_000, wallet),
      method(21, 'BANK_TRANSFER', 'Bank Transfer', 10_000, 50_000_000),
      method(22, 'QRIS2', 'QRIS', 1000, 5_000_000, { fee: 750, fee_basis_points: 70 }),
      method(23, 'LINKAJA', 'E-Wallet', 1000, 10_000_000, { ...wallet, status: false }),
    ]);
  });
});

describe('a bank transfer', () => {
  it('names its bank, because customers see nothing else with the account number', () => {
    const transfers = catalog.payment_methods.filter(({ group }) => group === 'Bank Transfer');
    expect(transfers.map(({ name }) => name)).toEqual(['BCA Bank Transfer']);
  });
});

describe('promos', () => {
  it('contains RAMADAN10: 10 % for everything, at most 2,000 per unit', () => {
    expect(promo('RAMADAN10')).toEqual({
      code: 'RAMADAN10',
      discount: { type: 'PERCENT', basis_points: 1000, max_discount: 2000 },
      ...unrestricted,
    });
  });

  it('contains HEMAT5K: 5,000 off from 50,000', () => {
    expect(promo('HEMAT5K')).toEqual({
      code: 'HEMAT5K',
      discount: { type: 'FIXED', value: 5000, max_discount: null },
      ...unrestricted,
      minimum_purchase: 50_000,
    });
  });

  it.each<[string, Partial<Promo>]>([
    ['GENSHIN15', { games: ['genshin-impact'] }],
    ['WEEKLY3K', { products: [912] }],
    ['EWALLET5', { payment_methods: [19, 20] }],
    ['ONCE20', { per_customer: 1 }],
    ['FIRST100', { quota: 100 }],
    ['SOLDOUT10', { quota: 0 }],
    ['PAUSED10', { status: false }],
  ])('restricts %s in one way', (code, restriction) => {
    expect(promo(code)).toMatchObject({ ...unrestricted, ...restriction });
  });

  it('contains one ended promo and one future promo', () => {
    const year2026 = Date.parse('2026-01-01T00:00:00+07:00');
    expect(Date.parse(promo('EXPIRED10')?.ends_at ?? '')).toBeLessThan(year2026);
    expect(promo('FUTURE10')).toMatchObject({ ...unrestricted, starts_at: '2099-01-01T00:00:00+07:00' });
  });
});
