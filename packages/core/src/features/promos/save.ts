import { type CatalogProblem, readCatalogFile } from '../../engine/catalog/file.ts';
import type { Catalog, Promo } from '../../store/index.ts';
import { findPromo } from './promos.ts';

/** A valid promo and the promo that it replaces, or the rules of catalogue files that the promo breaks. */
export type ReadPromo = { promo: Promo; old: Promo | undefined } | { problems: CatalogProblem[] };

/**
 * Checks a promo together with the rest of the catalogue. The paths of problems are relative to the promo, such as `discount.value`.
 *
 * @param entry a promo in the form of catalogue files
 */
export function readPromo(catalog: Catalog, entry: { code: string; [field: string]: unknown }): ReadPromo {
  const old = findPromo(catalog.promos, entry.code);
  const promos = [...catalog.promos.filter((promo) => promo !== old), entry];
  const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...catalog, promos });
  if ('problems' in read)
    return {
      problems: read.problems.map(({ path, rule }) => ({
        path: path.replace(/^promos\[\d+\]\.?/, '').replace(/\[\d+\]$/, ''),
        rule: rule.replace('of this file', 'of the catalogue'),
      })),
    };
  const promo = read.catalog.promos.at(-1);
  if (!promo) throw new Error('the catalogue lost its promo');
  // Uses are counted by the exact spelling of the code, so the old spelling is kept.
  return { promo: { ...promo, code: old?.code ?? promo.code }, old };
}
