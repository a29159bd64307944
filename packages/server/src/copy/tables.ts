/** A table of a store, which has the same columns in a file and in PostgreSQL, beside those of `isOwn` in `rows.ts`. */
export interface CopiedTable {
  name: string;
  /** The columns by which its rows are sorted; in a large table they are unique, and a row is found again by them. */
  key: readonly string[];
}

const tables = (keys: Record<string, string>): readonly CopiedTable[] =>
  Object.entries(keys).map(([name, key]) => ({ name, key: key.split(' ') }));

/** All are copied in one transaction, with which a copy begins. `added` is the order in which rows were added. */
export const smallTables = tables({
  revisions: 'name',
  mode: 'id',
  display: 'id',
  catalog: 'id',
  margins: 'scope key',
  catalog_edits: 'number',
  priced_lists: 'supplier',
  promos: 'code',
  keys: 'created_at added',
  reconciliations: 'noticed_at added',
  supplier_balances: 'supplier',
  supplier_lists: 'supplier',
  provider_problems: 'provider call',
  world: 'id',
  last_change: 'id',
  search_progress: 'id',
  placed_orders: 'added',
  event_progress: 'id',
  erasures: 'at operator',
  activity: 'added',
  customer_secret: 'id',
  raised_alerts: 'id',
  webhook_endpoints: 'endpoint_id',
  console_links: 'hash',
  console_sessions: 'session_id',
});

/** Copied in parts, in the order of their keys, so that what a copy has shows where it stopped. */
export const largeTables = tables({
  orders: 'order_id',
  units: 'order_id unit',
  history: 'order_id version',
  order_terms: 'term order_id',
  earlier_attempts: 'supplier_id order_id unit attempt',
  refunds: 'refund_id',
  sales: 'order_id line',
  sales_due: 'order_id',
  webhook_events: 'event_id',
  webhook_deliveries: 'endpoint_id event_id',
  promo_claims: 'order_id',
  idempotent_responses: 'account_id key',
  used_keys: 'account_id key',
  callbacks: 'callback_id',
});

/** In the order in which they are copied: tables that others refer to come first. */
export const allTables: readonly CopiedTable[] = [...smallTables, ...largeTables];

/** The tables of a target that must be empty; the others hold nothing without them. */
export const emptyTables = ['mode', 'catalog', 'keys', 'promos', 'orders', 'callbacks', 'reconciliations'];
