import { describe, expect, it } from 'vitest';
import { type CatalogFile, readCatalogFile } from '../src/engine/catalog/file.ts';

const product = (id: number) => ({ id, code: `P${id}`, title: 'x', selling_price: 1_000 });

const game = (id: number, products: ReturnType<typeof product>[]) => ({
  ...{ id, slug: `game-${id}`, title: 'x', developers: 'x', brand: 'x', category_id: 1, products },
  fields: [
    { name: 'id' as const, label: 'User ID' },
    { name: 'server' as const, label: 'Zone ID' },
  ],
});

const method = (id: number) => ({
  ...{ id, code: `M${id}`, name: 'x', group: 'QRIS' as const, minimum_amount: 1, maximum_amount: 9 },
});

const promo = (code: string) => ({ code, discount: { type: 'FIXED' as const, value: 500 } });

/** Two of everything. */
const validFile = () => ({
  format: 'topup-kit/catalog@1' as const,
  categories: [1, 2].map((id) => ({ id, title: 'x' })),
  games: [game(11, [product(901), product(902)]), game(12, [product(903)])],
  payment_methods: [method(21), method(22)],
  promos: [promo('TEN'), promo('TWENTY')],
});

/** What is read of the valid file with values at some paths, such as `games.1.id`. */
function read(changes: Record<string, unknown>) {
  const file: object = validFile();
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    Reflect.set(
      keys.reduce<object>((part, key) => Reflect.get(part, key), file),
      last,
      value,
    );
  }
  return readCatalogFile(file);
}

