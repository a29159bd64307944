import type { Markup } from '../../../pages/html.ts';
import { tabLinks } from '../parts.ts';
import type { View } from '../view.ts';

const tabs = {
  '/catalog': { id: 'Produk', en: 'Products' },
  '/catalog/edits': { id: 'Perubahan', en: 'Changes' },
  '/catalog/promos': { id: 'Promo', en: 'Promos' },
};

/** The links to the pages of the catalogue. */
export const catalogTabs = (view: View, current: keyof typeof tabs): Markup => tabLinks(view, tabs, current);
