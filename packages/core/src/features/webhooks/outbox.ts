import type { AlertOf } from '../../engine/alerts.ts';
import { type EventDependencies, eventBody, eventId, eventsOf, renderEvents } from '../../engine/feed.ts';
import { batchSize } from '../../engine/rooms.ts';
import type { OrderRecords } from '../../engine/verify.ts';
import type { Clock, Hash, MonotonicClock } from '../../platform/index.ts';
import type {
  OrderChange,
  RaisedAlert,
  Store,
  StoredCatalogEdit,
  SupplierBalance,
} from '../../store/index.ts';
import { addressed, wants } from './endpoints.ts';
import type { EventProgress, PlannedEvent, WebhookEndpoint, WebhookEvent, WebhookStore } from './store.ts';

/** Maximum number of changes that become events in one step while requests keep the server busy. */
const busyBatchSize = 4;

/** Time between two skips of unwanted changes, in milliseconds. */
const idleMs = 5_000;

/** Time for which events are kept, and time between two purges, in milliseconds of real time. */
const keptMs = 30 * 24 * 60 * 60_000;
const purgeMs = 60_000;

/** Tolerance, because an order may be stored some time after its own timestamp. Earlier changes are already events for older endpoints. */
const toleranceMs = 60_000;

/** Maximum number of catalogue edits per step, and of keys per event. */
const maxEdits = 100;
const maxKeys = 100;

export interface OutboxDependencies extends EventDependencies {
  store: Store & WebhookStore;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  /** Tells whether requests keep the server busy, so that events must wait. */
  isBusy: () => boolean;
}

const isLater = (at: number, { createdAt }: WebhookEndpoint): boolean => at >= createdAt - toleranceMs;

/**
 * Creates the outbox, which creates the events that endpoints want. It reads the sequences of changes that the store keeps anyway, so an
 * event exists if and only if its change was committed.
 */
export function createOutbox(deps: OutboxDependencies) {
  const { store, hash, realClock, monotonicClock, isBusy } = deps;
  let notBefore = Number.NEGATIVE_INFINITY;
  let nextPurge = Number.NEGATIVE_INFINITY;
  let knownRevision: number | undefined;

  async function ofChange(change: OrderChange, all: readonly WebhookEndpoint[]): Promise<PlannedEvent[]> {
    const events = await renderEvents(
      deps,
      change,
      (type, { accountId, createdAt }) =>
        all.some(
          (endpoint) => wants(endpoint, type, accountId) && isLater(change.entry?.at ?? createdAt, endpoint),
        ),
      realClock(),
    );
    return events.map((event) => addressed(event, all));
  }

  function ofEdit(
    { number, at, by, command, values }: StoredCatalogEdit,
    all: readonly WebhookEndpoint[],
  ): PlannedEvent {
    const keys = [
      ...new Set(values.flatMap(({ kind, key }) => (kind === 'product' || kind === 'game' ? key : []))),
    ];
    const data = { number, command, by, changes: values.length, keys: keys.slice(0, maxKeys) };
    const event = {
      eventId: eventId(hash, 'catalog', number),
      type: 'catalog.changed',
      accountId: null,
      orderId: null,
      createdAt: realClock(),
      body: eventBody('catalog.changed', at, data),
    } as const;
    return addressed(
      event,
      all.filter((endpoint) => isLater(at, endpoint)),
    );
  }

  /** Reads the edits after a number, oldest first. If there are too many, it returns only the newest. */
  async function editsAfter(number: number): Promise<StoredCatalogEdit[]> {
    const revision = await store.revision();
    if (revision === knownRevision) return [];
    const [newest] = await store.listCatalogEdits(1);
    const count = Math.min(maxEdits, (newest?.number ?? number) - number);
    const edits = count > 0 ? await store.listCatalogEdits(count) : [];
    if (edits.length === 0) knownRevision = revision;
    return edits.filter((edit) => edit.number > number).reverse();
  }

  async function makeEvents(all: readonly WebhookEndpoint[]): Promise<number> {
    const from = await store.readEventProgress();
    const size = isBusy() ? busyBatchSize : batchSize;
    const changes = await store.findChanges(from.position, size);
    const edits = await editsAfter(from.edit);
    const to: EventProgress = {
      position: changes.at(-1)?.position ?? from.position,
      edit: edits.at(-1)?.number ?? from.edit,
    };
    if (changes.length + edits.length === 0) return 0;
    const ofOrders = await Promise.all(changes.map((change) => ofChange(change, all)));
    const planned = [...ofOrders.flat(), ...edits.map((edit) => ofEdit(edit, all))];
    const wanted = planned.filter(({ endpointIds }) => endpointIds.length > 0);
    // A conflict means that another server was faster.
    await store.addWebhookEvents(wanted, { from, to });
    return changes.length;
  }

  /** Skips changes that no endpoint wants. A change without a position is older than any endpoint added later. */
  async function skip(): Promise<void> {
    if (monotonicClock() < notBefore) return;
    notBefore = monotonicClock() + idleMs;
    const from = await store.readEventProgress();
    const [newest] = await store.listCatalogEdits(1);
    const to = { position: await store.lastPosition(), edit: newest?.number ?? from.edit };
    if (to.position !== from.position || to.edit !== from.edit)
      await store.addWebhookEvents([], { from, to });
  }

  async function purge(): Promise<void> {
    if (monotonicClock() < nextPurge) return;
    nextPurge = monotonicClock() + purgeMs;
    await store.purgeWebhookEvents(realClock() - keptMs, batchSize);
  }

  return {
    /** Creates the next events for the active endpoints. Returns the number of changes it handled. */
    async run(endpoints: readonly WebhookEndpoint[]): Promise<number> {
      await purge();
      if (endpoints.length > 0) return makeEvents(endpoints);
      await skip();
      return 0;
    },
  };
}

