import { eventTypes } from '@topup-kit/core/contract';
import { type WebhookDelivery, type WebhookEndpoint, webhookStates } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { redactSecrets } from '../../../observability/redact.ts';
import type { Markup } from '../../../pages/html.ts';
import { actionLink } from '../actions.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import { badge, card, dataTable, filterLinks, orderLink, queryText, wordsBadge } from '../parts.ts';
import { anyText, type ConsoleSection, type SectionDependencies } from '../section.ts';
import { sectionTabs } from '../tabs.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { createWebhookActions, deliveryWords, type WebhookActions } from './deliveries.ts';

const texts = {
  id: {
    title: 'Webhook kepada orang lain',
    endpoints: 'Tujuan',
    noEndpoints:
      'Belum ada tujuan. Tambahkan dengan: topup webhooks create --url https://shop.example/hooks --events all',
    events: 'Peristiwa',
    every: 'semua',
    account: 'Akun',
    allAccounts: '(semua)',
    waiting: 'Menunggu',
    state: 'Keadaan',
    deliveries: 'Pengiriman',
    allDeliveries: 'Semua pengiriman',
    none: 'Tidak ada pengiriman seperti itu.',
    noticed: 'Waktu',
    event: 'Peristiwa',
    order: 'Pesanan',
    last: 'Percobaan terakhir',
    attempts: 'percobaan',
    first: 'pertama pada',
    all: 'Semua',
    enabled: 'aktif',
    failing: 'gagal sejak',
    disabled: { operator: 'nonaktif', gone: 'nonaktif: menjawab 410', failing: 'nonaktif: lima hari gagal' },
  },
  en: {
    title: 'Webhooks to others',
    endpoints: 'Endpoints',
    noEndpoints:
      'No endpoints yet. To add one: topup webhooks create --url https://shop.example/hooks --events all',
    events: 'Events',
    every: 'all',
    account: 'Account',
    allAccounts: '(all)',
    waiting: 'Waiting',
    state: 'State',
    deliveries: 'Deliveries',
    allDeliveries: 'All deliveries',
    none: 'No such deliveries.',
    noticed: 'Noticed',
    event: 'Event',
    order: 'Order',
    last: 'Last attempt',
    attempts: 'attempts',
    first: 'first at',
    all: 'All',
    enabled: 'enabled',
    failing: 'failing since',
    disabled: {
      operator: 'disabled',
      gone: 'disabled: it responded 410',
      failing: 'disabled: nothing arrived for five days',
    },
  },
};

function endpointState(view: View, { disabled, failingSince }: WebhookEndpoint): Markup {
  const words = view.text(texts);
  if (disabled !== null) return badge(words.disabled[disabled], disabled === 'operator' ? 'quiet' : 'bad');
  if (failingSince === null) return badge(words.enabled, 'good');
  return html`${badge(words.failing, 'bad')} ${view.time(failingSince)}`;
}

/** A delivery's place in the list, in the address of the next page. */
const placeOf = ({ sequence, endpointId }: WebhookDelivery): string => `${sequence}-${endpointId}`;

function readPlace(text = ''): Pick<WebhookDelivery, 'sequence' | 'endpointId'> | null {
  const [, sequence, endpointId] = /^(\d{1,15})-(.+)$/.exec(text) ?? [];
  return sequence === undefined || endpointId === undefined
    ? null
    : { sequence: Number(sequence), endpointId };
}

function lastAttempt(view: View, { log, attempts, nextAt }: WebhookDelivery): Markup | string {
  const words = view.text(texts);
  const last = log.at(-1);
  if (!last)
    return nextAt === null ? '' : html`<span class="soft">${words.first} ${view.time(nextAt)}</span>`;
  const result = last.status === null ? last.text.replace(/\.$/, '') : `HTTP ${last.status}`;
  return html`${result}, ${view.number(last.ms)} ms${attempts > 1 ? html` <span class="soft">(${view.number(attempts)} ${words.attempts})</span>` : ''}`;
}

