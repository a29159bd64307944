import { eventId, eventsOf } from '../../engine/feed.ts';
import type { OrderRecords } from '../../engine/verify.ts';
import type { Hash } from '../../platform/index.ts';
import { wants } from './endpoints.ts';
import { isLater } from './outbox.ts';
import type { WebhookEndpoint } from './store.ts';

/** What is known of the events of an order. */
export interface EventRecords {
  /** The places of its changes among those of all orders, the placing first; null when one has none yet. */
  places: readonly (number | null)[];
  /** Its events that were sent to endpoints, or are to be. */
  events: readonly { endpointId: string; eventId: string }[];
}

/** An endpoint that must have got every event that it wants between two changes. */
export interface FollowedEndpoint {
  endpoint: WebhookEndpoint;
  /** The place of a change whose event it got, and up to which place changes were made events. */
  after: number;
  upTo: number;
}

/** Every event is of a change, and every change has its events where they were wanted. */
export function* verifyEvents(
  { order, history, versions }: OrderRecords,
  { places, events }: EventRecords,
  { hash, followed }: { hash: Hash; followed: readonly FollowedEndpoint[] },
): Generator<string> {
  const wanted = followed.filter(({ after, upTo }) =>
    places.some((place) => place !== null && place > after && place <= upTo),
  );
  if (events.length === 0 && wanted.length === 0) return;
  const possible = [null, ...history].flatMap((entry, index) =>
    eventsOf(entry).map((type) => ({
      type,
      at: entry?.at ?? order.createdAt,
      place: places[index] ?? null,
      id: eventId(hash, order.orderId, versions[index - 1] ?? 1, type),
    })),
  );
  for (const { eventId: id } of events)
    if (possible.every((one) => one.id !== id)) yield `event ${id} is of no change of it`;
  for (const { endpoint, after, upTo } of wanted)
    for (const { type, at, place, id } of possible) {
      const isFollowed = place !== null && place > after && place <= upTo;
      if (!isFollowed || !wants(endpoint, type, order.accountId) || !isLater(at, endpoint)) continue;
      if (!events.some((event) => event.eventId === id && event.endpointId === endpoint.endpointId))
        yield `its change at place ${place} made no ${type} for the endpoint ${endpoint.endpointId}`;
    }
}
