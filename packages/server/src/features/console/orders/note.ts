import type { Store, StoredOrder } from '@topup-kit/core/store';
import type { Markup } from '../../../pages/html.ts';
import type { Tone } from '../parts.ts';
import type { View } from '../view.ts';

/** A room's entry in the timeline of an order. */
export interface OrderNote {
  /** World time in unix milliseconds, which sorts all entries. */
  at: number;
  /** The shown time, if another clock measured it. */
  shownAt?: number;
  /** The event of the entry, which is then shown with that event's change; omitted without an event. */
  event?: string;
  tone?: Tone;
  title: (view: View) => string;
  /** The operator; omitted for none. */
  by?: string;
  content: (view: View) => Markup;
}

export type ReadNotes = (store: Store, order: StoredOrder) => Promise<OrderNote[]>;
