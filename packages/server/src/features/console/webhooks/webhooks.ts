import { eventTypes } from '@topup-kit/core/contract';
import { type WebhookDelivery, type WebhookEndpoint, webhookStates } from '@topup-kit/core/store';
import { redactSecrets } from '../../../observability/redact.ts';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, chooseButton, choosing, rowActions } from '../actions.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import {
  badge,
  card,
  column,
  dataTable,
  filterLinks,
  numberColumn,
  orderLink,
  queryText,
  wordsBadge,
} from '../parts.ts';
import { anyText, type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { createWebhookActions, deliveryWords, type WebhookActions } from './deliveries.ts';

const texts = {
  title: { id: 'Webhook kepada orang lain', en: 'Webhooks to others' },
  endpoints: { id: 'Tujuan', en: 'Endpoints' },
  noEndpoints: {
    id: 'Belum ada tujuan. Tambahkan dengan: topup webhooks create --url https://shop.example/hooks --events all',
    en: 'No endpoints yet. To add one: topup webhooks create --url https://shop.example/hooks --events all',
  },
  every: { id: 'semua', en: 'all' },
  allAccounts: { id: '(semua)', en: '(all)' },
  waiting: { id: 'Menunggu', en: 'Waiting' },
  deliveries: { id: 'Pengiriman', en: 'Deliveries' },
  allDeliveries: { id: 'Semua pengiriman', en: 'All deliveries' },
  none: { id: 'Tidak ada pengiriman yang cocok.', en: 'No matching deliveries.' },
  noticed: { id: 'Waktu', en: 'Noticed' },
  event: { id: 'Peristiwa', en: 'Event' },
  attempts: { id: 'percobaan', en: 'attempts' },
  first: { id: 'pertama pada', en: 'first at' },
  enabled: { id: 'aktif', en: 'enabled' },
  failing: { id: 'gagal sejak', en: 'failing since' },
  disabled: {
    id: { operator: 'nonaktif', gone: 'nonaktif: menjawab 410', failing: 'nonaktif: lima hari gagal' },
    en: {
      operator: 'disabled',
      gone: 'disabled: it responded 410',
      failing: 'disabled: nothing arrived for five days',
    },
  },
};

function endpointState(view: View, { disabled, failingSince }: WebhookEndpoint): Markup {
  const words = view.words(texts);
  if (disabled !== null) return badge(words.disabled[disabled], disabled === 'operator' ? 'quiet' : 'bad');
  if (failingSince === null) return badge(words.enabled, 'good');
  return html`${badge(words.failing, 'bad')} ${view.time(failingSince)}`;
}

/** Returns the position of a delivery in the list, for the address of the next page. */
const placeOf = ({ sequence, endpointId }: WebhookDelivery): string => `${sequence}-${endpointId}`;

function readPlace(text = ''): Pick<WebhookDelivery, 'sequence' | 'endpointId'> | null {
  const [, sequence, endpointId] = /^(\d{1,15})-(.+)$/.exec(text) ?? [];
  return sequence === undefined || endpointId === undefined
    ? null
    : { sequence: Number(sequence), endpointId };
}

function lastAttempt(view: View, { log, attempts, nextAt }: WebhookDelivery): Markup | string {
  const words = view.words(texts);
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
  const words = view.words(texts);
  const [endpoints, pending] = await Promise.all([
    store.listWebhookEndpoints(),
    store.countPendingWebhooks(),
  ]);
  return card(
    words.endpoints,
    dataTable(endpoints, {
      caption: words.endpoints,
      columns: [
        column('status', words.state, (endpoint) => endpointState(view, endpoint)),
        column(
          'what',
          'URL',
          ({ endpointId, url, description }) =>
            html`<a class="open step" title="${endpointId}" href="${view.link(`/events/webhooks${queryText({ endpoint: endpointId })}`)}">${redactSecrets(url)}</a><span class="soft">${description}</span>`,
        ),
        column('wide', words.account, ({ accountId }) => accountId ?? words.allAccounts),
        column('wide', words.events, ({ types }) =>
          types.length === eventTypes.length
            ? words.every
            : html`<span title="${types.join(', ')}">${types.slice(0, 2).join(', ')}${types.length > 2 ? ' …' : ''}</span>`,
        ),
        numberColumn('total', words.waiting, ({ endpointId }) => view.number(pending.get(endpointId) ?? 0)),
        column('act', '', ({ endpointId: endpoint, disabled }) =>
          rowActions(view, endpoint, { endpoint }, [resendMissed, disabled === null ? disable : enable]),
        ),
      ],
      idOf: ({ endpointId }) => `endpoint-${endpointId}`,
      toneOf: ({ disabled, failingSince }) => (disabled === null && failingSince === null ? 'quiet' : 'bad'),
      empty: words.noEndpoints,
    }),
  );
}

/** Renders the sent events with their endpoints, newest first. */
function deliveryTable(
  view: View,
  deliveries: readonly WebhookDelivery[],
  { resend, resendMany }: WebhookActions,
): Markup {
  const words = view.words(texts);
  return dataTable(deliveries, {
    caption: words.deliveries,
    columns: [
      column('status', words.state, (delivery) => wordsBadge(view, deliveryWords[delivery.state])),
      column(
        'what',
        words.event,
        (delivery) =>
          html`<b title="${delivery.eventId}">${delivery.type}</b> <span class="soft">${lastAttempt(view, delivery)}</span>`,
      ),
      column('who', words.order, ({ orderId }) =>
        orderId === null ? '' : orderLink(view, orderId, orderId.slice(-8)),
      ),
      column('wide', words.endpoints, ({ endpointId }) => html`<code>${endpointId}</code>`),
      column('when', words.noticed, ({ createdAt }) => view.time(createdAt)),
      column('act', '', ({ endpointId, eventId }) =>
        actionLink(view, resend, { endpoint: endpointId, event: eventId }),
      ),
    ],
    idOf: ({ eventId, endpointId }) => `delivery-${eventId}-${endpointId}`,
    toneOf: (delivery) => deliveryWords[delivery.state].tone,
    empty: words.none,
    choosing: choosing(view, [resendMany], ({ eventId, endpointId }) => `${endpointId}:${eventId}`),
  });
}

async function deliveriesCard(
  view: View,
  { store, query }: ConsoleDependencies & { query: Readonly<Record<string, string>> },
  actions: WebhookActions,
): Promise<Markup> {
  const words = view.words(texts);
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
    html`${about === '' ? '' : html`<p><a href="${view.link('/events/webhooks')}">${words.allDeliveries}</a></p>`}${chips}${deliveryTable(view, shown, actions)}${pageLinks(view, '/events/webhooks', query, next)}`,
  );
}

const path = '/events/webhooks';

/** Creates the pages of sent events and endpoints; see `topup webhooks`. */
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
            title: view.words(texts).title,
            actions: chooseButton(view),
            content: html`${sectionTabs(view, path, deps)}<div id="endpoints" data-renew>${await endpointsCard(view, deps, actions)}</div>
<div id="deliveries" data-renew>${await deliveriesCard(view, { ...deps, query }, actions)}</div>`,
            live: { orders: 'shown', position: place, everySeconds: 10 },
          };
        },
      },
    ],
  };
}
