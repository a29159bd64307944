import {
  type Conflict,
  type Done,
  type DueWebhook,
  disabledReasons,
  done,
  type EventProgress,
  type PlannedEvent,
  type RaisedAlerts,
  type RecordAttempt,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookFilter,
  type WebhookStore,
  webhookStates,
} from '@topup-kit/core/store';
import { integer, integerOrNull, json, oneOf, type Row, text, textOrNull } from '../../rows/columns.ts';
import {
  all,
  type Command,
  change,
  exists,
  first,
  text as plain,
  type Statement,
  sql,
  where,
} from '../../sql/statement.ts';

const endpointOf = (row: Row): WebhookEndpoint => ({
  endpointId: text(row, 'endpoint_id'),
  accountId: textOrNull(row, 'account_id'),
  url: text(row, 'url'),
  types: json<WebhookEndpoint['types']>(row, 'types'),
  description: text(row, 'description'),
  secret: text(row, 'secret'),
  previousSecret: textOrNull(row, 'previous_secret'),
  previousUntil: integerOrNull(row, 'previous_until'),
  disabled: row.disabled === null ? null : oneOf(disabledReasons, row, 'disabled'),
  createdAt: integer(row, 'created_at'),
  failingSince: integerOrNull(row, 'failing_since'),
  version: integer(row, 'version'),
});

const eventOf = (row: Row): WebhookEvent => ({
  eventId: text(row, 'event_id'),
  // Safe: only the store writes the column, always with the type of an event.
  type: text(row, 'type') as WebhookEvent['type'],
  accountId: textOrNull(row, 'account_id'),
  orderId: textOrNull(row, 'order_id'),
  createdAt: integer(row, 'created_at'),
  body: text(row, 'body'),
});

const deliveryOf = (row: Row): WebhookDelivery => ({
  endpointId: text(row, 'endpoint_id'),
  eventId: text(row, 'event_id'),
  // Safe: see `eventOf`.
  type: text(row, 'type') as WebhookEvent['type'],
  orderId: textOrNull(row, 'order_id'),
  createdAt: integer(row, 'created_at'),
  sequence: integer(row, 'place'),
  state: oneOf(webhookStates, row, 'state'),
  attempts: integer(row, 'attempts'),
  step: integer(row, 'step'),
  nextAt: integerOrNull(row, 'next_at'),
  log: json<WebhookAttempt[]>(row, 'log'),
});

function* addWebhookEndpoint(endpoint: WebhookEndpoint): Command<Done | Conflict<'endpoint_taken'>> {
  const added = yield* change(sql`
    INSERT INTO webhook_endpoints (endpoint_id, account_id, url, types, description, secret, previous_secret,
      previous_until, disabled, created_at, failing_since, version)
    VALUES (${endpoint.endpointId}, ${endpoint.accountId}, ${endpoint.url}, ${JSON.stringify(endpoint.types)},
      ${endpoint.description}, ${endpoint.secret}, ${endpoint.previousSecret}, ${endpoint.previousUntil},
      ${endpoint.disabled}, ${endpoint.createdAt}, ${endpoint.failingSince}, ${endpoint.version})
    ON CONFLICT DO NOTHING`);
  return added > 0 ? done : { conflict: 'endpoint_taken' };
}

export const listWebhookEndpoints = (): Command<WebhookEndpoint[]> =>
  all(sql`SELECT * FROM webhook_endpoints ORDER BY created_at, endpoint_id`, endpointOf);

const isKnown = (endpointId: string): Command<boolean> =>
  exists(sql`SELECT 1 FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`);

function* changeWebhookEndpoint(
  endpoint: WebhookEndpoint,
): Command<Done | Conflict<'endpoint_missing' | 'endpoint_changed'>> {
  const { endpointId } = endpoint;
  const changed = yield* change(sql`
    UPDATE webhook_endpoints SET url = ${endpoint.url}, types = ${JSON.stringify(endpoint.types)},
      description = ${endpoint.description}, secret = ${endpoint.secret},
      previous_secret = ${endpoint.previousSecret}, previous_until = ${endpoint.previousUntil},
      disabled = ${endpoint.disabled}, failing_since = ${endpoint.failingSince}, version = version + 1
    WHERE endpoint_id = ${endpointId} AND version = ${endpoint.version}`);
  if (changed > 0) return done;
  return { conflict: (yield* isKnown(endpointId)) ? 'endpoint_changed' : 'endpoint_missing' };
}

