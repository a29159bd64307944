import fc from 'fast-check';
import { expect, it } from 'vitest';
import { proposeProducts, readCatalogFile } from '../src/features/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { oddRow } from './helpers/odd-lists.ts';
import { game, listed, listOf, product, rule, shopWith } from './helpers/priced-shop.ts';

const known = sandboxCatalog('en');
const margins = [{ scope: 'shop', key: '', rule: rule({ flat: 100 }) }] as const;
const of = (brand: string, code: string, name = code) =>
  listed(code, 1_000, { brand, name, category: 'Games' });

const propose = (
  products: ReturnType<typeof of>[],
  brands: string[] = [],
  catalog = null as Parameters<typeof proposeProducts>[0]['catalog'],
) => proposeProducts({ catalog, margins }, listOf(...products), { known, brands });

it('groups products by brand, with the fields and the template of known games', () => {
  const { catalog, added, unknownGames } = propose([
    of('MOBILE LEGENDS', 'ml86', 'MOBILELEGEND - 86 Diamond'),
    of('GENSHIN IMPACT', 'gi60'),
    of('MOBILE LEGENDS', 'ml172'),
  ]);
  expect([...added]).toEqual([
    ['mobile-legends', 2],
    ['genshin-impact', 1],
  ]);
  expect(unknownGames).toEqual([]);
  const [ml, gi] = catalog.games;
  expect(ml?.fields.map(({ name, label }) => [name, label])).toEqual([
    ['id', 'User ID'],
    ['server', 'Zone ID'],
  ]);
  expect(gi?.target).toBe('{id}|{server}');
  expect(
    ml?.products.map(({ code, supplier_code, title, selling_price }) => [
      code,
      supplier_code,
      title,
      selling_price,
    ]),
  ).toEqual([
    ['ml86', null, '86 Diamond', 1_100],
    ['ml172', null, 'ml172', 1_100],
  ]);
});

it('proposes a valid catalogue file, even for codes that a catalogue rejects', () => {
  const { catalog, unknownGames } = propose([
    of('SOME NEW GAME', 'A/1+'),
    of('SOME NEW GAME', 'a-1'),
    of('SOME NEW GAME', 'a 1'),
    of('!!', '*'),
  ]);
  expect(readCatalogFile({ format: 'topup-kit/catalog@1', ...catalog })).toHaveProperty('catalog');
  expect(unknownGames).toEqual(['some-new-game']);
  expect(catalog.games[0]).toMatchObject({
    title: 'Some New Game',
    fields: [{ name: 'id', required: true }],
  });
  expect(catalog.games[0]?.products.map(({ code, supplier_code }) => [code, supplier_code])).toEqual([
    ['a-1', 'A/1+'],
    ['a-1-2', 'a-1'],
    ['a-1-3', 'a 1'],
  ]);
});

it('leaves existing products unchanged, and adds new products to their game', async () => {
  const store = await shopWith(
    game('mobile-legends', [product('P1', { supplier_code: 'ml86', selling_price: 7 })]),
  );
  const catalog = await store.readCatalog();
  const proposal = propose([of('MOBILE LEGENDS', 'ml86'), of('MOBILE LEGENDS', 'ml172')], [], catalog);
  expect(proposal.catalog.games).toHaveLength(1);
  expect(
    proposal.catalog.games[0]?.products.map(({ id, code, selling_price }) => [id, code, selling_price]),
  ).toEqual([
    [1, 'P1', 7],
    [2, 'ml172', 1_100],
  ]);
  // What was given stays as it was.
  expect(catalog?.games[0]?.products).toHaveLength(1);
});

it('proposes only games, or the requested brands', () => {
  const list = [of('FREE FIRE', 'ff70'), { ...of('XL', 'xl10'), category: 'Pulsa' }, listed('x', 5)];
  expect([...propose(list).added.keys()]).toEqual(['free-fire']);
  expect([...propose(list, ['xl']).added.keys()]).toEqual(['xl']);
  expect(propose(list).leftOut).toBe(1);
  expect(() => propose(list, ['NOTHING'])).toThrow(/lists no products of the brand NOTHING/);
});

