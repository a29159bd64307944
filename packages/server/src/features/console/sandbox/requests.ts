import { clientCode, ownPaths } from '@topup-kit/core/app';
import type { JournalEntry, JournalMessage } from '@topup-kit/core/features/sandbox';
import { html, type Markup } from '../../../pages/html.ts';
import { readable } from '../bodies.ts';
import { pageLinks, pageOf } from '../paging.ts';
import {
  badge,
  card,
  copyable,
  dataTable,
  detailList,
  filterLinks,
  orderLink,
  type Tone,
  tabLinks,
} from '../parts.ts';
import type { ConsolePage, SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';

const tabs = {
  '/sandbox': { id: 'Kendali', en: 'Controls' },
  '/sandbox/requests': { id: 'Permintaan', en: 'Requests' },
};

export const sandboxTabs = (view: View, current: keyof typeof tabs): Markup => tabLinks(view, tabs, current);

const texts = {
  title: { id: 'Permintaan terakhir', en: 'Last requests' },
  errors: { id: 'Hanya galat', en: 'Only errors' },
  request: { id: 'Permintaan', en: 'Request' },
  status: { id: 'Status', en: 'Status' },
  error: { id: 'Galat', en: 'Error' },
  took: { id: 'Lama', en: 'Took' },
  none: {
    id: 'Belum ada permintaan. Sandbox menyimpan 500 yang terakhir, di memori.',
    en: 'No requests yet. A sandbox keeps the last 500, in memory.',
  },
  sent: { id: 'Yang dikirim', en: 'Request' },
  response: { id: 'Jawaban', en: 'Response' },
  cut: { id: 'koneksi diputus', en: 'connection cut' },
  again: { id: 'Cara mengirim ulang', en: 'How to send it again' },
  sdk: { id: 'SDK', en: 'SDK' },
  test: { id: 'Tes dengan mock', en: 'Test with the mock' },
  scenario: { id: 'Skenario', en: 'Scenario' },
};

const toneOf = ({ status }: JournalEntry): Tone =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'busy' : 'good';

const isError = ({ status }: JournalEntry): boolean => status === null || status >= 400;

const statusBadge = (view: View, entry: JournalEntry): Markup =>
  badge(entry.status === null ? view.words(texts).cut : String(entry.status), toneOf(entry));

const messageCard = (title: string, { headers, body }: JournalMessage, id: string): Markup =>
  card(
    title,
    html`${detailList(Object.entries(headers))}${body === '' ? '' : copyable(id, readable(body), title)}`,
  );

/** Creates the page that lists a sandbox's API requests, newest first, each with code that repeats it. */
export function requestPages({ sandbox, settings, position }: SectionDependencies): ConsolePage[] {
  const journal = sandbox?.journal;
  const docs = new URL(settings.publicUrl).pathname.replace(/\/$/, '') + ownPaths.docs;
  const errorLink = ({ error_code, operation }: JournalEntry): Markup =>
    html`<a href="${docs}${operation === null ? '' : `#${operation}`}"><code>${error_code}</code></a>`;
  return [
    {
      path: '/sandbox/requests',
      filters: { only: ['errors'] },
      async render(view, { query }) {
        const words = view.words(texts);
        const onlyErrors = query.only === 'errors';
        const before = Number(query.after ?? Number.POSITIVE_INFINITY);
        const { shown, next } = pageOf(
          (journal?.list() ?? []).filter((entry) => entry.number < before && (!onlyErrors || isError(entry))),
          (entry) => String(entry.number),
        );
        const chips = filterLinks(view, '/sandbox/requests', query, {
          name: 'only',
          values: ['errors'],
          titleOf: () => words.errors,
          all: words.all,
        });
        return {
          section: 'sandbox',
          title: words.title,
          content: html`${sandboxTabs(view, '/sandbox/requests')}${chips}
<div class="card" id="requests" data-renew>${dataTable(shown, {
            caption: words.title,
            stacks: true,
            columns: [
              { title: words.when, cell: ({ at_ms }) => view.time(at_ms) },
              {
                title: words.request,
                cell: ({ number, method, target }) =>
                  html`<a class="step" href="${view.link(`/sandbox/requests/${number}`)}"><code>${method} ${target}</code></a>`,
              },
              { title: words.status, cell: (entry) => statusBadge(view, entry) },
              { title: words.error, cell: ({ error_code }) => error_code ?? '' },
              {
                title: words.order,
                cell: ({ order_id }) => (order_id === null ? '' : orderLink(view, order_id)),
              },
              {
                title: words.took,
                cell: ({ duration_ms }) => `${view.number(Math.round(duration_ms))} ms`,
                isNumber: true,
              },
            ],
            idOf: ({ number }) => `request-${number}`,
            toneOf,
            empty: words.none,
          })}${pageLinks(view, '/sandbox/requests', query, next)}</div>`,
          live: { orders: 'all', position: await position(), everySeconds: 3 },
        };
      },
    },
    {
      path: '/sandbox/requests/:number',
      async render(view, { params }) {
        const words = view.words(texts);
        const entry = journal?.find(Number(params.number));
        if (!sandbox || !entry) return null;
        const { publicUrl, basePath } = settings;
        const target = { baseUrl: publicUrl + basePath, mode: 'sandbox' } as const;
        const code = sandbox.codeOf(entry, target);
        const shown = [
          ['curl', code.curl],
          // Adds the client, so that the copied code runs as a file.
          [words.sdk, code.sdk === null ? null : `${clientCode(target)}\n\n${code.sdk}`],
          [words.test, code.mockTest],
        ] as const;
        return {
          section: 'sandbox',
          title: `${entry.method} ${entry.target}`,
          content: html`${card(
            words.request,
            detailList([
              [words.when, view.time(entry.at_ms)],
              [words.status, statusBadge(view, entry)],
              [words.error, entry.error_code === null ? null : errorLink(entry)],
              [words.order, entry.order_id === null ? null : orderLink(view, entry.order_id)],
              [words.took, `${view.number(Math.round(entry.duration_ms))} ms`],
              [words.scenario, entry.scenario === 'none' ? null : html`<code>${entry.scenario}</code>`],
              ['X-Request-Id', html`<code>${entry.request_id}</code>`],
            ]),
          )}<div class="columns"><div>${messageCard(words.sent, entry.request, 'sent')}${messageCard(words.response, entry.response, 'response')}</div>
<div>${card(
            words.again,
            shown.map(([title, text], index) =>
              text === null ? '' : html`<h3>${title}</h3>${copyable(`code-${index}`, text, title)}`,
            ),
          )}</div></div>`,
        };
      },
    },
  ];
}
