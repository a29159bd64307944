import { html } from 'hono/html';
import type { Markup } from '../../pages/html.ts';
import type { View } from '../view.ts';

const tabs = {
  '/catalog': { id: 'Produk', en: 'Products' },
  '/catalog/edits': { id: 'Perubahan', en: 'Changes' },
  '/catalog/promos': { id: 'Promo', en: 'Promos' },
} as const;

/** The links to the pages of the catalogue. */
export const catalogTabs = (view: View, current: keyof typeof tabs): Markup =>
  html`<div class="chips">${Object.entries(tabs).map(
    ([path, title]) =>
      html`<a class="button" href="${view.link(path)}"${path === current ? html` aria-current="page"` : ''}>${view.text(title)}</a>`,
  )}</div>`;
