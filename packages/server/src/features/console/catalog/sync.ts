import { planCatalogSync } from '@topup-kit/core/engine';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import type { CreateOverview } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { editing } from './product-actions.ts';

/** Applies the last list of a supplier to the prices, after a preview; see `topup catalog sync`. */
export const syncAction = (deps: ConsoleDependencies): ConsoleAction => ({
  path: '/catalog/sync/:supplier',
  section: 'catalog',
  title: { id: 'Sinkronkan harga', en: 'Sync prices' },
  isWithoutNote: true,
  ...editing(deps, {
    command: () => 'sync',
    async planOf({ params: { supplier = '' } }) {
      const { listing } = await deps.engine.catalog();
      const list = (await deps.store.readSupplierLists()).find((list) => list.supplier === supplier);
      if (!list || !listing.counts(supplier))
        throw new InputError({
          id: `Belum ada daftar ${supplier} dari 24 jam terakhir.`,
          en: `There is no list of ${supplier} of the last 24 hours.`,
        });
      return planCatalogSync(list, { now: deps.now(), isFirst: supplier === deps.providers.suppliers[0] });
    },
  }),
});

/** A sync button for each supplier, in a shop whose prices follow rules. */
export const syncButtons = async (
  view: View,
  { store, providers }: ConsoleDependencies,
  sync: ConsoleAction,
): Promise<Markup> =>
  (await store.readMargins()).length === 0
    ? html``
    : html`${providers.suppliers.map((supplier) => actionLink(view, sync, { supplier }))}`;

/** Offers a sync next to the alert about products that cost more than their price. */
export const catalogOverview: CreateOverview = (deps) => {
  const sync = syncAction(deps);
  return async (view) => ({ buttons: { 'products-below-cost': await syncButtons(view, deps, sync) } });
};
