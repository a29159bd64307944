import { done, erasedEventBody } from '../../store/index.ts';
import type { MemoryPart, MemoryState } from '../../store/memory/state.ts';
import type {
  EventProgress,
  PlannedEvent,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WebhookFilter,
  WebhookStore,
} from './store.ts';

/** An event and its position in the sequence of all events. */
export type StoredEvent = WebhookEvent & { sequence: number };

/** The stored part of a delivery; the rest is in its event. */
export type StoredDelivery = Pick<
  WebhookDelivery,
  'endpointId' | 'eventId' | 'state' | 'attempts' | 'step' | 'nextAt' | 'log'
>;

const ofOrders = () => ({
  webhookEvents: new Map<string, StoredEvent>(),
  /** Deliveries by endpoint and event. */
  webhookDeliveries: new Map<string, StoredDelivery>(),
});

export interface Tables extends ReturnType<typeof ofOrders> {
  endpoints: Map<string, WebhookEndpoint>;
  eventProgress: EventProgress;
  lastEvent: number;
}

type State = MemoryState & Tables;

const keyOf = ({ endpointId, eventId }: Pick<StoredDelivery, 'endpointId' | 'eventId'>): string =>
  `${endpointId}\n${eventId}`;

function addEvents(state: State, events: readonly PlannedEvent[]): void {
  for (const { event, endpointIds } of events) {
    const { eventId, createdAt } = event;
    state.lastEvent += 1;
    if (!state.webhookEvents.has(eventId))
      state.webhookEvents.set(eventId, { ...event, sequence: state.lastEvent });
    for (const endpointId of endpointIds) {
      const key = keyOf({ endpointId, eventId });
      if (state.webhookDeliveries.has(key) || !state.endpoints.has(endpointId)) continue;
      const fresh = { state: 'pending', attempts: 0, step: 0, nextAt: createdAt, log: [] } as const;
      state.webhookDeliveries.set(key, { endpointId, eventId, ...fresh });
    }
  }
}

type Delivery = WebhookDelivery & { body: string };

/** Returns all deliveries, joined with their events. */
const deliveries = (state: State): Delivery[] =>
  [...state.webhookDeliveries.values()].flatMap((delivery) => {
    const event = state.webhookEvents.get(delivery.eventId);
    if (!event) return [];
    const { accountId: _ofEndpoint, ...known } = event;
    return { ...known, ...delivery };
  });

const withoutBody = ({ body: _apart, ...delivery }: Delivery): WebhookDelivery => delivery;

const matches = (delivery: WebhookDelivery, { from, ...wanted }: WebhookFilter): boolean =>
  (from === undefined || delivery.createdAt >= from) &&
  (['endpointId', 'eventId', 'orderId', 'state', 'type'] as const).every(
    (field) => wanted[field] === undefined || delivery[field] === wanted[field],
  );

type Place = Pick<WebhookDelivery, 'sequence' | 'endpointId'>;

const newestFirst = (a: Place, b: Place): number =>
  b.sequence - a.sequence || (a.endpointId < b.endpointId ? -1 : 1);

const isDue = ({ nextAt }: WebhookDelivery, now: number): boolean => nextAt !== null && nextAt <= now;

