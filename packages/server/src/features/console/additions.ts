import type { Merged } from '@topup-kit/core/store';
import { callbackAlertLooks, readCallbacks } from './callbacks/notes.ts';
import { catalogOverview } from './catalog/sync.ts';
import type { ReadNotes } from './orders/note.ts';
import { reportOverview, soldToday } from './reports/reports.ts';
import { sandboxOfOrder } from './sandbox/order-card.ts';
import type { CreateOrderCard, CreateOverview, CreateProductColumn } from './section.ts';
import { readSentEvents, webhookAlertLooks } from './webhooks/deliveries.ts';

/** What each room shows in the timeline of an order. */
export const orderNotes: Readonly<Record<string, ReadNotes>> = {
  callbacks: readCallbacks,
  webhooks: readSentEvents,
};

/** What each room shows beside an order. */
export const orderCards: Readonly<Record<string, CreateOrderCard>> = {
  sandbox: sandboxOfOrder,
};

const looks = {
  callbacks: callbackAlertLooks,
  webhooks: webhookAlertLooks,
};

/** How the overview shows the alerts of each room. */
// Safe: `Merged` says what all rooms have together.
export const alertLooks = Object.assign({}, ...Object.values(looks)) as Merged<
  (typeof looks)[keyof typeof looks]
>;

/** What each room shows on the overview. */
export const overview: Readonly<Record<string, CreateOverview>> = {
  catalog: catalogOverview,
  reports: reportOverview,
};

/** What each room says of a product of the catalogue. */
export const productColumns: Readonly<Record<string, CreateProductColumn>> = {
  reports: soldToday,
};
