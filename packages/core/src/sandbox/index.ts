import { readCatalogFile } from '../engine/catalog/file.ts';
import type { Catalog } from '../store/index.ts';
import json from './catalog.json' with { type: 'json' };

/**
 * The content of the sandbox's catalogue file, without its defaults filled in; {@link sandboxCatalog} reads it.
 *
 * @example
 * await writeFile('catalog.json', JSON.stringify(sandboxCatalogFile, null, 2));
 */
export const sandboxCatalogFile: unknown = json;

/**
 * The sandbox's catalogue: typical games, products, payment methods and promos of a shop in Indonesia.
 * Each call returns a new object, which the caller may change.
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
