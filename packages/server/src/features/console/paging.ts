import { html, type Markup } from '../../pages/html.ts';
import { queryText } from './parts.ts';
import type { View } from './view.ts';

const texts = {
  newest: { id: 'Ke yang terbaru', en: 'To the newest' },
  older: { id: 'Yang lebih lama', en: 'Older ones' },
};

const limits = {
  first: { id: 'Hanya # pertama yang ditampilkan.', en: 'Only the first # are shown.' },
  newest: { id: 'Hanya # terbaru yang ditampilkan.', en: 'Only the newest # are shown.' },
  oldest: {
    id: 'Hanya # yang paling lama menunggu yang ditampilkan.',
    en: 'Only the # that have waited longest are shown.',
  },
};

/** Renders which part of a longer list is shown; nothing if the whole list is shown. */
export const limitNotice = (
  view: View,
  count: number,
  most: number,
  which: keyof typeof limits,
): Markup | '' =>
  count > most ? html`<p class="notice">${view.text(limits[which]).replace('#', view.number(most))}</p>` : '';

/** Number of rows per page. One more row is read to detect older rows. */
export const pageSize = 50;
export const readSize = pageSize + 1;

/** Returns a page of a list, and the position of its last row if there are older rows. */
export function pageOf<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => string,
): { shown: readonly Item[]; next: string | undefined } {
  const shown = items.slice(0, pageSize);
  const last = shown.at(-1);
  return { shown, next: items.length > pageSize && last !== undefined ? placeOf(last) : undefined };
}

/** Renders links to the newest page of a list and to the next page. `query` is the query of this page. */
export function pageLinks(
  view: View,
  path: string,
  { after, ...query }: Readonly<Record<string, string | undefined>>,
  next: string | undefined,
): Markup {
  const words = view.words(texts);
  const link = (title: string, place?: string): Markup =>
    html`<a class="button"${place === undefined ? '' : html` rel="next"`} href="${view.link(path + queryText({ ...query, after: place }))}">${title}</a>`;
  return html`<p class="actions">${after === undefined ? '' : link(words.newest)}${next === undefined ? '' : link(words.older, next)}</p>`;
}
