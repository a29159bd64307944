import { type Locale, locales } from '@topup-kit/core/contract';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog } from '@topup-kit/core/store';
import { checkNames } from '../known-names.ts';
import { createFakerFor, type FakerFor } from './faker.ts';
import { generateGame } from './game.ts';
import { genres } from './game-texts.ts';
import { maxProducts } from './products.ts';
import { generatePromos } from './promos.ts';

export interface GenerateCatalogOptions {
  /** A whole number from 0; 1 if left out. The same seed gives the same catalogue. */
  seed?: number | undefined;
  /** Number of games, 1 to 10,000; 50 if left out. */
  games?: number | undefined;
  /** Number of products of each game, 1 to 50; if left out, each game has 4 to 12. */
  products?: number | undefined;
  /** Language of names and texts: `id` (the default) or `en`. Titles, prices and ids are the same in both. */
  locale?: Locale | undefined;
}

/** A catalogue file with all fields, for `topup catalog import`. */
export interface GeneratedCatalog extends Catalog {
  format: 'topup-kit/catalog@1';
}

const optionNames: Record<keyof Required<GenerateCatalogOptions>, true> = {
  seed: true,
  games: true,
  products: true,
  locale: true,
};

const maxGames = 10_000;

function checkWhole(name: string, value: number, minimum: number, maximum: number): void {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return;
  throw new RangeError(`${name} must be a whole number from ${minimum} to ${maximum}, got ${value}`);
}

/** Number of studios. It is low, so that a studio has several games. */
const studios = 120;

/** Generates the names of all studios from names of people and places in the language. */
function drawStudios(fakerFor: FakerFor): string[] {
  const { helpers, person, location } = fakerFor('studios');
  const patterns = [
    { weight: 3, value: () => `${person.lastName()} Interactive` },
    { weight: 2, value: () => `${person.lastName()} & ${person.lastName()}` },
    { weight: 2, value: () => `${location.city()} Games` },
    { weight: 2, value: () => `Studio ${person.lastName()}` },
    { weight: 1, value: () => `${location.city()} Digital` },
  ];
  return Array.from({ length: studios }, () => helpers.weightedArrayElement(patterns)());
}

/**
 * Generates a realistic catalogue of any size: invented games with developers, fields, products and prices in integer
 * rupiah; the sandbox's payment methods; one promo of each kind. Only this entry point loads faker.
 *
 * Game 7 is the same for any number of games, and its product 3 is the same for any number of products. The first game
 * and the first product of every game can always be ordered.
 *
 * @throws TypeError for an unknown option, and RangeError for a number out of range or an unknown locale.
 * @example
 * const catalog = generateCatalog({ seed: 7, games: 200, locale: 'en' });
 * await writeFile('catalog.json', JSON.stringify(catalog)); // topup catalog import catalog.json
 */
export function generateCatalog(options: GenerateCatalogOptions = {}): GeneratedCatalog {
  checkNames('generateCatalog', options, optionNames);
  const { seed = 1, games: count = 50, products, locale = 'id' } = options;
  checkWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  checkWhole('games', count, 1, maxGames);
  if (products !== undefined) checkWhole('products', products, 1, maxProducts);
  if (!locales.includes(locale))
    throw new RangeError(`locale must be ${locales.join(' or ')}, got ${locale}`);
  const fakerFor = createFakerFor(seed, locale);
  const { payment_methods: methods } = sandboxCatalog();
  const context = {
    fakerFor,
    locale,
    products,
    studios: drawStudios(fakerFor),
    usedSlugs: new Set<string>(),
  };
  const firstGame = generateGame(1, context);
  const others = Array.from({ length: count - 1 }, (_none, index) => generateGame(index + 2, context));
  return {
    format: 'topup-kit/catalog@1',
    categories: genres.map(({ title }, index) => ({ id: index + 1, title: title[locale] })),
    games: [firstGame, ...others],
    payment_methods: methods,
    promos: generatePromos(fakerFor, locale, { firstGame, methods }),
  };
}