async function endpointsCard(
  view: View,
  { store }: ConsoleDependencies,
  { enable, disable, resendMissed }: WebhookActions,
): Promise<Markup> {
  const words = view.text(texts);
  const [endpoints, pending] = await Promise.all([
    store.listWebhookEndpoints(),
    store.countPendingWebhooks(),
  ]);
  return card(
    words.endpoints,
    dataTable(endpoints, {
      caption: words.endpoints,
      stacks: true,
      columns: [
        {
          title: 'Id',
          cell: ({ endpointId }) =>
            html`<a class="step" href="${view.link(`/events/webhooks${queryText({ endpoint: endpointId })}`)}"><code>${endpointId}</code></a>`,
        },
        {
          title: 'URL',
          cell: ({ url, description }) =>
            html`${redactSecrets(url)}${description === '' ? '' : html`<br><span class="soft">${description}</span>`}`,
        },
        { title: words.account, cell: ({ accountId }) => accountId ?? words.allAccounts },
        {
          title: words.events,
          cell: ({ types }) => (types.length === eventTypes.length ? words.every : types.join(', ')),
        },
        {
          title: words.waiting,
          cell: ({ endpointId }) => view.number(pending.get(endpointId) ?? 0),
          isNumber: true,
        },
        { title: words.state, cell: (endpoint) => endpointState(view, endpoint) },
        {
          title: '',
          cell: ({ endpointId: endpoint, disabled }) =>
            html`<div class="actions">${actionLink(view, disabled === null ? disable : enable, { endpoint })}${actionLink(view, resendMissed, { endpoint })}</div>`,
        },
      ],
      idOf: ({ endpointId }) => `endpoint-${endpointId}`,
      toneOf: ({ disabled, failingSince }) => (disabled === null && failingSince === null ? 'quiet' : 'bad'),
      empty: words.noEndpoints,
    }),
  );
}

async function deliveriesCard(
  view: View,
  { store, query }: ConsoleDependencies & { query: Readonly<Record<string, string>> },
  { resend }: WebhookActions,
): Promise<Markup> {
  const words = view.text(texts);
  const { endpoint, order, event } = query;
  const state = webhookStates.find((known) => known === query.state);
  const after = readPlace(query.after);
  const deliveries = await store.listWebhookDeliveries({
    endpointId: endpoint,
    orderId: order,
    eventId: event,
    state,
    ...(after && { after }),
    limit: readSize,
  });
  const { shown, next } = pageOf(deliveries, placeOf);
  const chips = filterLinks(view, '/events/webhooks', query, {
    name: 'state',
    values: webhookStates,
    titleOf: (value) => view.text(deliveryWords[value].text),
    all: words.all,
  });
  const about = [endpoint, order, event].filter((id) => id !== undefined).join(', ');
  return card(
    about === '' ? words.deliveries : `${words.deliveries}: ${about}`,
    html`${about === '' ? '' : html`<p><a href="${view.link('/events/webhooks')}">${words.allDeliveries}</a></p>`}${chips}${dataTable(
      shown,
      {
        caption: words.deliveries,
        stacks: true,
        columns: [
          { title: words.noticed, cell: ({ createdAt }) => view.time(createdAt) },
          { title: words.event, cell: ({ type, eventId }) => html`${type}<br><code>${eventId}</code>` },
          { title: words.order, cell: ({ orderId }) => (orderId === null ? '' : orderLink(view, orderId)) },
          { title: words.endpoints, cell: ({ endpointId }) => html`<code>${endpointId}</code>` },
          { title: words.state, cell: (delivery) => wordsBadge(view, deliveryWords[delivery.state]) },
          { title: words.last, cell: (delivery) => lastAttempt(view, delivery) },
          {
            title: '',
            cell: ({ endpointId, eventId }) =>
              actionLink(view, resend, { endpoint: endpointId, event: eventId }),
          },
        ],
        idOf: ({ eventId, endpointId }) => `delivery-${eventId}-${endpointId}`,
        toneOf: (delivery) => deliveryWords[delivery.state].tone,
        empty: words.none,
      },
    )}${pageLinks(view, '/events/webhooks', query, next)}`,
  );
}

const path = '/events/webhooks';

/** What others were told, and by which endpoints; see `topup webhooks`. */
export function webhookPages(deps: SectionDependencies): ConsoleSection {
  const actions = createWebhookActions(deps);
  return {
    tabs: { [path]: { id: 'Webhook keluar', en: 'Webhooks out' } },
    actions: Object.values(actions),
    pages: [
      {
        path,
        filters: { endpoint: anyText, order: anyText, event: anyText, state: webhookStates },
        async render(view, { query }) {
          const place = await deps.position();
          return {
            section: 'events',
            title: view.text(texts).title,
            content: html`${sectionTabs(view, path, deps)}<div id="endpoints" data-renew>${await endpointsCard(view, deps, actions)}</div>
<div id="deliveries" data-renew>${await deliveriesCard(view, { ...deps, query }, actions)}</div>`,
            live: { orders: 'shown', position: place, everySeconds: 10 },
          };
        },
      },
    ],
  };
}
