import { editEndpoint } from '@topup-kit/core/engine';
import type { WebhookDelivery, WebhookEndpoint, WebhookEvent, WebhookState } from '@topup-kit/core/store';
import { redactSecrets } from '../../../observability/redact.ts';
import { html, type Markup } from '../../../pages/html.ts';
import { type ConsoleAction, InputError } from '../actions.ts';
import { rawBody } from '../bodies.ts';
import { chosenAction } from '../chosen.ts';
import type { ReadNotes } from '../orders/note.ts';
import { details, type StateWords, wordsBadge } from '../parts.ts';
import type { AlertLook, ReadFirstStep, SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  again: { id: 'pengiriman akan dikirim lagi.', en: 'deliveries will be sent again.' },
  nothing: { id: 'Tidak ada pengiriman yang cocok.', en: 'No matching deliveries.' },
  enable: {
    id: 'akan menerima peristiwa lagi. Peristiwa selama nonaktif tidak dikirim.',
    en: 'will receive events again. Events from the time while it was disabled are not sent.',
  },
  disable: {
    id: 'tidak akan menerima apa pun lagi, dan server tidak menyimpan peristiwa untuknya.',
    en: 'will receive nothing more, and the server keeps no events for it.',
  },
  attempts: { id: 'kali dikirim', en: 'times sent' },
  next: { id: 'berikutnya', en: 'next' },
};

/** States of undelivered events in the order in which the events are sent again; failed events become pending. */
const notArrived: readonly WebhookState[] = ['pending', 'failed'];

/** Maximum number of deliveries to count before they are sent again. */
const mostCounted = 10_000;

/** Maximum age of failed deliveries that are sent again, in milliseconds: the retention of events. */
const keptMs = 30 * 24 * 60 * 60_000;

/** Creates the actions on event deliveries and on their endpoints; see `topup webhooks`. */
export function createWebhookActions(deps: SectionDependencies) {
  const { store, realClock, seal } = deps;
  async function find(endpointId: string | undefined): Promise<WebhookEndpoint> {
    const endpoint = (await store.listWebhookEndpoints()).find((known) => known.endpointId === endpointId);
    if (endpoint) return endpoint;
    throw new InputError({
      id: `Tidak ada tujuan ${endpointId}.`,
      en: `There is no endpoint ${endpointId}.`,
    });
  }
  const again = (count: number, view: View): Markup => {
    if (count === 0) throw new InputError(texts.nothing);
    return html`<p>${view.number(count)} ${view.words(texts).again}</p>`;
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
  const resendMany = chosenAction<WebhookDelivery>(
    {
      path: '/events/webhooks/resend',
      section: 'events',
      title: resend.title,
      isWithoutNote: true,
      async read(ids) {
        const read = await Promise.all(
          ids.map((id) => {
            const [endpointId, eventId] = id.split(':');
            return store.listWebhookDeliveries({ endpointId, eventId, limit: 1 });
          }),
        );
        return read.flat();
      },
      idOf: ({ endpointId, eventId }) => `${endpointId}:${eventId}`,
      amountOf: () => null,
      show: (view, { type, endpointId, state }) =>
        html`${wordsBadge(view, deliveryWords[state])} <b>${type}</b> <code class="soft">${endpointId}</code>`,
      verb: ({ count }) => ({ id: `Kirim lagi ${count}`, en: `Send ${count} again` }),
      async perform(_view, { id }) {
        const [endpointId, eventId] = id.split(':');
        await store.resendWebhooks({ endpointId, eventId }, realClock());
      },
    },
    deps,
  );
  const missed = (endpointId: string | undefined) =>
    notArrived.map((state) => ({ endpointId, state, from: realClock() - keptMs }));
  const resendMissed: ConsoleAction = {
    path: '/events/webhooks/:endpoint/resend',
    section: 'events',
    title: { id: 'Kirim ulang peristiwa yang belum sampai', en: 'Resend undelivered events' },
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
      return html`<p>${redactSecrets(url)} ${view.words(texts)[enabled ? 'enable' : 'disable']}</p>`;
    },
    async perform({ params }, { visitor: { operator } }) {
      const { endpointId } = await find(params.endpoint);
      await editEndpoint({ store, seal }, endpointId, { enabled });
      const did = { at: realClock(), operator, action: 'webhook.changed' } as const;
      await store.addActivity({ ...did, subject: endpointId, amount: null });
      return '/events/webhooks';
    },
  });

  return { resend, resendMany, resendMissed, enable: switchTo(true), disable: switchTo(false) };
}

