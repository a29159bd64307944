import type { DatabaseSync } from 'node:sqlite';
import type { Catalog, Promo, Store } from '@topup-kit/core/store';
import { done, keepPromos } from '@topup-kit/core/store';
import { json } from '../rows/columns.ts';
import type { PromoRows } from './promo-rows.ts';
import type { RevisionRows } from './state-rows.ts';

export interface CatalogRows {
  read(): Catalog | null;
  replace(catalog: Catalog): Awaited<ReturnType<Store['replaceCatalog']>>;
  readOperatorPromos(): Promo[];
  putPromo(promo: Promo): Awaited<ReturnType<Store['putPromo']>>;
}

export function prepareCatalogRows(
  db: DatabaseSync,
  promoRows: PromoRows,
  revision: RevisionRows,
): CatalogRows {
  const select = db.prepare('SELECT document FROM catalog');
  const put = db.prepare('INSERT OR REPLACE INTO catalog (id, document) VALUES (1, ?)');

  return {
    read() {
      const row = select.get();
      return row ? { ...json<Omit<Catalog, 'promos'>>(row, 'document'), promos: promoRows.list() } : null;
    },
    replace(catalog) {
      const { promos, ...document } = keepPromos(catalog, promoRows.listOfOperator());
      const conflict = promoRows.replace(promos);
      if (conflict) return conflict;
      put.run(JSON.stringify(document));
      revision.increment();
      return done;
    },
    readOperatorPromos: promoRows.listOfOperator,
    putPromo(promo) {
      const conflict = promoRows.put(promo);
      if (conflict) return conflict;
      revision.increment();
      return done;
    },
  };
}