function* deleteWebhookEndpoint(endpointId: string): Command<Done | Conflict<'endpoint_missing'>> {
  const [, deleted] = yield [
    sql`DELETE FROM webhook_deliveries WHERE endpoint_id = ${endpointId}`,
    sql`DELETE FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`,
  ];
  return deleted?.count === 0 ? { conflict: 'endpoint_missing' } : done;
}

export function* readEventProgress(): Command<EventProgress> {
  const progress = yield* first(sql`SELECT position, edit FROM event_progress`, (row) => ({
    position: integer(row, 'position'),
    edit: integer(row, 'edit'),
  }));
  return progress ?? { position: integer({}, 'position'), edit: integer({}, 'edit') };
}

/** Returns the next event number. Numbers are assigned one command at a time, so the sequence has no gaps. */
function* nextSequence(count: number): Command<number> {
  const last = yield* first(sql`UPDATE event_progress SET place = place + ${count} RETURNING place`, (row) =>
    integer(row, 'place'),
  );
  return (last ?? integer({}, 'place')) - count + 1;
}

function* addEvents(events: readonly PlannedEvent[]): Command<void> {
  if (events.length === 0) return;
  const start = yield* nextSequence(events.length);
  yield events.flatMap(({ event, endpointIds }, index) => [
    sql`
      INSERT INTO webhook_events (event_id, place, type, account_id, order_id, created_at, body)
      VALUES (${event.eventId}, ${start + index}, ${event.type}, ${event.accountId}, ${event.orderId},
        ${event.createdAt}, ${event.body})
      ON CONFLICT DO NOTHING`,
    // Endpoints that were deleted in the meantime get no delivery.
    ...endpointIds.map(
      (endpointId) => sql`
        INSERT INTO webhook_deliveries (endpoint_id, event_id, place, order_id, state, attempts, step, next_at, log)
        SELECT endpoint_id, CAST(${event.eventId} AS TEXT), CAST(${start + index} AS BIGINT), CAST(${event.orderId} AS TEXT),
          'pending', 0, 0, CAST(${event.createdAt} AS BIGINT), '[]'
        FROM webhook_endpoints WHERE endpoint_id = ${endpointId}
        ON CONFLICT DO NOTHING`,
    ),
  ]);
}

function* addWebhookEvents(
  events: readonly PlannedEvent[],
  progress: { from: EventProgress; to: EventProgress } | null,
): Command<Done | Conflict<'events_added'>> {
  if (progress) {
    const { from, to } = progress;
    const moved = yield* change(sql`
      UPDATE event_progress SET position = ${to.position}, edit = ${to.edit}
      WHERE position = ${from.position} AND edit = ${from.edit}`);
    if (moved === 0) return { conflict: 'events_added' };
  }
  yield* addEvents(events);
  return done;
}

function* saveRaisedAlerts(
  { version, alerts }: RaisedAlerts,
  events: readonly PlannedEvent[],
): Command<Done | Conflict<'alerts_changed'>> {
  const saved = yield* change(sql`
    UPDATE raised_alerts SET version = version + 1, alerts = ${JSON.stringify(alerts)} WHERE version = ${version}`);
  if (saved === 0) return { conflict: 'alerts_changed' };
  yield* addEvents(events);
  return done;
}

const joinedWithEvents = plain(
  'FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.event_id = delivery.event_id',
);

const columns = plain('delivery.*, event.type, event.created_at');

const findDueWebhooks = (endpointId: string, now: number, limit: number): Command<DueWebhook[]> =>
  all(
    sql`
      SELECT ${columns}, event.body ${joinedWithEvents}
      WHERE delivery.endpoint_id = ${endpointId} AND delivery.state = 'pending' AND delivery.next_at <= ${now}
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries AS earlier
          WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.order_id = delivery.order_id
            AND earlier.attempts = 0 AND earlier.state = 'pending' AND earlier.place < delivery.place)
      ORDER BY delivery.next_at, delivery.place LIMIT ${limit}`,
    (row) => ({ ...deliveryOf(row), body: text(row, 'body') }),
  );

