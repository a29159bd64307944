import { eventTypes } from '@topup-kit/core/contract';
import { editEndpoint } from '@topup-kit/core/engine';
import {
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookState,
  webhookStates,
} from '@topup-kit/core/store';
import { html } from 'hono/html';
import { redactSecrets } from '../../observability/redact.ts';
import type { Markup } from '../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { pageLinks, pageOf, readSize } from '../paging.ts';
import { badge, card, dataTable, filterLinks, orderLink, queryText, wordsBadge } from '../parts.ts';
import type { ConsoleSection, SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';
import { eventTabs } from './tabs.ts';
import { deliveryWords } from './words.ts';

const texts = {
  id: {
    title: 'Webhook kepada orang lain',
    endpoints: 'Tujuan',
    noEndpoints: 'Belum ada tujuan. Tambahkan dengan: topup webhooks create',
    events: 'Peristiwa',
    every: 'semua',
    account: 'Akun',
    allAccounts: '(semua)',
    waiting: 'Menunggu',
    state: 'Keadaan',
    deliveries: 'Pengiriman',
    none: 'Tidak ada pengiriman seperti itu.',
    noticed: 'Waktu',
    event: 'Peristiwa',
    order: 'Pesanan',
    last: 'Percobaan terakhir',
    attempts: 'percobaan',
    all: 'Semua',
    enabled: 'aktif',
    failing: 'gagal sejak',
    disabled: { operator: 'nonaktif', gone: 'nonaktif: menjawab 410', failing: 'nonaktif: lima hari gagal' },
    again: 'pengiriman akan dikirim lagi.',
    nothing: 'Tidak ada pengiriman seperti itu.',
    enable: 'akan menerima peristiwa lagi. Peristiwa selama nonaktif tidak dikirim.',
    disable: 'tidak menerima apa pun lagi, dan peristiwa tidak disimpan untuknya.',
  },
  en: {
    title: 'Webhooks to others',
    endpoints: 'Endpoints',
    noEndpoints: 'No endpoints yet. To add one: topup webhooks create',
    events: 'Events',
    every: 'all',
    account: 'Account',
    allAccounts: '(all)',
    waiting: 'Waiting',
    state: 'State',
    deliveries: 'Deliveries',
    none: 'No such deliveries.',
    noticed: 'Noticed',
    event: 'Event',
    order: 'Order',
    last: 'Last attempt',
    attempts: 'attempts',
    all: 'All',
    enabled: 'enabled',
    failing: 'failing since',
    disabled: {
      operator: 'disabled',
      gone: 'disabled: it responded 410',
      failing: 'disabled: nothing arrived for five days',
    },
    again: 'deliveries will be sent again.',
    nothing: 'No such deliveries.',
    enable: 'will be sent events again. What happened while it was disabled is not sent.',
    disable: 'is sent nothing any more, and events are not kept for it.',
  },
};

/** What has not arrived, in the order in which it is sent again: the failed ones become pending. */
const notArrived: readonly WebhookState[] = ['pending', 'failed'];

/** More are not counted before they are sent again. */
const mostCounted = 10_000;

/** How far back failed deliveries are sent again from here: as long as events are kept, in milliseconds. */
const keptMs = 30 * 24 * 60 * 60_000;

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
  const last = log.at(-1);
  if (!last) return nextAt === null ? '' : view.time(nextAt);
  const result = last.status === null ? last.text : `HTTP ${last.status}`;
  return html`${result}, ${view.number(last.ms)} ms${attempts > 1 ? html` <span class="soft">(${view.number(attempts)} ${view.text(texts).attempts})</span>` : ''}`;
}