interface AlertDependencies {
  store: Store & WebhookStore;
  hash: Hash;
  realClock: Clock;
}

/** Converts an alert to its stored form. It has all names, because `changesOf` compares them. */
const raisedOf = ({ kind, sentence, count, subjects, until }: AlertOf<string>): RaisedAlert => ({
  kind,
  sentence,
  count,
  names: subjects,
  ...(until !== undefined && { until }),
});

interface AlertChange {
  type: 'alert.raised' | 'alert.cleared';
  alert: RaisedAlert;
}

/** Returns alerts that are new or have grown, and alerts that have ended. */
function changesOf(before: readonly RaisedAlert[], now: readonly RaisedAlert[]): AlertChange[] {
  const raised = now.filter(({ kind, names }) => {
    const known = new Set(before.find((alert) => alert.kind === kind)?.names);
    return names.some((name) => !known.has(name));
  });
  const over = before.filter(({ kind }) => now.every((alert) => alert.kind !== kind));
  return [
    ...raised.map((alert) => ({ type: 'alert.raised', alert }) as const),
    ...over.map((alert) => ({ type: 'alert.cleared', alert: { ...alert, count: 0, names: [] } }) as const),
  ];
}

/** Maximum number of names in an event. */
const maxNames = 10;

/**
 * Creates events for operators' endpoints about new and ended alerts. The raised alerts are stored with the events, so that only one server
 * sends each event, and a restart doesn't repeat them.
 *
 * @returns true if the store has the alerts; false if another server was faster.
 */
export async function noteAlerts(
  { store, hash, realClock }: AlertDependencies,
  alerts: readonly AlertOf<string>[],
): Promise<boolean> {
  const before = await store.readRaisedAlerts();
  const now = alerts.map(raisedOf);
  const changes = changesOf(before.alerts, now);
  const untilOf = (all: readonly RaisedAlert[]) => all.map(({ until }) => until).find(Boolean);
  if (changes.length === 0 && untilOf(before.alerts) === untilOf(now)) return true;
  const endpoints = await store.listWebhookEndpoints();
  const at = realClock();
  const event = (type: WebhookEvent['type'], name: string, data: unknown): WebhookEvent => ({
    eventId: eventId(hash, 'alerts', before.version, type, name),
    type,
    accountId: null,
    orderId: null,
    createdAt: at,
    body: eventBody(type, at, data),
  });
  const ofAlerts = changes.map(({ type, alert: { kind, sentence, count, names } }) =>
    event(type, kind, { kind, sentence, count, names: names.slice(0, maxNames) }),
  );
  const low = new Set(
    changes.flatMap(({ type, alert }) =>
      type === 'alert.raised' && alert.kind === 'low-balance' ? alert.names : [],
    ),
  );
  const knownLow = new Set(before.alerts.find(({ kind }) => kind === 'low-balance')?.names);
  const balances = low.size === 0 ? [] : await store.readSupplierBalances();
  const ofBalances = balances
    .filter(({ supplier }) => low.has(supplier) && !knownLow.has(supplier))
    .map(({ supplier, balance, alertBelow }: SupplierBalance) =>
      event('balance.low', supplier, { supplier, balance, alert_below: alertBelow }),
    );
  const planned = [...ofAlerts, ...ofBalances].map((event) => addressed(event, endpoints));
  const saved = await store.saveRaisedAlerts(
    { version: before.version, alerts: now },
    planned.filter(({ endpointIds }) => endpointIds.length > 0),
  );
  return 'done' in saved;
}

/** The stored events of an order, and the positions of its changes. */
export interface EventRecords {
  /** Positions of its changes in the sequence of all orders, starting with its creation; null for a change without a position. */
  places: readonly (number | null)[];
  /** Events that were or will be sent to endpoints. */
  events: readonly { endpointId: string; eventId: string }[];
}

/** An endpoint that must have received every wanted event between two changes. */
export interface FollowedEndpoint {
  endpoint: WebhookEndpoint;
  /** Position of the first change whose event it received, and the position up to which changes became events. */
  after: number;
  upTo: number;
}

/** Checks that every event belongs to a change, and that every change has its wanted events. */
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
    if (possible.every((event) => event.id !== id)) yield `event ${id} belongs to no change of the order`;
  for (const { endpoint, after, upTo } of wanted)
    for (const { type, at, place, id } of possible) {
      const isFollowed = place !== null && place > after && place <= upTo;
      if (!isFollowed || !wants(endpoint, type, order.accountId) || !isLater(at, endpoint)) continue;
      if (!events.some((event) => event.eventId === id && event.endpointId === endpoint.endpointId))
        yield `its change ${place} created no ${type} event for the endpoint ${endpoint.endpointId}`;
    }
}
