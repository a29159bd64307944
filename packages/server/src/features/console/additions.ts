import type { Merged } from '@topup-kit/core/store';
import { callbackAlertLooks, readCallbacks } from './callbacks/notes.ts';
import { catalogOverview } from './catalog/sync.ts';
import type { ReadNotes } from './orders/note.ts';
import { reportOverview, soldToday } from './reports/reports.ts';
import { sandboxOfOrder } from './sandbox/order-card.ts';
import type { CreateOrderCard, CreateOverview, CreateProductColumn, ReadFirstStep } from './section.ts';
import { readSentEvents, webhookAlertLooks, webhookStep } from './webhooks/deliveries.ts';

/** Each room's entries in the timeline of an order. */
export const orderNotes: Readonly<Record<string, ReadNotes>> = {
  callbacks: readCallbacks,
  webhooks: readSentEvents,
};

/** Each room's cards on the page of an order. */
export const orderCards: Readonly<Record<string, CreateOrderCard>> = {
  sandbox: sandboxOfOrder,
};

const looks = {
  callbacks: callbackAlertLooks,
  webhooks: webhookAlertLooks,
};

/** How the overview shows each room's alerts. */
// Safe: `Merged` is the type of all rooms' parts together.
export const alertLooks = Object.assign({}, ...Object.values(looks)) as Merged<
  (typeof looks)[keyof typeof looks]
>;

/** Each room's part of the overview. */
export const overview: Readonly<Record<string, CreateOverview>> = {
  catalog: catalogOverview,
  reports: reportOverview,
};

/** What each room offers to an empty shop. */
export const firstSteps: Readonly<Record<string, ReadFirstStep>> = {
  webhooks: webhookStep,
};

/** Each room's columns in the list of products. */
export const productColumns: Readonly<Record<string, CreateProductColumn>> = {
  reports: soldToday,
};
