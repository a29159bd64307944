import type { CatalogEdit, HistoryEntry, OrderEvent, Reconciliation } from './types.ts';

/** Actions of operators. */
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

/** An action of an operator. */
export interface Activity<Action extends string = ActivityAction> {
  /** Time in unix milliseconds: world time for orders and money, otherwise real time. */
  at: number;
  /** The operator's name; empty if an earlier version stored none. */
  operator: string;
  action: Action;
  /**
   * The id of the changed order, payment, refund, key, webhook, callback or session; the code of a promo; or the file name of a backup. An
   * edit of the catalogue has its command, such as `set-price ML86`. An erasure has an empty subject.
   */
  subject: string;
  /** Integer in the smallest unit; null for an action without an amount. */
  amount: number | null;
}

/** An activity with its number, which grows. A newer version may have stored other actions. */
export interface StoredActivity extends Activity<string> {
  number: number;
}

/** Selects activities, newest first; a filter that is left out matches all. */
export interface ActivityFilter {
  operator?: string | undefined;
  /** Only activities at or after `from`, and before `before`, in unix milliseconds. */
  from?: number | undefined;
  before?: number | undefined;
  /** Only activities with a lower number than this one, the last of the previous page. */
  after?: number | undefined;
  limit: number;
}

/** Returns an operator's change of an order as an activity. */
export const activityOfChange = (
  subject: string,
  { at, operator = '', event, amount }: HistoryEntry,
): Activity => ({ at, operator, action: `order.${event}`, subject, amount: amount ?? null });

/** Returns an edit of the catalogue as an activity; an empty list for an edit by the server. */
export const activityOfEdit = ({ at, by, command }: CatalogEdit): Activity[] =>
  by === null ? [] : [{ at, operator: by, action: 'catalog.edited', subject: command, amount: null }];

/** Tells whether an activity passes a filter, apart from its limit. */
export const matchesActivity = (
  { operator, at, number }: StoredActivity,
  filter: Omit<ActivityFilter, 'limit'>,
): boolean =>
  (filter.operator === undefined || operator === filter.operator) &&
  at >= (filter.from ?? Number.NEGATIVE_INFINITY) &&
  at < (filter.before ?? Number.POSITIVE_INFINITY) &&
  number < (filter.after ?? Number.POSITIVE_INFINITY);

/** Returns the closing of a payment or a refund as an activity; an empty list if no operator closed it. */
export const activityOfClosing = (
  action: 'payment.returned' | 'refund.paid' | 'refund.cancelled',
  subject: string,
  amount: number,
  { closedAt, closedBy }: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
): Activity[] =>
  closedAt === null || closedBy === null
    ? []
    : [{ at: closedAt, operator: closedBy, action, subject, amount }];
