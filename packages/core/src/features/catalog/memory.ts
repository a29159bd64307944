import { done, type SupplierList } from '../../store/index.ts';
import type { MemoryPart } from '../../store/memory/state.ts';
import { addEdit, newestFirst, putCatalog } from '../../store/memory/store.ts';
import type { CatalogStore, Margin } from './store.ts';

export interface Tables {
  margins: readonly Margin[];
  /** The lists that last set prices, by the supplier's name. */
  pricedLists: Map<string, SupplierList>;
}

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const byScope = (a: Margin, b: Margin): number => compareText(a.scope, b.scope) || compareText(a.key, b.key);

export const catalogInMemory: MemoryPart<Tables, CatalogStore> = {
  tables: () => ({ margins: [], pricedLists: new Map() }),
  commands: (state) => ({
    readMargins: async () => [...state.margins],
    async editCatalog({ revision, catalog, margins, pricedBy }, edit) {
      if (revision !== state.revision) return { conflict: 'catalog_changed' };
      if (catalog) putCatalog(state, { ...catalog, promos: state.catalog?.promos ?? [] });
      else state.revision += 1;
      state.margins = margins.toSorted(byScope);
      if (pricedBy) state.pricedLists.set(pricedBy.supplier, pricedBy);
      if (edit) addEdit(state, edit);
      return done;
    },
    readPricedLists: async () => newestFirst(state.pricedLists),
    async saveSupplierList(list) {
      state.supplierLists.set(list.supplier, list);
      state.revision += 1;
      return done;
    },
  }),
};