function* recordWebhookAttempt({
  endpointId,
  eventId,
  attempts,
  state,
  step,
  nextAt,
  log,
  endpoint: { failingSince, disabled },
}: RecordAttempt): Command<Done | Conflict<'delivery_changed'>> {
  const recorded = yield* change(sql`
    UPDATE webhook_deliveries
    SET attempts = attempts + 1, state = ${state}, step = ${step}, next_at = ${nextAt}, log = ${JSON.stringify(log)}
    WHERE endpoint_id = ${endpointId} AND event_id = ${eventId} AND attempts = ${attempts}`);
  if (recorded === 0) return { conflict: 'delivery_changed' };
  yield [
    failingSince === null
      ? sql`UPDATE webhook_endpoints SET failing_since = NULL WHERE endpoint_id = ${endpointId} AND failing_since IS NOT NULL`
      : sql`UPDATE webhook_endpoints SET failing_since = ${failingSince} WHERE endpoint_id = ${endpointId} AND failing_since IS NULL`,
    ...(disabled === null
      ? []
      : [
          sql`UPDATE webhook_endpoints SET disabled = ${disabled} WHERE endpoint_id = ${endpointId} AND disabled IS NULL`,
        ]),
  ];
  return done;
}

const conditionsOf = ({ endpointId, eventId, orderId, state, type, from }: WebhookFilter): Statement[] => [
  ...(endpointId === undefined ? [] : [sql`delivery.endpoint_id = ${endpointId}`]),
  ...(eventId === undefined ? [] : [sql`delivery.event_id = ${eventId}`]),
  ...(orderId === undefined ? [] : [sql`delivery.order_id = ${orderId}`]),
  ...(state === undefined ? [] : [sql`delivery.state = ${state}`]),
  ...(type === undefined ? [] : [sql`event.type = ${type}`]),
  ...(from === undefined ? [] : [sql`event.created_at >= ${from}`]),
];

/** Matches older deliveries. The first condition is for the index, because the databases recognise no range in the second one. */
const olderThan = ({ sequence, endpointId }: Pick<WebhookDelivery, 'sequence' | 'endpointId'>): Statement =>
  sql`delivery.place <= ${sequence} AND (delivery.place < ${sequence} OR delivery.endpoint_id > ${endpointId})`;

const listWebhookDeliveries = ({
  limit,
  after,
  ...filter
}: Parameters<WebhookStore['listWebhookDeliveries']>[0]): Command<WebhookDelivery[]> =>
  all(
    sql`
      SELECT ${columns} ${joinedWithEvents} ${where([...conditionsOf(filter), ...(after ? [olderThan(after)] : [])])}
      ORDER BY delivery.place DESC, delivery.endpoint_id LIMIT ${limit}`,
    deliveryOf,
  );

const findWebhookEvent = (eventId: string): Command<WebhookEvent | null> =>
  first(sql`SELECT * FROM webhook_events WHERE event_id = ${eventId}`, eventOf);

const resendWebhooks = (filter: WebhookFilter, now: number): Command<number> =>
  change(sql`
    UPDATE webhook_deliveries SET state = 'pending', step = 0, next_at = ${now}
    WHERE (endpoint_id, event_id) IN (
      SELECT delivery.endpoint_id, delivery.event_id ${joinedWithEvents} ${where(conditionsOf(filter))})`);

function* countPendingWebhooks(): Command<ReadonlyMap<string, number>> {
  const counts = yield* all(
    sql`
      SELECT endpoint_id, CAST(count(*) AS BIGINT) AS count FROM webhook_deliveries
      WHERE state = 'pending' GROUP BY endpoint_id`,
    (row) => [text(row, 'endpoint_id'), integer(row, 'count')] as const,
  );
  return new Map(counts);
}

function* purgeWebhookEvents(before: number, limit: number): Command<number> {
  const old = plain('SELECT event_id FROM webhook_events WHERE created_at < ');
  const oldest = sql`${old} ${before} ORDER BY created_at, event_id LIMIT ${limit}`;
  const [, purged] = yield [
    sql`DELETE FROM webhook_deliveries WHERE event_id IN (${oldest})`,
    sql`DELETE FROM webhook_events WHERE event_id IN (${oldest})`,
  ];
  return purged?.count ?? 0;
}

export const tablesOfOrders: readonly string[] = ['webhook_deliveries', 'webhook_events'];

export const reads = {
  listWebhookEndpoints,
  readEventProgress,
  findDueWebhooks,
  listWebhookDeliveries,
  findWebhookEvent,
  countPendingWebhooks,
};

export const writes = {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  addWebhookEvents,
  saveRaisedAlerts,
  recordWebhookAttempt,
  resendWebhooks,
  purgeWebhookEvents,
};