it('proposes nothing without a margin rule, because there is no price', () => {
  expect(() =>
    proposeProducts({ catalog: null, margins: [] }, listOf(of('FREE FIRE', 'ff70')), { known, brands: [] }),
  ).toThrow(/There is no margin rule for free-fire/);
});

it.each([
  ['a code with a space at its end', of('FREE FIRE', 'ff70 '), /supplier_code must be the code/],
  ['a name that is too long', of('FREE FIRE', 'ff70', 'x'.repeat(256)), /title must have at most 255/],
  ['a brand that is too long', of('a'.repeat(256), 'ff70'), /slug must have at most 255/],
  ['a price above the limit', { ...of('FREE FIRE', 'ff70'), price: 999_999_999 }, /selling_price Too big/],
  ['a price of 0', { ...of('FREE FIRE', 'ff70'), price: 0 }, /listed at 0/],
])('skips %s, gives the reason, and adds no game for it', (_, row, why) => {
  const { catalog, added, keptOut, unknownGames } = propose([row, of('SOME NEW GAME', 'sn1')]);
  expect(keptOut).toEqual([{ code: row.code, why: expect.stringMatching(why) }]);
  expect([[...added], unknownGames]).toEqual([[['some-new-game', 1]], ['some-new-game']]);
  expect(catalog.games.map(({ slug }) => slug)).toEqual(['some-new-game']);
});

it('skips a code with several listed prices, and accepts a code that is listed twice at the same price', () => {
  const twice = (price: number) => [of('FREE FIRE', 'ff70'), { ...of('FREE FIRE', 'ff70'), price }];
  expect(propose(twice(1)).keptOut).toEqual([{ code: 'ff70', why: 'listed at several prices' }]);
  const { keptOut, added } = propose(twice(1_000));
  expect([keptOut, [...added]]).toEqual([[], [['free-fire', 1]]]);
});

it('adds new products to a known game with another name in the catalogue', async () => {
  const store = await shopWith(game('mobile-legends', [], { title: 'ML', brand: 'ML' }));
  const title = known.games.find(({ slug }) => slug === 'mobile-legends')?.title ?? '';
  const proposal = propose([of(title, 'ml172')], [], await store.readCatalog());
  expect(proposal.catalog.games.map(({ slug }) => slug)).toEqual(['mobile-legends']);
});

it('writes an importable file for any list, in which each row is proposed, counted or named', async () => {
  const store = await shopWith(
    game('mobile-legends', [product('P1', { supplier_code: 'ml86' })], { title: 'ML', brand: 'Moonton' }),
  );
  const shop = await store.readCatalog();
  fc.assert(
    fc.property(
      fc.array(oddRow, { maxLength: 12 }),
      fc.constantFrom(null, shop),
      fc.constantFrom(rule({ flat: 100 }), rule({ percent: 999_900, rounding: 'end-900' })),
      (rows, catalog, marginRule) => {
        const proposal = proposeProducts(
          { catalog, margins: [{ scope: 'shop', key: '', rule: marginRule }] },
          listOf(...rows),
          { known, brands: [] },
        );
        const file = JSON.stringify({ format: 'topup-kit/catalog@1', ...proposal.catalog });
        expect(readCatalogFile(JSON.parse(file))).toHaveProperty('catalog');
        const sold = catalog ? ['ml86'] : [];
        const codes = new Set(rows.map(({ code }) => code).filter((code) => !sold.includes(code)));
        const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
        expect(codes.size).toBe(
          sum(proposal.added.values()) +
            sum(proposal.otherKinds.values()) +
            proposal.leftOut +
            proposal.keptOut.length,
        );
      },
    ),
  );
});
