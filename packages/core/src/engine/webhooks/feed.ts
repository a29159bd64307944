import type { Clock } from '../../platform/index.ts';
import { type EventDependencies, renderEvents } from './events.ts';

/** How many changes of all accounts one request looks at. */
const maxChanges = 500;

/** An event as a feed has it. */
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
      // What has no place yet gets one, so that what comes next is new.
      await store.findChanges(Number.MAX_SAFE_INTEGER, maxChanges);
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
