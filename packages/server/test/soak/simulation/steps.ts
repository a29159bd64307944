import type { Catalog, CatalogGame, CatalogPaymentMethod, Promo } from '@topup-kit/core/store';
import fc from 'fast-check';
import { type Place, start, type Weather } from './shop.ts';

/** One thing that happens in a world. `order` and `which` pick one of those that there are; `dies` is the call at which the service is killed. */
export type Single =
  | { does: 'order'; account: number; key: number | null; body: Record<string, unknown>; dies: number | null }
  /** A client that got no response, or takes a key twice. */
  | { does: 'again'; which: number; change: 'nothing' | 'writing' | 'quantity' | 'account'; dies: number | null }
  | { does: 'read'; order: number; account: number; invoice: boolean; dies: number | null }
  | { does: 'promo'; body: Record<string, unknown> }
  | {
      does: 'pay';
      order: number;
      status: 'paid' | 'failed' | 'expired' | 'refunded';
      wrongBy: number;
      /** When it was paid: now, or so many milliseconds from the expiry if that is past. */
      at: 'now' | number;
      callback: 'sent' | 'twice' | 'lost';
      dies: number | null;
    }
  /** So many milliseconds, or to so many from a moment of an order. */
  | { does: 'advance'; to: 'expiry' | 'key' | 'later'; order: number; by: number }
  | { does: 'work'; dies: number | null }
  | ({ does: 'weather' } & Weather)
  | { does: 'operator'; command: 'refund' | 'retry' | 'mark' | 'settle' | 'return'; which: number }
  | { does: 'change'; what: 'price' | 'promo price' | 'product' | 'method' | 'game' | 'promo' | 'quota'; which: number; value: number };

/** What happens in a world: one thing, or two at once. */
export type Step = Single | { does: 'race'; both: [Single, Single] };

const codes = ['HEMAT', 'BARU'] as const;
/** Two numbers, one of them written in several ways. */
const phones = ['081234567890', '+62 812-3456-7890', '6281234567890', '081298765432'] as const;
const hours = 60 * 60_000;

const often = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

/** The usual value nearly always. */
const seldom = <Value>(usual: Value, other: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });

const price = fc.integer({ min: 5_001, max: 60_000 });

/** A discount, which may be more than the price. */
const amount = fc.integer({ min: 1, max: 30_000 });

const promo = (code: string): fc.Arbitrary<Promo> =>
  fc.record({
    code: fc.constant(code),
    discount: fc.oneof(
      fc.record({ type: fc.constant('PERCENT' as const), basis_points: fc.integer({ min: 1, max: 10_000 }), max_discount: fc.option(amount) }),
      fc.record({ type: fc.constant('FIXED' as const), value: amount, max_discount: fc.option(amount) }),
    ),
    status: seldom(true, false),
    starts_at: seldom(null, new Date(start + hours).toISOString()),
    ends_at: seldom(null, new Date(start + 2 * hours).toISOString()),
    quota: fc.constantFrom(null, 1, 1, 2, 3, 0),
    per_customer: often(null, 1, 2),
    minimum_purchase: seldom(0, 30_000),
    games: seldom([], ['sky']),
    products: seldom([], [2]),
    payment_methods: seldom([], [1]),
  });

const game = (id: number, slug: string, over: Partial<CatalogGame>): CatalogGame => ({
  ...{ id, slug, title: slug, developers: '', brand: '', category_id: 1, description: '', image: null, banner: null },
  ...{ status: true, hidden: false, populer: false, sort: 0, fields: [], target: null, products: [], ...over },
});

const method = (id: number, group: CatalogPaymentMethod['group'], over: Partial<CatalogPaymentMethod>): CatalogPaymentMethod => ({
  ...{ id, code: `M${id}`, name: `M${id}`, group, fee: 0, fee_basis_points: 0, minimum_fee: 0, image: null, status: true },
  ...{ minimum_amount: 0, maximum_amount: 10_000_000, ...over },
});

const catalog: fc.Arbitrary<Catalog> = fc
  .record({
    prices: fc.tuple(price, price, price),
    sale: fc.option(price),
    fee: fc.integer({ min: 0, max: 6_000 }),
    points: fc.integer({ min: 0, max: 500 }),
    leastFee: fc.constantFrom(0, 1_000),
    most: seldom(10_000_000, 40_000),
    /** Leaves room for few unique codes. */
    narrow: often(null, 0, 1, 2),
    promos: fc.tuple(promo(codes[0]), promo(codes[1])),
  })
  .map(({ prices: [first, second, third], sale, fee, points, leastFee, most, narrow, promos }): Catalog => {
    const product = (id: number, selling_price: number, promo_price: number | null = null) => ({
      ...{ id, code: `P${id}`, supplier_code: null, title: `P${id}`, category: null, selling_price, promo_price },
      ...{ is_promo: promo_price !== null, status: true, image: null },
    });
    return {
      categories: [{ id: 1, title: 'Games' }],
      games: [
        game(1, 'sea', { products: [product(1, first, sale), product(2, second)] }),
        game(2, 'sky', {
          fields: [{ name: 'id', label: 'ID', required: true }, { name: 'server', label: 'Server', required: true }],
          products: [product(3, third)],
        }),
      ],
      payment_methods: [
        method(1, 'QRIS', { maximum_amount: most }),
        method(2, 'Virtual Account', { fee, minimum_amount: 10_000 }),
        method(3, 'E-Wallet', { fee, fee_basis_points: points, minimum_fee: leastFee }),
        method(4, 'Bank Transfer', narrow === null ? {} : { minimum_amount: first + 1, maximum_amount: first + 1 + narrow }),
      ],
      promos,
    };
  });