const commands = (state: State): WebhookStore => ({
  async addWebhookEndpoint(endpoint) {
    if (state.endpoints.has(endpoint.endpointId)) return { conflict: 'endpoint_taken' };
    state.endpoints.set(endpoint.endpointId, endpoint);
    return done;
  },
  listWebhookEndpoints: async () =>
    [...state.endpoints.values()].sort(
      (a, b) => a.createdAt - b.createdAt || (a.endpointId < b.endpointId ? -1 : 1),
    ),
  async changeWebhookEndpoint(endpoint) {
    const known = state.endpoints.get(endpoint.endpointId);
    if (!known) return { conflict: 'endpoint_missing' };
    if (known.version !== endpoint.version) return { conflict: 'endpoint_changed' };
    state.endpoints.set(endpoint.endpointId, { ...endpoint, version: endpoint.version + 1 });
    return done;
  },
  async deleteWebhookEndpoint(endpointId) {
    if (!state.endpoints.delete(endpointId)) return { conflict: 'endpoint_missing' };
    for (const [key, delivery] of state.webhookDeliveries)
      if (delivery.endpointId === endpointId) state.webhookDeliveries.delete(key);
    return done;
  },
  readEventProgress: async () => state.eventProgress,
  async addWebhookEvents(events, progress) {
    const { position, edit } = state.eventProgress;
    if (progress && (progress.from.position !== position || progress.from.edit !== edit))
      return { conflict: 'events_added' };
    if (progress) state.eventProgress = progress.to;
    addEvents(state, events);
    return done;
  },
  async saveRaisedAlerts({ version, alerts }, events) {
    if (version !== state.raisedAlerts.version) return { conflict: 'alerts_changed' };
    state.raisedAlerts = { version: version + 1, alerts };
    addEvents(state, events);
    return done;
  },
  async findDueWebhooks(endpointId, now, limit) {
    const pending = deliveries(state).filter(
      (delivery) => delivery.endpointId === endpointId && delivery.state === 'pending',
    );
    const waits = ({ orderId, sequence }: Delivery): boolean =>
      orderId !== null &&
      pending.some((other) => other.orderId === orderId && other.attempts === 0 && other.sequence < sequence);
    return pending
      .filter((delivery) => isDue(delivery, now) && !waits(delivery))
      .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.sequence - b.sequence)
      .slice(0, limit);
  },
  async recordWebhookAttempt({ endpointId, eventId, attempts, endpoint: changes, ...changed }) {
    const key = keyOf({ endpointId, eventId });
    const delivery = state.webhookDeliveries.get(key);
    if (delivery?.attempts !== attempts) return { conflict: 'delivery_changed' };
    state.webhookDeliveries.set(key, { ...delivery, ...changed, attempts: attempts + 1 });
    const endpoint = state.endpoints.get(endpointId);
    if (endpoint)
      state.endpoints.set(endpointId, {
        ...endpoint,
        failingSince: changes.failingSince && (endpoint.failingSince ?? changes.failingSince),
        disabled: endpoint.disabled ?? changes.disabled,
      });
    return done;
  },
  listWebhookDeliveries: async ({ limit, after, ...filter }) =>
    deliveries(state)
      .map(withoutBody)
      .filter((delivery) => matches(delivery, filter))
      .sort(newestFirst)
      .filter((delivery) => !after || newestFirst(after, delivery) < 0)
      .slice(0, limit),
  async findWebhookEvent(eventId) {
    const stored = state.webhookEvents.get(eventId);
    if (!stored) return null;
    const { sequence: _apart, ...event } = stored;
    return event satisfies WebhookEvent;
  },
  async resendWebhooks(filter, now) {
    const again = deliveries(state).filter((delivery) => matches(delivery, filter));
    for (const delivery of again) {
      const stored = state.webhookDeliveries.get(keyOf(delivery));
      if (stored)
        state.webhookDeliveries.set(keyOf(delivery), { ...stored, state: 'pending', step: 0, nextAt: now });
    }
    return again.length;
  },
  async countPendingWebhooks() {
    const counts = new Map<string, number>();
    for (const { endpointId, state: now } of state.webhookDeliveries.values())
      if (now === 'pending') counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    return counts;
  },
  async purgeWebhookEvents(before, limit) {
    const old = [...state.webhookEvents.values()]
      .filter(({ createdAt }) => createdAt < before)
      .slice(0, limit);
    const ids = new Set(old.map(({ eventId }) => eventId));
    for (const id of ids) state.webhookEvents.delete(id);
    for (const [key, { eventId }] of state.webhookDeliveries)
      if (ids.has(eventId)) state.webhookDeliveries.delete(key);
    return old.length;
  },
});

function eraseOrder({ webhookEvents, webhookDeliveries }: State, orderId: string) {
  const events = [...webhookEvents.values()].filter((event) => event.orderId === orderId);
  for (const event of events)
    webhookEvents.set(event.eventId, { ...event, body: erasedEventBody(event.body) });
  const ids = new Set(events.map(({ eventId }) => eventId));
  for (const [key, delivery] of webhookDeliveries)
    if (ids.has(delivery.eventId))
      webhookDeliveries.set(key, {
        ...delivery,
        log: delivery.log.map((attempt) => ({ ...attempt, text: '' })),
      });
  return { events: events.length };
}

export const webhooksInMemory: MemoryPart<Tables, WebhookStore> = {
  tables: () => ({
    ...ofOrders(),
    endpoints: new Map(),
    eventProgress: { position: 0, edit: 0 },
    lastEvent: 0,
  }),
  ofOrders,
  commands,
  eraseOrder,
};
