import type { Catalog, Promo, Store } from '@topup-kit/core/store';
import { CliError, exitCodes } from '../../errors/cli-error.ts';

interface MergedCatalog {
  /** The catalogue that the store has after an import. */
  merged: Catalog;
  /** The operator's promos that the file doesn't name. */
  kept: Promo[];
}

/**
 * A catalogue file with the promos of the store that an import keeps.
 *
 * @throws CliError when a kept promo doesn't fit the file, for example because its only game is not in it.
 */
export async function withOperatorPromos(store: Store, catalog: Catalog): Promise<MergedCatalog> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const { keepPromos } = await import('@topup-kit/core/store');
  const merged = keepPromos(catalog, await store.readOperatorPromos());
  const kept = merged.promos.slice(catalog.promos.length);
  const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...merged });
  if ('catalog' in read) return { merged, kept };
  // The file alone is valid, so every problem is one of a kept promo.
  const fields = Map.groupBy(read.problems, ({ path }) => {
    const index = Number(/^promos\[(\d+)\]/.exec(path)?.[1]);
    return merged.promos[index]?.code ?? path;
  });
  throw new CliError('Promos of the promos commands stay in the store, but do not fit this file.', {
    code: 'PROMO_DOES_NOT_FIT',
    exitCode: exitCodes.rejected,
    fields: Object.fromEntries(
      [...fields].map(([code, problems]) => [code, problems.map(({ rule }) => rule)]),
    ),
    hint: 'Nothing was changed. Put into the file what they need, or these promos themselves,\nor change them with promos create --replace.',
  });
}
