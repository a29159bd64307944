import type { Locale } from '../contract/index.ts';
import { readCatalogFile } from '../engine/catalog/file.ts';
import type { Catalog, CatalogProduct } from '../store/index.ts';
import json from './catalog.json' with { type: 'json' };
import texts from './texts-id.json' with { type: 'json' };

/**
 * The sandbox's catalogue file in English, without defaults; {@link sandboxCatalog} reads it.
 *
 * @example
 * await writeFile('catalog.json', JSON.stringify(sandboxCatalogFile, null, 2));
 */
export const sandboxCatalogFile: unknown = json;

const indonesian: {
  categories: Readonly<Record<string, string>>;
  productCategories: Readonly<Record<string, string>>;
  games: Readonly<Record<string, string>>;
} = texts;

function productIn(product: CatalogProduct, locale: Locale): CatalogProduct {
  const { category, title } = product;
  // English uses `14,000 Gems`, and Indonesian `14.000 Gems`.
  if (locale === 'en') return { ...product, title: title.replaceAll(/(\d)\.(?=\d{3})/g, '$1,') };
  const translated = category && {
    ...category,
    title: indonesian.productCategories[category.id] ?? category.title,
  };
  return { ...product, category: translated };
}

/** Returns the catalogue in a language. Names of games, products and currencies are the same in both languages. */
const catalogIn = (catalog: Catalog, locale: Locale): Catalog => ({
  ...catalog,
  categories: catalog.categories.map(({ id, title }) => ({
    id,
    title: (locale === 'id' && indonesian.categories[id]) || title,
  })),
  games: catalog.games.map((game) => ({
    ...game,
    description: (locale === 'id' && indonesian.games[game.slug]) || game.description,
    products: game.products.map((product) => productIn(product, locale)),
  })),
});

/**
 * Returns the sandbox's catalogue, in Indonesian or English: typical games, products, payment methods and promos of a shop in Indonesia.
 * Each call returns a new object, which the caller may change.
 *
 * @example
 * const catalog = sandboxCatalog('en');
 * const games = catalog.games.map((game) => game.slug); // ['mobile-legends', 'free-fire', ...]
 */
export function sandboxCatalog(locale: Locale = 'id'): Catalog {
  ownCatalog ??= readOwnCatalog();
  return catalogIn(structuredClone(ownCatalog), locale);
}

/** The catalogue is read once, because reading takes most of a mock's or sandbox's start-up time. */
let ownCatalog: Catalog | undefined;

function readOwnCatalog(): Catalog {
  const read = readCatalogFile(sandboxCatalogFile);
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `\n  ${path} ${rule}`);
  throw new Error(`The sandbox's catalogue is not valid:${problems.join('')}`);
}