const place: fc.Arbitrary<Place> = fc.record({
  gateway: fc.constantFrom('remote', 'local'),
  findBy: fc.constantFrom('reference', 'supplierId', 'none'),
  seed: fc.nat(),
});

/** Most steps are at the first order, so that they meet. */
const which = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const dies = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(15) });
const account = often(0, 1);

/** What may be wrong or unusual with an order's fields. */
const oddities: readonly Record<string, unknown>[] = [
  ...[{ id: ' ' }, { whatsapp: null }, { whatsapp: undefined, messenger_number: phones[3] }, { game: undefined }],
  ...[{ quantity: 0 }, { quantity: 101 }, { quantity: '2' }, { quantity: 100 }, { product_id: '1' }, { server: '' }],
  ...[{ game: 'none' }, { game: 'sky' }, { product_id: 9 }, { product_id: 3 }, { payment_method_id: 9 }],
  ...[{ payment_method_id: '1' }, { promo_code: '' }, { promo_code: 'NONE' }],
];

const plainBody = fc
  .record({
    target: often<Record<string, unknown>>(
      { game: 'sea', product_id: 1 },
      { game: 'sea', product_id: 2 },
      { game: 'sky', product_id: 3, server: '2012' },
    ),
    payment_method_id: fc.integer({ min: 1, max: 4 }),
    whatsapp: fc.constantFrom(...phones),
    promo_code: fc.constantFrom(undefined, codes[0], codes[0], codes[1]),
    quantity: fc.constantFrom(undefined, 1, 2, 3),
  })
  .map(({ target, ...rest }): Record<string, unknown> => ({ id: '12345678', ...target, ...rest }));

const body = fc.oneof(
  { weight: 4, arbitrary: plainBody },
  { weight: 1, arbitrary: fc.tuple(plainBody, fc.constantFrom(...oddities)).map(([plain, odd]) => ({ ...plain, ...odd })) },
);

const moment = fc.constantFrom<'now' | number>('now', 'now', -1, 0, 1);
const isKind = <Value>(value: Value): fc.Arbitrary<Value> => fc.constant(value);

const orderOf = (fields: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({ does: isKind('order' as const), account, key: fc.option(fc.nat(1)), body: fields, dies });
const order = orderOf(body);
const again = fc.record({
  ...{ does: isKind('again' as const), which, dies },
  change: fc.constantFrom('nothing' as const, 'nothing' as const, 'writing' as const, 'quantity' as const, 'account' as const),
});
const read = fc.record({ does: isKind('read' as const), order: which, account, invoice: fc.boolean(), dies });
const pay = fc.record({
  ...{ does: isKind('pay' as const), order: which, at: moment, dies },
  status: often<'paid' | 'failed' | 'expired' | 'refunded'>('paid', 'failed', 'expired', 'refunded'),
  wrongBy: often(0, -1, 1),
  callback: often<'sent' | 'twice' | 'lost'>('sent', 'twice', 'lost'),
});
const work = fc.record({ does: isKind('work' as const), dies });
const operator = fc.record({
  ...{ does: isKind('operator' as const), which },
  command: fc.constantFrom('refund' as const, 'retry' as const, 'mark' as const, 'settle' as const, 'return' as const),
});
const together = fc.oneof(order, again, read, pay, work, operator);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: order },
  { weight: 3, arbitrary: again },
  { weight: 3, arbitrary: read },
  {
    weight: 1,
    arbitrary: body.map((one): Step => ({
      does: 'promo',
      body: { ...one, game_slug: one.game, code: one.promo_code ?? codes[1], quantity: undefined },
    })),
  },
  { weight: 6, arbitrary: pay },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ does: isKind('advance' as const), to: fc.constantFrom('expiry' as const, 'expiry' as const, 'key' as const), order: which, by: fc.constantFrom(-1, 0, 1) }),
      fc.record({ does: isKind('advance' as const), to: isKind('later' as const), order: isKind(0), by: fc.constantFrom(500, 5_000, 70_000, 20 * 60_000, 3 * hours) }),
    ),
  },
  { weight: 5, arbitrary: work },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ does: isKind('weather' as const), look: fc.boolean() },
      create: fc.constantFrom('works' as const, 'works' as const, 'lost' as const, 'never' as const, 'rejected' as const),
      supply: fc.constantFrom('delivered' as const, 'failed' as const, 'partly' as const, 'pending' as const, 'lost' as const, 'silent' as const),
    }),
  },
  { weight: 3, arbitrary: operator },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ does: isKind('change' as const), which: fc.nat(1), value: fc.nat(3) },
      what: fc.constantFrom('price' as const, 'promo price' as const, 'product' as const, 'method' as const, 'game' as const, 'promo' as const, 'quota' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: isKind('race' as const), both: fc.tuple(together, together) }) },
);

/** A world: what stays the same in it, and what happens. */
export interface World {
  place: Place;
  catalog: Catalog;
  steps: Step[];
}

export const worlds: fc.Arbitrary<World> = fc
  .record({
    place,
    catalog,
    // Without an order little happens.
    first: orderOf(plainBody).map((one) => ({ ...one, dies: null })),
    others: fc.array(step, { maxLength: 15, size: 'max' }),
  })
  .map(({ first, others, ...rest }) => ({ ...rest, steps: [first, ...others] }));

const fields = (value: object): string =>
  Object.entries(value)
    .filter(([name, one]) => one !== null && one !== undefined && name !== 'does')
    .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : one}`)
    .join(', ');

/** A step in one line. */
export const describe = (one: Step): string =>
  one.does === 'race' ? `at once: ${one.both.map(describe).join(' | ')}` : `${one.does}: ${fields(one)}`;
