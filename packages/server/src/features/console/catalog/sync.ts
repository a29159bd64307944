import { planCatalogSync } from '@topup-kit/core/engine';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import type { CreateOverview } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { editing } from './product-actions.ts';

const texts = {
  stays: {
    id: 'Harga yang dikunci dan harga tanpa aturan tidak berubah.',
    en: 'Locked prices, and prices without a rule, stay.',
  },
  losing: { id: 'Produk yang merugi', en: 'Products that lose money' },
};

/** Creates the action that applies a supplier's last list to the prices after a preview; see `topup catalog sync`. */
export const syncAction = (deps: ConsoleDependencies): ConsoleAction => {
  const edit = editing(deps, {
    command: () => 'sync',
    async planOf({ params: { supplier = '' } }) {
      const { listing } = await deps.engine.catalog();
      const list = (await deps.store.readSupplierLists()).find((list) => list.supplier === supplier);
      if (!list || !listing.counts(supplier))
        throw new InputError({
          id: `Belum ada daftar ${supplier} dari 24 jam terakhir.`,
          en: `There is no list of ${supplier} from the last 24 hours.`,
        });
      return planCatalogSync(list, { now: deps.now(), isFirst: supplier === deps.providers.suppliers[0] });
    },
  });
  return {
    path: '/catalog/sync/:supplier',
    section: 'catalog',
    title: { id: 'Sinkronkan harga', en: 'Sync prices' },
    isWithoutNote: true,
    ...edit,
    async preview(input, view) {
      const changes = await edit.preview(input, view);
      return html`${changes}<p>${view.words(texts).stays} <a class="step" href="${view.link('/catalog?state=loses')}">${view.words(texts).losing}</a></p>`;
    },
  };
};

/** Renders a sync button for each supplier if the shop's prices follow rules. */
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
