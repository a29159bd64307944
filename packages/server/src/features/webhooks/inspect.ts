import { orderEventTypes } from '@topup-kit/core/contract';
import { eventId, type FollowedEndpoint, verifyEvents } from '@topup-kit/core/engine';
import type { Hash } from '@topup-kit/core/platform';
import { erasedEventBody, type WebhookAttempt, type WebhookStore } from '@topup-kit/core/store';
import { integer, integerOrNull, json, type Row, text as textOf } from '../../rows/columns.ts';
import type { StoreName } from '../../rows/names.ts';
import { placedVersion } from '../../sql/changes.ts';
import { byOrder } from '../../sql/records.ts';
import { all, type Command, type Statement, sql, text } from '../../sql/statement.ts';
import { type Check, type IdRange, ownerless, type RoomCheck } from '../../sql/verify.ts';
import { listWebhookEndpoints, readEventProgress } from './sql.ts';

/** Limit that is above the number of events of any order. */
const mostOfOrder = 1_000;

/** Reports the endpoints with their stored secrets. */
export const reportWebhooks = async (store: Pick<WebhookStore, 'listWebhookEndpoints'>) => ({
  webhooks: await store.listWebhookEndpoints(),
});

/** The events of orders. */
export const webhookMessages = {
  async count(store: Pick<WebhookStore, 'listWebhookDeliveries'>, orderId: string) {
    const deliveries = await store.listWebhookDeliveries({ orderId, limit: mostOfOrder });
    return { events: new Set(deliveries.map(({ eventId }) => eventId)).size };
  },
};

const withoutText = (row: Row): string =>
  JSON.stringify(json<WebhookAttempt[]>(row, 'log').map((attempt) => ({ ...attempt, text: '' })));

/** Erases the personal data in events and in the responses of their endpoints. */
export function* eraseOrder(orderId: string): Command<{ events: number }> {
  const [events, deliveries] = yield [
    sql`SELECT event_id, body FROM webhook_events WHERE order_id = ${orderId}`,
    sql`SELECT endpoint_id, event_id, log FROM webhook_deliveries WHERE order_id = ${orderId}`,
  ];
  yield [
    ...(events?.rows ?? []).map(
      (row) => sql`
        UPDATE webhook_events SET body = ${erasedEventBody(textOf(row, 'body'))}
        WHERE event_id = ${textOf(row, 'event_id')}`,
    ),
    ...(deliveries?.rows ?? []).map(
      (row) => sql`
        UPDATE webhook_deliveries SET log = ${withoutText(row)}
        WHERE endpoint_id = ${textOf(row, 'endpoint_id')} AND event_id = ${textOf(row, 'event_id')}`,
    ),
  ];
  return { events: events?.rows.length ?? 0 };
}

/** Reads the names of endpoints and events for command-line completion, newest events first. */
export function* readWebhookNames(limit: number): Command<{ webhooks: StoreName[]; events: StoreName[] }> {
  const named = (name: string, about: string) => (row: Row) => ({
    name: textOf(row, name),
    about: textOf(row, about),
  });
  return {
    webhooks: yield* all(
      sql`SELECT endpoint_id, url FROM webhook_endpoints ORDER BY created_at, endpoint_id`,
      named('endpoint_id', 'url'),
    ),
    events: yield* all(
      sql`SELECT event_id, type FROM webhook_events ORDER BY place DESC LIMIT ${limit}`,
      named('event_id', 'type'),
    ),
  };
}

const placeOf = (row: Row) => ({ version: integer(row, 'version'), place: integerOrNull(row, 'position') });

const readPlaces = (among: Statement): Statement =>
  sql`SELECT order_id, version, position FROM history WHERE ${among} ORDER BY order_id, version`;

/** Time after an endpoint's first events until all servers of the store know the endpoint and keep its events, in milliseconds. */
const settledMs = 60_000;

/**
 * Finds unedited endpoints, each with the first change whose event it must have. An edited endpoint may have been disabled for a time, and
 * old events are deleted.
 */
