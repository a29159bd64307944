import { callbackOutcomes } from '@topup-kit/core/callback';
import type { Localised } from '@topup-kit/core/contract';
import type { StoredCallback } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import { badge, card, dataTable, facts, filterLinks, orderLink, wordsBadge } from '../parts.ts';
import { anyText, type ConsoleSection, type SectionDependencies } from '../section.ts';
import { sectionTabs } from '../tabs.ts';
import { outcomeWords, rawCallback } from './notes.ts';

const texts = {
  id: {
    title: 'Callback dari gateway dan pemasok',
    all: 'Semua',
    received: 'Diterima',
    provider: 'Penyedia',
    outcome: 'Hasil',
    order: 'Pesanan',
    why: 'Alasan',
    none: 'Tidak ada callback seperti itu.',
    from: 'Dari',
    handled: 'Ditangani',
    attempts: 'Percobaan',
    replay: 'Diminta diulang',
    content: 'Yang diterima',
    cut: 'Hanya bagian awalnya yang disimpan, jadi tidak bisa diverifikasi lagi.',
    again: 'akan diverifikasi dan diterapkan lagi, seolah-olah dikirim lagi oleh',
  },
  en: {
    title: 'Callbacks of gateways and suppliers',
    all: 'All',
    received: 'Received',
    provider: 'Provider',
    outcome: 'Outcome',
    order: 'Order',
    why: 'Why',
    none: 'No such callbacks.',
    from: 'From',
    handled: 'Handled',
    attempts: 'Attempts',
    replay: 'Replay requested',
    content: 'What was received',
    cut: 'Only its beginning was kept, so it can’t be verified again.',
    again: 'will be verified and applied again, as if it were sent again by',
  },
};

/** The callbacks of gateways and suppliers; see `topup callbacks`. */
export function callbackPages(deps: SectionDependencies): ConsoleSection {
  const { store, position } = deps;
  async function find(callbackId = ''): Promise<StoredCallback> {
    const callback = await store.findCallback(callbackId);
    if (callback) return callback;
    throw new InputError(missing(callbackId));
  }
  const replay: ConsoleAction = {
    path: '/events/callbacks/:id/replay',
    section: 'events',
    title: { id: 'Ulangi', en: 'Replay' },
    isWithoutNote: true,
    async preview({ params }, view) {
      const { callbackId, provider, sentBytes } = await find(params.id);
      if (sentBytes !== null) throw new InputError({ id: texts.id.cut, en: texts.en.cut });
      return html`<p>${callbackId} ${view.text(texts).again} ${provider}.</p>`;
    },
    async perform({ params }) {
      const { callbackId } = await find(params.id);
      if ('conflict' in (await store.requestReplay(callbackId))) throw new InputError(missing(callbackId));
      return `/events/callbacks/${callbackId}`;
    },
  };

  return {
    tabs: { '/events': { id: 'Callback masuk', en: 'Callbacks in' } },
    actions: [replay],
    pages: [
      {
        path: '/events',
        filters: { outcome: callbackOutcomes, provider: anyText },
        async render(view, { query }) {
          const words = view.text(texts);
          const outcome = callbackOutcomes.find((known) => known === query.outcome);
          const last = query.after === undefined ? null : await store.findCallback(query.after);
          const callbacks = await store.listCallbacks({
            ...(query.provider && { provider: query.provider }),
            ...(outcome !== undefined && { outcome }),
            ...(last && { after: last }),
            limit: readSize,
          });
          const { shown, next } = pageOf(callbacks, ({ callbackId }) => callbackId);
          const chips = filterLinks(view, '/events', query, {
            name: 'outcome',
            values: callbackOutcomes,
            titleOf: (value) => view.text(outcomeWords[value].text),
            all: words.all,
          });
          return {
            section: 'events',
            title: words.title,
            content: html`${sectionTabs(view, '/events', deps)}${chips}
<div class="card" id="callbacks" data-renew>${dataTable(shown, {
              caption: words.title,
              columns: [
                {
                  title: words.outcome,
                  cell: (callback) => wordsBadge(view, outcomeWords[callback.outcome]),
                  as: 'status',
                },
                {
                  title: words.provider,
                  cell: ({ callbackId, provider, reason }) =>
                    html`<a class="open step" title="${callbackId}" href="${view.link(`/events/callbacks/${callbackId}`)}">${provider}</a><span class="soft">${reason ?? ''}</span>`,
                  as: 'what',
                },
                {
                  title: words.order,
                  cell: ({ orderId }) =>
                    orderId === null ? '' : orderLink(view, orderId, orderId.slice(-8)),
                  as: 'who',
                },
                { title: words.received, cell: ({ receivedAt }) => view.time(receivedAt), as: 'when' },
              ],
              idOf: ({ callbackId }) => `callback-${callbackId}`,
              toneOf: (callback) => outcomeWords[callback.outcome].tone,
              empty: words.none,
            })}
${pageLinks(view, '/events', query, next)}</div>`,
            live: { orders: 'shown', position: await position(), everySeconds: 10 },
          };
        },
      },
      {
        path: '/events/callbacks/:id',
        async render(view, { params }) {
          const words = view.text(texts);
          const callback = await store.findCallback(params.id ?? '');
          if (!callback) return null;
          const { callbackId, provider, address, outcome, reason, orderId, attempts, sentBytes } = callback;
          return {
            section: 'events',
            title: callbackId,
            actions:
              callback.replay || sentBytes !== null ? '' : actionLink(view, replay, { id: callbackId }),
            content: html`${card(
              words.outcome,
              facts([
                [words.outcome, wordsBadge(view, outcomeWords[outcome])],
                [words.why, reason],
                [words.order, orderId === null ? null : orderLink(view, orderId)],
                [words.from, `${provider} (${address})`],
                [words.received, view.time(callback.receivedAt)],
                [words.handled, view.time(callback.handledAt)],
                [words.attempts, view.number(attempts)],
                [words.replay, callback.replay ? badge(words.replay, 'busy') : null],
              ]),
            )}${card(words.content, html`${sentBytes === null ? '' : html`<p class="notice">${words.cut}</p>`}${rawCallback(view, callback)}`)}`,
          };
        },
      },
    ],
  };
}

const missing = (callbackId: string): Localised => ({
  id: `Tidak ada callback ${callbackId}.`,
  en: `There is no callback ${callbackId}.`,
});
