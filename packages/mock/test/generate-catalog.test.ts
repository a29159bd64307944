import { readFile } from 'node:fs/promises';
import { faker } from '@faker-js/faker/locale/id_ID';
import { readCatalogFile } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createTopupMock } from '@topup-kit/mock';
import { type GeneratedCatalog, generateCatalog } from '@topup-kit/mock/catalog';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';

/** The only item of a list that matches. */
function the<Item>(items: Item[], is: (item: Item) => boolean): Item {
  const [item, ...others] = items.filter(is);
  if (item === undefined || others.length > 0) throw new Error('not exactly one');
  return item;
}

const gameOf = ({ games }: GeneratedCatalog, id: number) => the(games, (game) => game.id === id);

it.each([
  { games: 1, products: 1 },
  { games: 10, locale: 'en' as const },
  { games: 60, products: 50 },
])('reads $games games as a catalogue file, and keeps them unchanged', { timeout: 30_000 }, (options) => {
  const { format, ...catalog } = generateCatalog(options);

  expect(format).toBe('topup-kit/catalog@1');
  expect(catalog.games).toHaveLength(options.games);
  expect(readCatalogFile({ format, ...catalog })).toEqual({ catalog });
});

it('matches the JSON Schema of catalogue files', async () => {
  const schema = await readFile(new URL('../../../docs/catalog.schema.json', import.meta.url), 'utf8');
  const ajv = new Ajv.default({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(schema));

  validate(generateCatalog({ games: 100 }));

  expect(validate.errors).toBeNull();
});

it('returns the same catalogue for the same seed, and another catalogue for another seed', () => {
  expect(generateCatalog({ seed: 5 })).toEqual(generateCatalog({ seed: 5 }));
  expect(gameOf(generateCatalog({ seed: 6 }), 7).title).not.toBe(
    gameOf(generateCatalog({ seed: 5 }), 7).title,
  );
});

it('distinguishes seeds above 32 bits', () => {
  expect(generateCatalog({ seed: 2 ** 32 + 5 })).not.toEqual(generateCatalog({ seed: 5 }));
});

it('generates the same game for any number of games', () => {
  const few = generateCatalog({ games: 10 });
  const many = generateCatalog({ games: 3_000 });

  expect(many.games.slice(0, 10)).toEqual(few.games);
  expect(many.promos).toEqual(few.promos);
});

it('generates the same product for any number of products', () => {
  const few = gameOf(generateCatalog({ products: 3 }), 7);
  const many = gameOf(generateCatalog({ products: 50 }), 7);

  expect(many).toEqual({ ...few, products: many.products });
  for (const { products } of [many, gameOf(generateCatalog(), 7)])
    expect(products.slice(0, 3)).toEqual(few.products);
});

it('generates the same games and prices in both languages, with their own texts', () => {
  const id = generateCatalog({ locale: 'id' });
  const en = generateCatalog({ locale: 'en' });
  const facts = ({ games }: GeneratedCatalog) => games.map(({ description, developers, ...game }) => game);

  expect(facts(en)).toEqual(facts(id));
  expect(gameOf(id, 1).description).toContain(' adalah ');
  expect(gameOf(en, 1).description).toContain(' is ');
});

it('generates prices in whole hundreds of rupiah, and a promo price below the usual price', () => {
  for (const { selling_price, promo_price, is_promo } of generateCatalog({ games: 300 }).games.flatMap(
    ({ products }) => products,
  )) {
    expect(selling_price % 100).toBe(0);
    expect(selling_price).toBeGreaterThan(1_000);
    expect(promo_price !== null).toBe(is_promo);
    expect(promo_price ?? 0).toBeLessThan(selling_price);
  }
});

it("opens the first game and every game's first product for orders", () => {
  const { games } = generateCatalog({ games: 500 });

  expect(games[0]?.status).toBe(true);
  expect(games.map(({ products }) => products[0]?.status)).toEqual(games.map(() => true));
});

it('generates a few popular games and a few closed games', () => {
  const { games } = generateCatalog({ games: 1_000 });

  for (const some of [games.filter(({ populer }) => populer), games.filter(({ status }) => !status)]) {
    expect(some.length).toBeGreaterThan(3);
    expect(some.length).toBeLessThan(100);
  }
});

it('generates a catalogue that works in a mock', async () => {
  const catalog = generateCatalog({ games: 100, products: 2, seed: 9 });
  const { baseUrl, apiKey, fetch } = createTopupMock({ catalog });
  const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
  const { slug, fields, products } = gameOf(catalog, 1);
  const { id, selling_price, promo_price } = the(products, ({ code }) => code.endsWith('-1'));
  const [promo] = catalog.promos;

  const response = await fetch(`${baseUrl}/order`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      game: slug,
      product_id: id,
      payment_method_id: 12,
      id: '12345678',
      server: fields.find(({ name }) => name === 'server')?.options?.[0] ?? '2012',
      whatsapp: '081234567890',
      promo_code: promo?.code,
    }),
  });

  expect(await response.json()).toMatchObject({
    success: true,
    data: { pricing: { unit_price_before_promo: promo_price ?? selling_price, promo_code: promo?.code } },
  });
});

it("contains the sandbox's payment methods, but none of its games", () => {
  const { payment_methods, games } = generateCatalog({ games: 2_000 });
  const sandbox = sandboxCatalog();
  const titles = new Set(sandbox.games.map(({ title }) => title));

  expect(payment_methods).toEqual(sandbox.payment_methods);
  expect(games.filter(({ title }) => titles.has(title))).toEqual([]);
});

it("does not change faker's own instance", () => {
  faker.seed(1);
  const expected = [faker.number.int(), faker.number.int()];
  faker.seed(1);

  const seen = [faker.number.int(), generateCatalog({ games: 1 }) && faker.number.int()];

  expect(seen).toEqual(expected);
});

it.each([
  [{ games: 0 }, 'games must be a whole number from 1 to 10000, got 0'],
  [{ games: 10_001 }, 'games must be'],
  [{ games: 1.5 }, 'games must be'],
  [{ products: 51 }, 'products must be a whole number from 1 to 50, got 51'],
  [{ seed: -1 }, 'seed must be'],
])('rejects the options %j', (options, message) => {
  expect(() => generateCatalog(options)).toThrow(message);
});

it('rejects an unknown language', () => {
  // @ts-expect-error: a caller without types
  expect(() => generateCatalog({ locale: 'fr' })).toThrow('locale must be id or en, got fr');
});

it('rejects an unknown option', () => {
  expect(() => generateCatalog({ game: 5 } as object)).toThrow(
    'unknown option "game" of generateCatalog. Did you mean games? The options are seed, games, products, locale.',
  );
});
