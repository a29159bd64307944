import { type GetInvoiceResponse, type OrderEventType, orderEventTypes } from '../contract/index.ts';
import type { Clock, Hash } from '../platform/index.ts';
import type { HistoryEntry, OrderChange, Store, StoredOrder } from '../store/index.ts';
import type { InvoicedOrder, Orders } from './orders/orders.ts';
import { initialState } from './orders/states.ts';

/** The order in an event: the response of its invoice's route. */
export type InvoiceData = Omit<GetInvoiceResponse, 'success'>;

export type RenderInvoice = (order: InvoicedOrder) => InvoiceData;

export interface EventDependencies {
  store: Store;
  orders: Pick<Orders, 'invoiced'>;
  hash: Hash;
  renderInvoice: RenderInvoice;
}

export interface ChangeEvent {
  /** Always the same for the same change, such as `evt_0c5d…`. */
  eventId: string;
  type: OrderEventType;
  accountId: string;
  orderId: string;
  /** When the change was noticed, in unix milliseconds of real time. */
  createdAt: number;
  /** The JSON to send. */
  body: string;
}

/** Number of hex digits in an event's id. */
const idLength = 24;

/** The id of an event: always the same for the same change, on every server. */
export const eventId = (hash: Hash, ...of: (string | number)[]): string =>
  `evt_${hash(of.join('/')).slice(0, idLength)}`;

/** The JSON to send. `at` is in unix milliseconds. */
export const eventBody = (type: string, at: number, data: unknown): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

const pays = ({ from, to }: HistoryEntry, status: StoredOrder['paymentStatus']): boolean =>
  to.paymentStatus === status && from.paymentStatus !== status;

const becomes = ({ from, to }: HistoryEntry, status: StoredOrder['buyStatus']): boolean =>
  to.buyStatus === status && from.buyStatus !== status;

/** The change of an order that causes each event. */
const makes: Record<Exclude<OrderEventType, 'order.created'>, (change: HistoryEntry) => boolean> = {
  'order.paid': (change) => pays(change, 'PAID'),
  'order.processing': (change) => becomes(change, 'Proses'),
  'order.delivered': (change) => becomes(change, 'Sukses'),
  'order.failed': (change) => becomes(change, 'Gagal') || pays(change, 'FAILED'),
  'order.expired': (change) => pays(change, 'EXPIRED'),
  // Each refund is one, including refunds of delivered units; a later one increases the amount.
  'order.refunded': (change) => pays(change, 'REFUND') || change.event === 'refunded',
};

/** The events of an order's change, in order; its creation is the change without an entry. */
export const eventsOf = (entry: HistoryEntry | null): OrderEventType[] =>
  orderEventTypes.filter((type) =>
    type === 'order.created' ? entry === null : entry !== null && makes[type](entry),
  );

/** An order after a change. Only the last change knows the proof of delivery, and only changes that end a delivery show it. */
function asOf(order: StoredOrder, { version, entry }: OrderChange): StoredOrder {
  if (version === order.version) return order;
  const { paymentStatus, buyStatus } = entry?.to ?? initialState;
  const hasEnded = buyStatus === 'Sukses' || buyStatus === 'Gagal';
  return { ...order, paymentStatus, buyStatus, serialNumber: hasEnded ? order.serialNumber : null };
}

/** Renders a change's events that a recipient wants; none if its order was deleted. `now` is in unix milliseconds of real time. */
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

/** Maximum number of changes, of all accounts, that one request reads. */
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
 * Reads the events of an account's orders after a cursor, without storing them; without a cursor, only future ones. A page may exceed its
 * limit slightly, because the events of a change stay together. Null for a cursor of another store.
 */
export const createFeed =
  (deps: EventDependencies & { realClock: Clock }): ReadEvents =>
  async (accountId, { after, limit }) => {
    const { store, realClock } = deps;
    if (after === undefined) {
      // Gives all changes a position, so that only later ones are new.
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
    // A cursor of a lost store would miss all events until this one has as many changes.
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
