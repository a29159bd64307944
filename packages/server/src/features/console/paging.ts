import { html } from 'hono/html';
import type { Markup } from '../../pages/html.ts';
import { queryText } from './parts.ts';
import type { View } from './view.ts';

const texts = {
  id: { newest: 'Ke yang terbaru', older: 'Yang lebih lama' },
  en: { newest: 'To the newest', older: 'Older ones' },
};

/** How many rows a page of a list shows; one more is read, to know whether there are older ones. */
export const pageSize = 50;
export const readSize = pageSize + 1;

/** A page of a list, and the place of its last row, if there are older ones. */
export function pageOf<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => string,
): { shown: readonly Item[]; next: string | undefined } {
  const shown = items.slice(0, pageSize);
  const last = shown.at(-1);
  return { shown, next: items.length > pageSize && last !== undefined ? placeOf(last) : undefined };
}

/** The links to the newest page of a list, and to the one after this. `query` is that of this page. */
export function pageLinks(
  view: View,
  path: string,
  { after, ...query }: Readonly<Record<string, string | undefined>>,
  next: string | undefined,
): Markup {
  const words = view.text(texts);
  const link = (title: string, place?: string): Markup =>
    html`<a class="button"${place === undefined ? '' : html` rel="next"`} href="${view.link(path + queryText({ ...query, after: place }))}">${title}</a>`;
  return html`<p class="actions">${after === undefined ? '' : link(words.newest)}${next === undefined ? '' : link(words.older, next)}</p>`;
}
