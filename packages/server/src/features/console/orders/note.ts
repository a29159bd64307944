import type { Store, StoredOrder } from '@topup-kit/core/store';
import type { Markup } from '../../../pages/html.ts';
import type { Tone } from '../parts.ts';
import type { View } from '../view.ts';

/** Entry that a room adds to the timeline of an order. */
export interface OrderNote {
  /** World time in unix milliseconds, which sorts all entries. */
  at: number;
  /** Time to show, if another clock measured it. */
  shownAt?: number;
  /** Event of the entry, which is shown with that event's change; omitted if there is no event. */
  event?: string;
  tone?: Tone;
  title: (view: View) => string;
  /** Operator; omitted if no operator acted. */
  by?: string;
  content: (view: View) => Markup;
}

export type ReadNotes = (store: Store, order: StoredOrder) => Promise<OrderNote[]>;
