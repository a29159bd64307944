import { callbackOutcomes } from '@topup-kit/core/callback';
import type { Localised } from '@topup-kit/core/contract';
import type { StoredCallback } from '@topup-kit/core/store';
import { html } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import { badge, card, column, dataTable, detailList, filterLinks, orderLink, wordsBadge } from '../parts.ts';
import { anyText, type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import { outcomeWords, rawCallback } from './notes.ts';

const texts = {
  title: { id: 'Callback dari gateway dan pemasok', en: 'Callbacks of gateways and suppliers' },
  received: { id: 'Diterima', en: 'Received' },
  provider: { id: 'Penyedia', en: 'Provider' },
  outcome: { id: 'Hasil', en: 'Outcome' },
  why: { id: 'Alasan', en: 'Why' },
  none: { id: 'Tidak ada callback yang cocok.', en: 'No matching callbacks.' },
  from: { id: 'Dari', en: 'From' },
  handled: { id: 'Ditangani', en: 'Handled' },
  attempts: { id: 'Percobaan', en: 'Attempts' },
  replay: { id: 'Diminta diulang', en: 'Replay requested' },
  content: { id: 'Yang diterima', en: 'What was received' },
  cut: {
    id: 'Hanya bagian awalnya yang disimpan, jadi tidak bisa diverifikasi lagi.',
    en: 'Only its beginning was kept, so it can’t be verified again.',
  },
  again: {
    id: 'akan diverifikasi dan diterapkan lagi, seolah-olah dikirim lagi oleh',
    en: 'will be verified and applied again, as if it were sent again by',
  },
};

/** Creates the pages of callbacks from gateways and suppliers; see `topup callbacks`. */
export function callbackPages(deps: SectionDependencies): ConsoleSection {
  const { store, position, realClock } = deps;
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
      if (sentBytes !== null) throw new InputError({ id: texts.cut.id, en: texts.cut.en });
      return html`<p>${callbackId} ${view.words(texts).again} ${provider}.</p>`;
    },
    async perform({ params }, { visitor: { operator } }) {
      const { callbackId } = await find(params.id);
      if ('conflict' in (await store.requestReplay(callbackId))) throw new InputError(missing(callbackId));
      const did = { at: realClock(), operator, action: 'callback.replayed' } as const;
      await store.addActivity({ ...did, subject: callbackId, amount: null });
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
          const words = view.words(texts);
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
                column('status', words.outcome, (callback) =>
                  wordsBadge(view, outcomeWords[callback.outcome]),
                ),
                column(
                  'what',
                  words.provider,
                  ({ callbackId, provider, reason }) =>
                    html`<a class="open step" title="${callbackId}" href="${view.link(`/events/callbacks/${callbackId}`)}">${provider}</a><span class="soft">${reason ?? ''}</span>`,
                ),
                column('who', words.order, ({ orderId }) =>
                  orderId === null ? '' : orderLink(view, orderId, orderId.slice(-8)),
                ),
                column('when', words.received, ({ receivedAt }) => view.time(receivedAt)),
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
          const words = view.words(texts);
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
              detailList([
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
