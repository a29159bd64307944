import { type EventDependencies, eventBody, eventId, renderEvents } from '../../engine/feed.ts';
import { batchSize } from '../../engine/rooms.ts';
import type { Clock, MonotonicClock } from '../../platform/index.ts';
import type { OrderChange, Store, StoredCatalogEdit } from '../../store/index.ts';
import { addressed, wants } from './endpoints.ts';
import type { EventProgress, PlannedEvent, WebhookEndpoint, WebhookStore } from './store.ts';

/** How many changes become events at once while requests keep the server busy. */
const busyBatchSize = 4;

/** How often what nobody wants is left out, in milliseconds. */
const idleMs = 5_000;

/** How long events are kept, and how often old ones are looked for, in milliseconds of real time. */
const keptMs = 30 * 24 * 60 * 60_000;
const purgeMs = 60_000;

/** An order may be placed a while after its time. What happened before an endpoint was there became events of the others before. */
const toleranceMs = 60_000;

/** The most edits of the catalogue that become events at once, and the most keys in one of them. */
const maxEdits = 100;
const maxKeys = 100;

export interface OutboxDependencies extends EventDependencies {
  store: Store & WebhookStore;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  /** Whether requests keep the server busy; events wait for them. */
  isBusy: () => boolean;
}

export const isLater = (at: number, { createdAt }: WebhookEndpoint): boolean => at >= createdAt - toleranceMs;

/**
 * Makes events of what has happened, for those who want them: it reads the sequences that the store keeps of it anyway, so an event is there
 * if and only if its change was committed.
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

  /** The edits after a number, oldest first; of very many, the newest. */
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
    // A conflict is another server that was faster.
    await store.addWebhookEvents(wanted, { from, to });
    return changes.length;
  }

  /** Leaves out what nobody wants to be told of. What has no place yet is older than an endpoint that is added later. */
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
    /** Makes the next events for the active endpoints; returns of how many changes. */
    async run(endpoints: readonly WebhookEndpoint[]): Promise<number> {
      await purge();
      if (endpoints.length > 0) return makeEvents(endpoints);
      await skip();
      return 0;
    },
  };
}
