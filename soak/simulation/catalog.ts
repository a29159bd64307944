import type { Catalog, CatalogGame, CatalogPaymentMethod, Promo } from '@topup-kit/core/store';
import fc from 'fast-check';
import type { Place } from './providers.ts';
import { start } from './shop.ts';

export const codes = ['HEMAT', 'BARU'] as const;
/** Two phone numbers, one of them in several notations. */
export const phones = ['081234567890', '+62 812-3456-7890', '6281234567890', '081298765432'] as const;
export const hours = 60 * 60_000;
/** Times when a promo with a beginning or an end begins and ends, in milliseconds from the start. */
export const promoStart = hours;
export const promoEnd = 2 * hours;

export const often = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

/** Generates the usual value nearly always. */
const seldom = <Value>(usual: Value, other: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });

const price = fc.integer({ min: 5_001, max: 60_000 });

/** Discount, which may exceed the price. */
const amount = fc.integer({ min: 1, max: 30_000 });

const promo = (code: string): fc.Arbitrary<Promo> =>
  fc.record({
    code: fc.constant(code),
    discount: fc.oneof(
      fc.record({
        type: fc.constant('PERCENT' as const),
        basis_points: fc.integer({ min: 1, max: 10_000 }),
        max_discount: fc.option(amount),
      }),
      fc.record({ type: fc.constant('FIXED' as const), value: amount, max_discount: fc.option(amount) }),
    ),
    status: seldom(true, false),
    starts_at: seldom(null, new Date(start + promoStart).toISOString()),
    ends_at: often(null, new Date(start + promoEnd).toISOString()),
    quota: fc.constantFrom(null, 1, 1, 2, 3, 0),
    per_customer: fc.constantFrom(null, null, 1, 2),
    minimum_purchase: seldom(0, 30_000),
    games: seldom([], ['sky']),
    products: seldom([], [2]),
    payment_methods: seldom([], [1]),
  });

const game = (id: number, slug: string, over: Partial<CatalogGame>): CatalogGame => ({
  id,
  slug,
  title: slug,
  developers: '',
  brand: '',
  category_id: 1,
  description: '',
  image: null,
  banner: null,
  status: true,
  hidden: false,
  populer: false,
  sort: 0,
  fields: [],
  target: null,
  products: [],
  ...over,
});

const method = (
  id: number,
  group: CatalogPaymentMethod['group'],
  over: Partial<CatalogPaymentMethod>,
): CatalogPaymentMethod => ({
  id,
  code: `M${id}`,
  name: `M${id}`,
  group,
  fee: 0,
  fee_basis_points: 0,
  minimum_fee: 0,
  image: null,
  status: true,
  minimum_amount: 0,
  maximum_amount: 10_000_000,
  ...over,
});

export const catalog: fc.Arbitrary<Catalog> = fc
  .record({
    prices: fc.tuple(price, price, price),
    sale: fc.option(price),
    fee: fc.integer({ min: 0, max: 6_000 }),
    points: fc.integer({ min: 0, max: 500 }),
    leastFee: fc.constantFrom(0, 1_000),
    most: seldom(10_000_000, 40_000),
    /** Leaves room for only a few unique codes. */
    narrow: fc.constantFrom(null, 0, 1),
    promos: fc.tuple(promo(codes[0]), promo(codes[1])),
  })
  .map(({ prices: [first, second, third], sale, fee, points, leastFee, most, narrow, promos }): Catalog => {
    const product = (id: number, selling_price: number, promo_price: number | null = null) => ({
      id,
      code: `P${id}`,
      supplier_code: null,
      title: `P${id}`,
      category: null,
      selling_price,
      promo_price,
      is_promo: promo_price !== null,
      status: true,
      image: null,
    });
    return {
      categories: [{ id: 1, title: 'Games' }],
      games: [
        game(1, 'sea', { products: [product(1, first, sale), product(2, second)] }),
        game(2, 'sky', {
          fields: [
            { name: 'id', label: 'ID', required: true },
            { name: 'server', label: 'Server', required: true },
          ],
          products: [product(3, third)],
        }),
      ],
      payment_methods: [
        method(1, 'QRIS', { maximum_amount: most }),
        method(2, 'Virtual Account', { fee, minimum_amount: 10_000 }),
        method(3, 'E-Wallet', { fee, fee_basis_points: points, minimum_fee: leastFee }),
        method(
          4,
          'Bank Transfer',
          narrow === null
            ? {}
            : { minimum_amount: (sale ?? first) + 1, maximum_amount: (sale ?? first) + 1 + narrow },
        ),
      ],
      promos,
    };
  });

export const place: fc.Arbitrary<Place> = fc.record({
  gateway: fc.constantFrom('remote', 'local'),
  findBy: fc.constantFrom('reference', 'supplierId', 'none'),
  seed: fc.nat(),
});
