import { type CatalogProblem, readCatalogFile } from '../../engine/catalog/file.ts';
import type { Catalog, Promo } from '../../store/index.ts';
import { findPromo } from './promos.ts';

/** A promo by the rules of catalogue files, and the one that it replaces; or the rules that it breaks. */
export type ReadPromo = { promo: Promo; old: Promo | undefined } | { problems: CatalogProblem[] };

/**
 * Checks a promo together with the rest of the catalogue. Paths of problems are those within the promo, such as `discount.value`.
 *
 * @param entry a promo as catalogue files have it
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
  // Uses are counted by the exact spelling of the code, so the old spelling stays.
  return { promo: { ...promo, code: old?.code ?? promo.code }, old };
}
