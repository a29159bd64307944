import { activityWords } from '@topup-kit/core/engine';
import type { StoredActivity } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { dayFields, isDay, spanOf } from '../days.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import { column, dataTable, numberColumn, orderLink } from '../parts.ts';
import { anyText, type CreateSection, sectionTabs } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  title: { id: 'Aktivitas', en: 'Activity' },
  operator: { id: 'Operator', en: 'Operator' },
  did: { id: 'Tindakan', en: 'Action' },
  time: { id: 'Waktu', en: 'Time' },
  unnamed: { id: 'tanpa nama', en: 'no name' },
  clocks: {
    id: 'Pesanan dan uang memakai jam sandbox; tindakan lain memakai waktu sebenarnya.',
    en: 'Orders and money have the time of the sandbox’s clock; other actions have the real time.',
  },
  none: { id: 'Tidak ada aktivitas operator yang cocok.', en: 'No matching operator actions.' },
};

const path = '/overview/activity';

/** Path of the console's page for each kind of change, by the first part of the action; null for orders, which have their own link. */
const places: ReadonlyMap<string, ((subject: string) => string) | null> = new Map<
  string,
  ((subject: string) => string) | null
>([
  ['order', null],
  ['payment', (id) => `/payments?closed=1#payment-${id}`],
  ['refund', (id) => `/payments?closed=1#refund-${id}`],
  ['catalog', () => '/catalog/edits'],
  ['promo', (code) => `/catalog/promos#promo-${code}`],
  ['callback', (id) => `/events/callbacks/${encodeURIComponent(id)}`],
  ['webhook', (id) => `/events/webhooks?endpoint=${encodeURIComponent(id)}`],
]);

function subjectOf(view: View, { action, subject }: StoredActivity): Markup | string {
  const place = places.get(action.split('.')[0] ?? '');
  if (subject === '' || place === undefined) return subject;
  if (place === null) return orderLink(view, subject, subject.slice(-8));
  // Shows an order's id without its date, as other pages do.
  const name = subject.replace(/^INV-\d+-/, '');
  return html`<a class="step" title="${subject}" href="${view.link(place(subject))}"><code>${name}</code></a>`;
}

/** Creates the page of operators' actions, newest first; see `topup activity`. */
export const activityPages: CreateSection = (deps) => ({
  tabs: { [path]: texts.title },
  actions: [],
  pages: [
    {
      path,
      filters: { operator: anyText, from: isDay, to: isDay },
      async render(view, { query }) {
        const words = view.words(texts);
        const { operator = '', after } = query;
        const listed = await deps.store.listActivity({
          ...spanOf(deps, query),
          operator: operator.trim() || undefined,
          after: after === undefined ? undefined : Number(after) || undefined,
          limit: readSize,
        });
        const { shown, next } = pageOf(listed, ({ number }) => String(number));
        return {
          section: 'home',
          title: words.title,
          content: html`${sectionTabs(view, path, deps)}
<form class="filters card" action="${view.link(path)}"><label class="field"><span>${words.operator}</span><input name="operator" value="${operator}"></label>${dayFields(view, query)}<div class="field"><button>${words.show}</button></div></form>
<div class="card">${dataTable(shown, {
            caption: words.title,
            columns: [
              column('who', words.operator, (entry) => entry.operator || words.unnamed),
              column(
                'what',
                words.did,
                (activity) =>
                  html`<span class="whole"><b>${view.text(activityWords(activity.action))}</b> <span class="soft">${subjectOf(view, activity)}</span></span>`,
              ),
              numberColumn('total', words.amount, ({ amount }) =>
                amount === null ? '' : view.money(amount),
              ),
              column('when', words.time, ({ at }) => view.clock(at)),
            ],
            idOf: ({ number }) => `activity-${number}`,
            groupOf: ({ at }) => view.day(at),
            empty: words.none,
          })}</div>
${view.mode === 'sandbox' ? html`<p class="soft">${words.clocks}</p>` : ''}${pageLinks(view, path, query, next)}`,
        };
      },
    },
  ],
});
