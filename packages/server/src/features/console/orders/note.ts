import type { Store, StoredOrder } from '@topup-kit/core/store';
import type { Markup } from '../../../pages/html.ts';
import type { Tone } from '../parts.ts';
import type { View } from '../view.ts';

/** What a room has of an order, for its timeline. */
export interface OrderNote {
  /** When it happened, in unix milliseconds of world time, by which all are sorted. */
  at: number;
  /** What is shown instead, where another clock measured it. */
  shownAt?: number;
  /** The event that it is about: it is shown with the change of the same moment that makes this event. Left out for what is no event's. */
  event?: string;
  /** Default: `quiet`. */
  tone?: Tone;
  title: (view: View) => string;
  /** Who did it; nobody by default. */
  by?: string;
  content: (view: View) => Markup;
}

export type ReadNotes = (store: Store, order: StoredOrder) => Promise<OrderNote[]>;
