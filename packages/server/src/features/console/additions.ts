import type { Merged } from '@topup-kit/core/store';
import { callbackAlertLooks, readCallbacks } from './callbacks/notes.ts';
import { catalogOverview } from './catalog/sync.ts';
import type { ReadNotes } from './orders/note.ts';
import { reportOverview, soldToday } from './reports/reports.ts';
import { sandboxOfOrder } from './sandbox/order-card.ts';
import type { CreateOrderCard, CreateOverview, CreateProductColumn, ReadFirstStep } from './section.ts';
import { readSentEvents, webhookAlertLooks, webhookStep } from './webhooks/deliveries.ts';

/** Entries that each room adds to the timeline of an order. */
export const orderNotes: Readonly<Record<string, ReadNotes>> = {
  callbacks: readCallbacks,
  webhooks: readSentEvents,
};

/** Cards that each room adds to the page of an order. */
export const orderCards: Readonly<Record<string, CreateOrderCard>> = {
  sandbox: sandboxOfOrder,
};

const looks = {
  callbacks: callbackAlertLooks,
  webhooks: webhookAlertLooks,
};

/** Presentation of each room's alerts on the overview. */
// Safe: `Merged` is the type of all rooms' parts together.
export const alertLooks = Object.assign({}, ...Object.values(looks)) as Merged<
  (typeof looks)[keyof typeof looks]
>;

/** Part of the overview that each room renders. */
export const overview: Readonly<Record<string, CreateOverview>> = {
  catalog: catalogOverview,
  reports: reportOverview,
};

/** First steps that each room suggests to an empty shop. */
export const firstSteps: Readonly<Record<string, ReadFirstStep>> = {
  webhooks: webhookStep,
};

/** Columns that each room adds to the list of products. */
export const productColumns: Readonly<Record<string, CreateProductColumn>> = {
  reports: soldToday,
};
