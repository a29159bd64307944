import type { WebhookDelivery, WebhookEvent, WebhookState } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { rawBody } from '../bodies.ts';
import type { ReadNotes } from '../orders/note.ts';
import { details, type StateWords, wordsBadge } from '../parts.ts';
import type { View } from '../view.ts';

const texts = {
  id: { attempts: 'kali dikirim', next: 'berikutnya' },
  en: { attempts: 'times sent', next: 'next' },
};

const title = 'Webhook';

/** How many deliveries of events are read at most. */
const most = 50;

/** When that happened which an event is about, in world time. */
function momentOf({ body, createdAt }: WebhookEvent): number {
  // Safe: the store keeps what the engine wrote, which is an object.
  const { timestamp } = JSON.parse(body) as { timestamp?: unknown };
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(moment) ? createdAt : moment;
}

function sentEvent(view: View, event: WebhookEvent, deliveries: readonly WebhookDelivery[]): Markup {
  const words = view.text(texts);
  const sent = deliveries.map(
    ({ endpointId, state, attempts, nextAt, log }) =>
      html`<p><code>${endpointId}</code> ${wordsBadge(view, deliveryWords[state])} <span class="soft">${attempts} ${words.attempts}${log.map(
        ({ at, status, text }) => html`; ${view.time(at)} ${status ?? text}`,
      )}${nextAt === null ? '' : html`; ${words.next} ${view.time(nextAt)}`}</span></p>`,
  );
  const hasFailed = deliveries.some(({ state }) => state === 'failed');
  return details(
    `event-${event.eventId}`,
    html`${title} ${event.type} ${hasFailed ? wordsBadge(view, deliveryWords.failed) : ''}`,
    html`${sent}${rawBody(view, `body-${event.eventId}`, event.body)}`,
  );
}

/** The events of an order, and where each was sent; an event is deleted after a while. */
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
        title: () => title,
        content: (view: View) => sentEvent(view, event, own),
      },
    ];
  });
};

/** How the pages of the console name what came of sending an event. */
export const deliveryWords: Record<WebhookState, StateWords> = {
  pending: { text: { id: 'menunggu', en: 'pending' }, tone: 'busy' },
  delivered: { text: { id: 'diterima', en: 'delivered' }, tone: 'good' },
  failed: { text: { id: 'gagal', en: 'failed' }, tone: 'bad' },
};