/** What others were told, and by which endpoints; see `topup webhooks`. */
export function webhookPages({ store, realClock, seal, position }: SectionDependencies): ConsoleSection {
  async function find(endpointId: string | undefined): Promise<WebhookEndpoint> {
    const endpoint = (await store.listWebhookEndpoints()).find((known) => known.endpointId === endpointId);
    if (endpoint) return endpoint;
    throw new InputError({
      id: `Tidak ada tujuan ${endpointId}.`,
      en: `There is no endpoint ${endpointId}.`,
    });
  }
  const again = (count: number, view: View): Markup => {
    if (count === 0) throw new InputError({ id: texts.id.nothing, en: texts.en.nothing });
    return html`<p>${view.number(count)} ${view.text(texts).again}</p>`;
  };

  const resend: ConsoleAction = {
    path: '/events/webhooks/:endpoint/resend/:event',
    section: 'events',
    title: { id: 'Kirim lagi', en: 'Send again' },
    isWithoutNote: true,
    async preview({ params }, view) {
      const filter = { endpointId: params.endpoint, eventId: params.event };
      return again((await store.listWebhookDeliveries({ ...filter, limit: 1 })).length, view);
    },
    async perform({ params }) {
      await store.resendWebhooks({ endpointId: params.endpoint, eventId: params.event }, realClock());
      return '';
    },
  };
  const missed = (endpointId: string | undefined) =>
    notArrived.map((state) => ({ endpointId, state, from: realClock() - keptMs }));
  const resendMissed: ConsoleAction = {
    path: '/events/webhooks/:endpoint/resend',
    section: 'events',
    title: { id: 'Kirim lagi yang belum sampai', en: 'Send again what has not arrived' },
    isWithoutNote: true,
    async preview({ params }, view) {
      await find(params.endpoint);
      const found = await Promise.all(
        missed(params.endpoint).map((filter) =>
          store.listWebhookDeliveries({ ...filter, limit: mostCounted }),
        ),
      );
      return again(found.flat().length, view);
    },
    async perform({ params }) {
      for (const filter of missed(params.endpoint)) await store.resendWebhooks(filter, realClock());
      return '/events/webhooks';
    },
  };
  const switchTo = (enabled: boolean): ConsoleAction => ({
    path: `/events/webhooks/:endpoint/${enabled ? 'enable' : 'disable'}`,
    section: 'events',
    title: enabled ? { id: 'Aktifkan', en: 'Enable' } : { id: 'Nonaktifkan', en: 'Disable' },
    isWithoutNote: true,
    async preview({ params }, view) {
      const { url } = await find(params.endpoint);
      return html`<p>${redactSecrets(url)} ${view.text(texts)[enabled ? 'enable' : 'disable']}</p>`;
    },
    async perform({ params }) {
      const { endpointId } = await find(params.endpoint);
      await editEndpoint({ store, seal }, endpointId, { enabled });
      return '/events/webhooks';
    },
  });
  const [enable, disable] = [switchTo(true), switchTo(false)];

  async function endpointsCard(view: View): Promise<Markup> {
    const words = view.text(texts);
    const [endpoints, pending] = await Promise.all([
      store.listWebhookEndpoints(),
      store.countPendingWebhooks(),
    ]);
    return card(
      words.endpoints,
      dataTable({
        caption: words.endpoints,
        stacks: true,
        columns: [
          { title: 'Id' },
          { title: 'URL' },
          { title: words.account },
          { title: words.events },
          { title: words.waiting, isNumber: true },
          { title: words.state },
          { title: '' },
        ],
        rows: endpoints.map((endpoint) => ({
          id: `endpoint-${endpoint.endpointId}`,
          cells: [
            html`<a class="step" href="${view.link(`/events/webhooks${queryText({ endpoint: endpoint.endpointId })}`)}"><code>${endpoint.endpointId}</code></a>`,
            html`${redactSecrets(endpoint.url)}${endpoint.description === '' ? '' : html`<br><span class="soft">${endpoint.description}</span>`}`,
            endpoint.accountId ?? words.allAccounts,
            endpoint.types.length === eventTypes.length ? words.every : endpoint.types.join(', '),
            view.number(pending.get(endpoint.endpointId) ?? 0),
            endpointState(view, endpoint),
            html`<div class="actions">${actionLink(view, endpoint.disabled === null ? disable : enable, { endpoint: endpoint.endpointId })}${actionLink(view, resendMissed, { endpoint: endpoint.endpointId })}</div>`,
          ],
          tone: endpoint.disabled === null && endpoint.failingSince === null ? 'quiet' : 'bad',
        })),
        empty: words.noEndpoints,
      }),
    );
  }

  async function deliveriesCard(view: View, query: Readonly<Record<string, string>>): Promise<Markup> {
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
      html`${chips}${dataTable({
        caption: words.deliveries,
        stacks: true,
        columns: [
          { title: words.noticed },
          { title: words.event },
          { title: words.order },
          { title: words.endpoints },
          { title: words.state },
          { title: words.last },
          { title: '' },
        ],
        rows: shown.map((delivery) => ({
          id: `delivery-${delivery.eventId}-${delivery.endpointId}`,
          cells: [
            view.time(delivery.createdAt),
            html`${delivery.type}<br><code>${delivery.eventId}</code>`,
            delivery.orderId === null ? '' : orderLink(view, delivery.orderId),
            html`<code>${delivery.endpointId}</code>`,
            wordsBadge(view, deliveryWords[delivery.state]),
            lastAttempt(view, delivery),
            actionLink(view, resend, { endpoint: delivery.endpointId, event: delivery.eventId }),
          ],
          tone: deliveryWords[delivery.state].tone,
        })),
        empty: words.none,
      })}${pageLinks(view, '/events/webhooks', query, next)}`,
    );
  }

  return {
    actions: [resend, resendMissed, enable, disable],
    pages: [
      {
        path: '/events/webhooks',
        async render(view, { query }) {
          const place = await position();
          return {
            section: 'events',
            title: view.text(texts).title,
            content: html`${eventTabs(view, '/events/webhooks')}<div id="endpoints" data-renew>${await endpointsCard(view)}</div>
<div id="deliveries" data-renew>${await deliveriesCard(view, query)}</div>`,
            live: { orders: 'shown', position: place, everySeconds: 10 },
          };
        },
      },
    ],
  };
}