describe('a catalogue file', () => {
  it('adds the defaults in docs/catalog.md to a catalogue file', () => {
    const { fields: _fields, products: _products, ...bare } = game(11, []);
    const file: CatalogFile = { ...validFile(), games: [bare], promos: undefined };
    expect(readCatalogFile(file)).toMatchObject({
      catalog: {
        games: [
          {
            fields: [{ name: 'id', required: true }],
            products: [],
            status: true,
            hidden: false,
            target: null,
          },
        ],
        payment_methods: [{ fee: 0, fee_basis_points: 0, minimum_fee: 0, status: true }, {}],
        promos: [],
      },
    });
  });

  const later = '2026-03-01T00:00:00+08:00';
  const sooner = '2026-03-01T00:00:00+09:00';

  it.each<[string, Record<string, unknown>]>([
    ['a limit that is a single amount', { 'payment_methods.1.maximum_amount': 1 }],
    [
      'a promotion with its price',
      { 'games.0.products.1.promo_price': 900, 'games.0.products.1.is_promo': true },
    ],
    ['a promo without an end', { 'promos.1.starts_at': later }],
    ['a promo without a start', { 'promos.1.ends_at': sooner }],
    ['a promo that ends after it starts', { 'promos.1.starts_at': sooner, 'promos.1.ends_at': later }],
    [
      'a promo for the games and products of the file',
      { 'promos.1.games': ['game-12'], 'promos.1.products': [903], 'promos.1.payment_methods': [22] },
    ],
    [
      'a template without a server',
      { 'games.0.target': '{id}', 'games.0.fields': [{ name: 'id', label: 'ID' }] },
    ],
    ['two entries of each kind', {}],
  ])('accepts a catalogue file with %s', (_what, changes) => {
    expect(read(changes)).toHaveProperty('catalog');
  });

  it.each<[Record<string, unknown>, string]>([
    [{ 'categories.1.id': 1 }, 'categories[1].id: must be unique, but 1 is also at categories[0].id'],
    [{ 'games.1.id': 11 }, 'games[1].id: must be unique, but 11 is also at games[0].id'],
    [{ 'games.1.slug': 'game-11' }, 'games[1].slug: must be unique, but "game-11" is also at games[0].slug'],
    [
      { 'games.1.category_id': 3 },
      'games[1].category_id: must name a category of this file, but there is no 3',
    ],
    [
      { 'games.1.fields.1.name': 'id' },
      'games[1].fields[1].name: must be unique, but "id" is also at games[1].fields[0].name',
    ],
    [
      { 'games.1.fields.0.required': false },
      'games[1].fields: must have the required field "id": every order needs one',
    ],
    [
      { 'games.1.fields': [{ name: 'server', label: 'Zone ID' }] },
      'games[1].fields: must have the required field "id": every order needs one',
    ],
    [
      { 'games.1.products.0.id': 902 },
      'games[1].products[0].id: must be unique, but 902 is also at games[0].products[1].id',
    ],
    [
      { 'games.0.products.1.code': 'P901' },
      'games[0].products[1].code: must be unique, but "P901" is also at games[0].products[0].code',
    ],
    [
      { 'games.0.products.1.is_promo': true },
      'games[0].products[1].promo_price: must be set when is_promo is true',
    ],
    [
      { 'games.0.products.1.promo_until': '2026-12-01T00:00:00+07:00' },
      'games[0].products[1].promo_price: must be set when promo_from or promo_until is',
    ],
    [
      {
        'games.0.products.1.promo_price': 900,
        'games.0.products.1.promo_from': '2026-12-02T00:00:00+07:00',
        'games.0.products.1.promo_until': '2026-12-01T17:00:00Z',
      },
      'games[0].products[1].promo_until: must be later than promo_from',
    ],
    [
      { 'payment_methods.1.id': 21 },
      'payment_methods[1].id: must be unique, but 21 is also at payment_methods[0].id',
    ],
    [
      { 'payment_methods.1.code': 'M21' },
      'payment_methods[1].code: must be unique, but "M21" is also at payment_methods[0].code',
    ],
    [
      { 'payment_methods.1.maximum_amount': 0 },
      'payment_methods[1].maximum_amount: must not be below minimum_amount',
    ],
    [{ 'promos.1.code': 'Ten' }, 'promos[1].code: must be unique, but "TEN" is also at promos[0].code'],
    [
      { 'promos.1.games': ['game-11', 'game-13'] },
      'promos[1].games[1]: must name a game of this file, but there is no "game-13"',
    ],
    [
      { 'promos.1.products': [904] },
      'promos[1].products[0]: must name a product of this file, but there is no 904',
    ],
    [
      { 'promos.1.payment_methods': [23] },
      'promos[1].payment_methods[0]: must name a payment method of this file, but there is no 23',
    ],
    [
      { 'promos.1.starts_at': later, 'promos.1.ends_at': sooner },
      'promos[1].ends_at: must be later than starts_at',
    ],
    [
      { 'promos.1.starts_at': later, 'promos.1.ends_at': later },
      'promos[1].ends_at: must be later than starts_at',
    ],
    [{ 'games.1.colour': 'red' }, 'games[1]: Unrecognized key: "colour"'],
    [{ shop: 'x' }, ': Unrecognized key: "shop"'],
    ...(
      [
        ['games.1.title', 'games[1].title', 'x'],
        ['games.1.products.0.title', 'games[1].products[0].title', 'x'],
        ['games.1.slug', 'games[1].slug', 'x'],
        ['games.1.products.0.code', 'games[1].products[0].code', 'X'],
        ['payment_methods.1.name', 'payment_methods[1].name', 'x'],
        ['payment_methods.1.code', 'payment_methods[1].code', 'X'],
        ['promos.1.code', 'promos[1].code', 'X'],
      ] as const
    ).map(([at, path, letter]): [Record<string, unknown>, string] => [
      { [at]: letter.repeat(256) },
      `${path}: must have at most 255 characters`,
    ]),
    [{ 'games.1.title': ' ' }, 'games[1].title: must not be empty'],
    [
      { 'games.1.products.0.selling_price': -1 },
      'games[1].products[0].selling_price: Too small: expected number to be >=0',
    ],
  ])('rejects %j, which breaks one rule, and names the place', (changes, problem) => {
    const result = read(changes);
    expect('problems' in result && result.problems.map(({ path, rule }) => `${path}: ${rule}`)).toEqual([
      problem,
    ]);
  });

  it('reports every rule that a catalogue file breaks', () => {
    expect(read({ 'games.1.id': 11, 'promos.1.products': [904, 905] })).toMatchObject({
      problems: [
        { path: 'games[1].id' },
        { path: 'promos[1].products[0]' },
        { path: 'promos[1].products[1]' },
      ],
    });
  });
});