function* findFollowedEndpoints(hash: Hash): Command<FollowedEndpoint[]> {
  const followed: FollowedEndpoint[] = [];
  const { position: upTo } = yield* readEventProgress();
  for (const endpoint of yield* listWebhookEndpoints()) {
    if (endpoint.version !== 1 || endpoint.disabled !== null) continue;
    const first = yield* all(
      sql`
        SELECT delivery.order_id, delivery.event_id FROM webhook_deliveries AS delivery
        JOIN webhook_events AS event ON event.event_id = delivery.event_id
        WHERE delivery.endpoint_id = ${endpoint.endpointId} AND delivery.order_id IS NOT NULL
          AND event.created_at > ${endpoint.createdAt + settledMs}
          AND event.created_at > (SELECT min(created_at) + ${settledMs} FROM webhook_events)
        ORDER BY delivery.place LIMIT 1`,
      (row) => ({ orderId: textOf(row, 'order_id'), id: textOf(row, 'event_id') }),
    );
    for (const { orderId, id } of first) {
      const places = yield* all(readPlaces(sql`order_id = ${orderId}`), placeOf);
      const change = places.find(({ version }) =>
        orderEventTypes.some((type) => eventId(hash, orderId, version, type) === id),
      );
      if (change && change.place !== null) followed.push({ endpoint, after: change.place, upTo });
    }
  }
  return followed;
}

/** Finds the range of ids of orders with stored events; null if there are none. */
function* findEventRange(): Command<{ first: string; last: string } | null> {
  const [row] = yield* all(
    sql`SELECT min(order_id) AS first, max(order_id) AS last FROM webhook_deliveries`,
    (range) => range,
  );
  return row && row.first !== null ? { first: textOf(row, 'first'), last: textOf(row, 'last') } : null;
}

const tables: readonly Check[] = [
  ownerless('webhook_events', 'events'),
  {
    rule: 'events',
    statement: text(`
      SELECT order_id, event_id AS first, endpoint_id AS second FROM webhook_deliveries
      WHERE NOT EXISTS (SELECT 1 FROM webhook_events WHERE webhook_events.event_id = webhook_deliveries.event_id)`),
    sentence: (event, endpoint) => `event ${event} is due for ${endpoint}, but is missing`,
  },
  {
    rule: 'places',
    statement: text(`
      SELECT NULL AS order_id, CAST(event_progress.position AS TEXT) AS first, CAST(last_change.position AS TEXT) AS second
      FROM event_progress, last_change WHERE event_progress.position > last_change.position`),
    sentence: (made, last) => `events exist up to change ${made}, but the last change is ${last}`,
  },
];

/** Checks that every event belongs to a change, and that every change has the events that endpoints want. */
export const webhookChecks: RoomCheck = {
  tables,
  *ofOrders(hash) {
    const followed = yield* findFollowedEndpoints(hash);
    const kept = yield* findEventRange();
    return {
      rule: 'events',
      *read({ after, last }: IdRange) {
        const among = sql`order_id > ${after} AND order_id <= ${last}`;
        const [events, changes] = yield [
          // No index has this order, so each page reads all stored events.
          kept !== null && after < kept.last && last >= kept.first
            ? sql`SELECT order_id, endpoint_id, event_id FROM webhook_deliveries WHERE ${among}`
            : text(''),
          followed.length > 0 ? readPlaces(among) : text(''),
        ];
        const eventsOf = byOrder(events?.rows ?? [], (row) => ({
          endpointId: textOf(row, 'endpoint_id'),
          eventId: textOf(row, 'event_id'),
        }));
        const placesOf = byOrder(changes?.rows ?? [], placeOf);
        return (records) => {
          const { orderId } = records.order;
          const places = new Map(placesOf(orderId).map(({ version, place }) => [version, place]));
          const own = {
            places: [placedVersion, ...records.versions].map((version) => places.get(version) ?? null),
            events: eventsOf(orderId),
          };
          return verifyEvents(records, own, { hash, followed });
        };
      },
    };
  },
};