export type WebhookActions = ReturnType<typeof createWebhookActions>;

const noteTitle = 'Webhook';

/** Maximum number of deliveries per order. */
const most = 50;

/** Returns the world time when the event happened. */
function momentOf({ body, createdAt }: WebhookEvent): number {
  // Safe: the engine wrote the stored body, which is an object.
  const { timestamp } = JSON.parse(body) as { timestamp?: unknown };
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(moment) ? createdAt : moment;
}

function sentEvent(view: View, event: WebhookEvent, deliveries: readonly WebhookDelivery[]): Markup {
  const words = view.words(texts);
  const sent = deliveries.map(
    ({ endpointId, state, attempts, nextAt, log }) =>
      html`<p><code>${endpointId}</code> ${wordsBadge(view, deliveryWords[state])} <span class="soft">${attempts} ${words.attempts}${log.map(
        ({ at, status, text }) => html`; ${view.time(at)} ${status ?? text}`,
      )}${nextAt === null ? '' : html`; ${words.next} ${view.time(nextAt)}`}</span></p>`,
  );
  const hasFailed = deliveries.some(({ state }) => state === 'failed');
  return details(
    `event-${event.eventId}`,
    html`${noteTitle} ${event.type} ${hasFailed ? wordsBadge(view, deliveryWords.failed) : ''}`,
    html`${sent}${rawBody(view, `body-${event.eventId}`, event.body)}`,
  );
}

/** Reads the events of an order with their deliveries. Events are deleted after their retention. */
export const readSentEvents: ReadNotes = async (store, { orderId }) => {
  const deliveries = await store.listWebhookDeliveries({ orderId, limit: most });
  const ids = [...new Set(deliveries.map(({ eventId }) => eventId))];
  const events = await Promise.all(ids.map((eventId) => store.findWebhookEvent(eventId)));
  return events.flatMap((event) => {
    if (event === null) return [];
    const own = deliveries.filter(({ eventId }) => eventId === event.eventId);
    return [
      {
        at: momentOf(event),
        event: event.type,
        title: () => noteTitle,
        content: (view: View) => sentEvent(view, event, own),
      },
    ];
  });
};

/** The console's words for the states of event deliveries. */
export const deliveryWords: Record<WebhookState, StateWords> = {
  pending: { text: { id: 'menunggu', en: 'pending' }, tone: 'busy' },
  delivered: { text: { id: 'diterima', en: 'delivered' }, tone: 'good' },
  failed: { text: { id: 'gagal', en: 'failed' }, tone: 'bad' },
};

export const webhookAlertLooks = {
  'failing-webhooks': {
    tone: 'quiet',
    icon: 'plug',
    title: { id: 'Webhook gagal', en: 'Webhook fails' },
    verb: { id: 'Lihat', en: 'Look' },
  },
} as const satisfies Record<string, AlertLook>;

/** Tells whether a system of the shop receives events. */
export const webhookStep: ReadFirstStep = async (view, { store, storeFlag }) => {
  const { length } = await store.listWebhookEndpoints();
  return {
    title: { id: 'Kirim peristiwa ke sistem Anda', en: 'Send events to your systems' },
    found:
      length === 0
        ? null
        : html`<a href="${view.link('/events/webhooks')}">${view.number(length)} webhook</a>`,
    why: { id: 'Misalnya ke toko atau pembukuan.', en: 'Such as the storefront or the books.' },
    isOptional: true,
    command: `topup webhooks create --url https://shop.example/hooks --events all${storeFlag}`,
  };
};
