import { type GetInvoiceResponse, type OrderEventType, orderEventTypes } from '../contract/index.ts';
import type { Clock, Hash } from '../platform/index.ts';
import type { HistoryEntry, OrderChange, Store, StoredOrder } from '../store/index.ts';
import type { InvoicedOrder, Orders } from './orders/orders.ts';
import { initialState } from './orders/states.ts';

/** What events tell of an order: what the route of its invoice returns. */
export type InvoiceData = Omit<GetInvoiceResponse, 'success'>;

export type RenderInvoice = (order: InvoicedOrder) => InvoiceData;

export interface EventDependencies {
  store: Store;
  orders: Pick<Orders, 'invoiced'>;
  hash: Hash;
  renderInvoice: RenderInvoice;
}

export interface ChangeEvent {
  /** The same whoever makes it and whenever, such as `evt_0c5d…`. */
  eventId: string;
  type: OrderEventType;
  accountId: string;
  orderId: string;
  /** When it was noticed, in unix milliseconds of real time. */
  createdAt: number;
  /** The JSON that is sent. */
  body: string;
}

/** How many hex digits of a hash an event's id has. */
const idLength = 24;

/** The id of an event: always the same of the same change, whoever makes the event. */
export const eventId = (hash: Hash, ...of: (string | number)[]): string =>
  `evt_${hash(of.join('/')).slice(0, idLength)}`;

/** The JSON that is sent. `at` is in unix milliseconds. */
export const eventBody = (type: string, at: number, data: unknown): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

const pays = ({ from, to }: HistoryEntry, status: StoredOrder['paymentStatus']): boolean =>
  to.paymentStatus === status && from.paymentStatus !== status;

const becomes = ({ from, to }: HistoryEntry, status: StoredOrder['buyStatus']): boolean =>
  to.buyStatus === status && from.buyStatus !== status;

/** Which changes of an order make which events. */
const makes: Record<Exclude<OrderEventType, 'order.created'>, (change: HistoryEntry) => boolean> = {
  'order.paid': (change) => pays(change, 'PAID'),
  'order.processing': (change) => becomes(change, 'Proses'),
  'order.delivered': (change) => becomes(change, 'Sukses'),
  'order.failed': (change) => becomes(change, 'Gagal') || pays(change, 'FAILED'),
  'order.expired': (change) => pays(change, 'EXPIRED'),
  // Each refund is one, also of what was delivered: a later one makes the amount larger.
  'order.refunded': (change) => pays(change, 'REFUND') || change.event === 'refunded',
};

/** The events that a change of an order makes, in their order; placing it is the change without an entry. */
export const eventsOf = (entry: HistoryEntry | null): OrderEventType[] =>
  orderEventTypes.filter((type) =>
    type === 'order.created' ? entry === null : entry !== null && makes[type](entry),
  );

/** An order as a change left it. What proves its delivery is known of the last change only, and shown of one that ended a delivery. */
function asOf(order: StoredOrder, { version, entry }: OrderChange): StoredOrder {
  if (version === order.version) return order;
  const { paymentStatus, buyStatus } = entry?.to ?? initialState;
  const hasEnded = buyStatus === 'Sukses' || buyStatus === 'Gagal';
  return { ...order, paymentStatus, buyStatus, serialNumber: hasEnded ? order.serialNumber : null };
}

/** The events of a change that somebody wants; none when its order was deleted. `now` is in unix milliseconds of real time. */
export async function renderEvents(
  { store, orders, hash, renderInvoice }: EventDependencies,
  change: OrderChange,
  isWanted: (type: OrderEventType, order: StoredOrder) => boolean,
  now: number,
): Promise<ChangeEvent[]> {
  const types = eventsOf(change.entry);
  const found = types.length === 0 ? null : await store.findOrder(change.orderId);
  if (!found) return [];
  const order = asOf(found, change);
  const wanted = types.filter((type) => isWanted(type, order));
  if (wanted.length === 0) return [];
  const { accountId, orderId } = order;
  const data = renderInvoice(await orders.invoiced(order));
  const at = change.entry?.at ?? order.createdAt;
  return wanted.map((type) => ({
    eventId: eventId(hash, orderId, change.version, type),
    type,
    accountId,
    orderId,
    createdAt: now,
    body: eventBody(type, at, data),
  }));
}

/** How many changes of all accounts one request looks at. */
const maxChanges = 500;

export interface FeedEvent {
  id: string;
  /** The JSON that an endpoint would be sent. */
  body: string;
}

export interface EventPage {
  events: FeedEvent[];
  /** From where to go on. */
  cursor: string;
}

export type ReadEvents = (
  accountId: string,
  page: { after: string | undefined; limit: number },
) => Promise<EventPage | null>;

const isCursor = (text: string): boolean => /^\d{1,15}$/.test(text);

/**
 * The events of an account's orders after a cursor, as an endpoint gets them, but without being kept: from now on when there is none. A
 * page may have a few more than its limit, because the events of one change stay together. Null when the cursor is none of this store.
 */
export const createFeed =
  (deps: EventDependencies & { realClock: Clock }): ReadEvents =>
  async (accountId, { after, limit }) => {
    const { store, realClock } = deps;
    if (after === undefined) {
      // All that has no place yet gets one, so that what comes next is new.
      for (let last = Number.NaN, position = await store.lastPosition(); position !== last; ) {
        await store.findChanges(Number.MAX_SAFE_INTEGER, maxChanges);
        [last, position] = [position, await store.lastPosition()];
      }
      return { events: [], cursor: String(await store.lastPosition()) };
    }
    if (!isCursor(after)) return null;
    const events: FeedEvent[] = [];
    let cursor = after;
    const changes = await store.findChanges(Number(after), maxChanges);
    // A cursor of a store that is gone would miss everything until this one has as many changes.
    if (changes.length === 0 && Number(after) > (await store.lastPosition())) return null;
    for (const change of changes) {
      if (events.length >= limit) break;
      const rendered = await renderEvents(
        deps,
        change,
        (_type, order) => order.accountId === accountId,
        realClock(),
      );
      events.push(...rendered.map(({ eventId: id, body }) => ({ id, body })));
      cursor = String(change.position);
    }
    return { events, cursor };
  };
