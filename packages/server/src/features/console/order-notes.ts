import type { ReadNotes } from './orders/note.ts';
import { readSentEvents } from './webhooks/sent-events.ts';

/** What each room shows in the timeline of an order. */
export const orderNotes: Readonly<Record<string, ReadNotes>> = {
  webhooks: readSentEvents,
};
