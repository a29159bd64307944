import type { Store } from '@topup-kit/core/store';
import type { Markup } from '../../../pages/html.ts';
import type { View } from '../view.ts';

/** What a room has of an order, for its timeline. */
export interface OrderNote {
  /** When it happened, in unix milliseconds of world time. */
  at: number;
  /** The event that it is about: it is shown with the change of the same moment that makes this event. */
  event: string;
  title: (view: View) => string;
  content: (view: View) => Markup;
}

export type ReadNotes = (store: Store, orderId: string) => Promise<OrderNote[]>;
