import type { Store } from '../../store/index.ts';
import { type CatalogView, createCatalogView } from './catalog-view.ts';

/** Gives the catalogue in force, read again only when the store's revision moved. */
export function createCatalogReader(store: Store): () => Promise<CatalogView> {
  let known: { revision: number; view: CatalogView } | undefined;
  return async () => {
    const revision = await store.revision();
    if (known?.revision !== revision)
      known = { revision, view: createCatalogView(await store.readCatalog()) };
    return known.view;
  };
}
