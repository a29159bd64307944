import { readCatalogFile } from '../engine/catalog/file.ts';
import type { Catalog } from '../store/index.ts';
import json from './catalog.json' with { type: 'json' };

/**
 * The sandbox's catalogue as it stands in its file; `unknown` like any other JSON, and read by
 * {@link sandboxCatalog}.
 *
 * @example
 * await writeFile('catalog.json', JSON.stringify(sandboxCatalogFile, null, 2));
 */
export const sandboxCatalogFile: unknown = json;

/**
 * The sandbox's catalogue: games, products, payment methods and promos such as a shop in Indonesia has them.
 * Each call makes a new one, which is the caller's to change.
 *
 * @example
 * const catalog = sandboxCatalog();
 * const games = catalog.games.map((game) => game.slug); // ['mobile-legends', 'free-fire', ...]
 */
export function sandboxCatalog(): Catalog {
  const read = readCatalogFile(sandboxCatalogFile);
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `\n  ${path} ${rule}`);
  throw new Error(`The sandbox's catalogue is not valid:${problems.join('')}`);
}
