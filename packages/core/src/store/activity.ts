import type { CatalogEdit, HistoryEntry, OrderEvent, Reconciliation } from './types.ts';

/** What operators do. */
export type ActivityAction =
  | `order.${OrderEvent}`
  | 'payment.returned'
  | 'refund.paid'
  | 'refund.cancelled'
  | 'catalog.edited'
  | 'promo.saved'
  | 'key.created'
  | 'key.rotated'
  | 'key.revoked'
  | 'webhook.added'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'callback.replayed'
  | 'console.login'
  | 'console.ended'
  | 'backup.made'
  | 'backup.restored'
  | 'customer.erased';

/** Something that an operator did. */
export interface Activity<Action extends string = ActivityAction> {
  /** Unix milliseconds: of world time for orders and money, of real time otherwise. */
  at: number;
  /** The operator's name; empty where an earlier version kept none. */
  operator: string;
  action: Action;
  /**
   * The id of what was changed: an order, payment, refund, key, webhook, callback or session, the code of a promo, or the name of a
   * backup's file. For an edit of the catalogue it is the command, such as `set-price ML86`; for an erasure it is empty.
   */
  subject: string;
  /** Integer in the smallest unit; null for what has no amount. */
  amount: number | null;
}

/** An activity with its number, which grows. A newer version may have stored other actions. */
export interface StoredActivity extends Activity<string> {
  number: number;
}

/** Selects activities, newest first; a filter that is left out matches all. */
export interface ActivityFilter {
  operator?: string | undefined;
  /** Only those at or after `from`, and before `before`, in unix milliseconds. */
  from?: number | undefined;
  before?: number | undefined;
  /** Only those with a lower number, which is the last of the previous page. */
  after?: number | undefined;
  limit: number;
}

/** Returns the activity that an operator's change of an order is. */
export const activityOfChange = (
  subject: string,
  { at, operator = '', event, amount }: HistoryEntry,
): Activity => ({ at, operator, action: `order.${event}`, subject, amount: amount ?? null });

/** Returns the activity that an edit of the catalogue is; none for an edit by the server. */
export const activityOfEdit = ({ at, by, command }: CatalogEdit): Activity[] =>
  by === null ? [] : [{ at, operator: by, action: 'catalog.edited', subject: command, amount: null }];

/** Whether an activity passes a filter, apart from its limit. */
export const matchesActivity = (
  { operator, at, number }: StoredActivity,
  filter: Omit<ActivityFilter, 'limit'>,
): boolean =>
  (filter.operator === undefined || operator === filter.operator) &&
  at >= (filter.from ?? Number.NEGATIVE_INFINITY) &&
  at < (filter.before ?? Number.POSITIVE_INFINITY) &&
  number < (filter.after ?? Number.POSITIVE_INFINITY);

/** Returns the activity that the end of a payment or a refund is; none for one that no operator ended. */
export const activityOfClosing = (
  action: 'payment.returned' | 'refund.paid' | 'refund.cancelled',
  subject: string,
  amount: number,
  { closedAt, closedBy }: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
): Activity[] =>
  closedAt === null || closedBy === null
    ? []
    : [{ at: closedAt, operator: closedBy, action, subject, amount }];
