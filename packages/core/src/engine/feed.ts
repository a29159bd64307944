import { type GetInvoiceResponse, type OrderEventType, orderEventTypes } from '../contract/index.ts';
import type { Clock, Hash } from '../platform/index.ts';
import type { HistoryEntry, OrderChange, Store, StoredOrder } from '../store/index.ts';
import type { InvoicedOrder, Orders } from './orders/orders.ts';
import { initialState } from './orders/states.ts';

/** The order in an event, in the form of the invoice route's response. */
export type InvoiceData = Omit<GetInvoiceResponse, 'success'>;

export type RenderInvoice = (order: InvoicedOrder) => InvoiceData;

export interface EventDependencies {
  store: Store;
  orders: Pick<Orders, 'invoiced'>;
  hash: Hash;
  renderInvoice: RenderInvoice;
}

export interface ChangeEvent {
  /** Id of the event, such as `evt_0c5d…`; always the same for the same change. */
  eventId: string;
  type: OrderEventType;
  accountId: string;
  orderId: string;
  /** Time at which the change was noticed, in unix milliseconds of real time. */
  createdAt: number;
  /** The JSON to send. */
  body: string;
}

/** Number of hex digits in an event's id. */
const idLength = 24;

/** Creates the id of an event, which is the same for the same change on every server. */
export const eventId = (hash: Hash, ...of: (string | number)[]): string =>
  `evt_${hash(of.join('/')).slice(0, idLength)}`;

/** Creates the JSON to send. `at` is in unix milliseconds. */
export const eventBody = (type: string, at: number, data: unknown): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

const pays = ({ from, to }: HistoryEntry, status: StoredOrder['paymentStatus']): boolean =>
  to.paymentStatus === status && from.paymentStatus !== status;

const becomes = ({ from, to }: HistoryEntry, status: StoredOrder['buyStatus']): boolean =>
  to.buyStatus === status && from.buyStatus !== status;

/** Functions that tell whether a change of an order causes an event, by event type. */
const makes: Record<Exclude<OrderEventType, 'order.created'>, (change: HistoryEntry) => boolean> = {
  'order.paid': (change) => pays(change, 'PAID'),
  'order.processing': (change) => becomes(change, 'Proses'),
  'order.delivered': (change) => becomes(change, 'Sukses'),
  'order.failed': (change) => becomes(change, 'Gagal') || pays(change, 'FAILED'),
  'order.expired': (change) => pays(change, 'EXPIRED'),
  // Each refund causes an event, including refunds of delivered units. A later refund increases the amount.
  'order.refunded': (change) => pays(change, 'REFUND') || change.event === 'refunded',
};

/** Returns the events of an order's change, in sequence. The creation of an order is a change without an entry. */
export const eventsOf = (entry: HistoryEntry | null): OrderEventType[] =>
  orderEventTypes.filter((type) =>
    type === 'order.created' ? entry === null : entry !== null && makes[type](entry),
  );

/** Returns an order as it was after a change. Only the last change has the proof of delivery, shown if it ends a delivery. */
function asOf(order: StoredOrder, { version, entry }: OrderChange): StoredOrder {
  if (version === order.version) return order;
  const { paymentStatus, buyStatus } = entry?.to ?? initialState;
  const hasEnded = buyStatus === 'Sukses' || buyStatus === 'Gagal';
  return { ...order, paymentStatus, buyStatus, serialNumber: hasEnded ? order.serialNumber : null };
}

/** Renders the events of a change that a recipient wants; none if the order was deleted. `now` is in unix milliseconds of real time. */
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

/** Maximum number of changes that one request reads, from all accounts. */
const maxChanges = 500;

export interface FeedEvent {
  id: string;
  /** The JSON that an endpoint gets. */
  body: string;
}

export interface EventPage {
  events: FeedEvent[];
  /** The cursor for the next request. */
  cursor: string;
}

export type ReadEvents = (
  accountId: string,
  page: { after: string | undefined; limit: number },
) => Promise<EventPage | null>;

const isCursor = (text: string): boolean => /^\d{1,15}$/.test(text);

/**
 * Creates a function that reads the events of an account's orders after a cursor, without storing them. Without a
 * cursor, it returns no events, and a cursor for future events. A page may exceed its limit slightly, because the
 * events of a change stay together. Returns null for a cursor of another store.
 */
export const createFeed =
  (deps: EventDependencies & { realClock: Clock }): ReadEvents =>
  async (accountId, { after, limit }) => {
    const { store, realClock } = deps;
    if (after === undefined) {
      // This loop gives all changes a position, so that only later changes are new.
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
    // If the cursor is from a lost store, a client would miss all events until this store has as many changes.
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
