/** A table with the same columns in a file and in PostgreSQL, except those of `isOwn` in `rows.ts`. */
export interface CopiedTable {
  name: string;
  /** Columns that sort and identify the table's rows; unique in a large table. */
  key: readonly string[];
}

const tables = (keys: Record<string, string>): readonly CopiedTable[] =>
  Object.entries(keys).map(([name, key]) => ({ name, key: key.split(' ') }));

/** Tables that are copied in one transaction at the start. `added` is the order in which rows were added. */
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

/** Tables that are copied in parts, in the order of their keys, so that the copied rows show where the copy stopped. */
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

/** All tables in the order of copying: referenced tables come first. */
export const allTables: readonly CopiedTable[] = [...smallTables, ...largeTables];

/** Tables that must be empty in a target; if they are, all other tables are empty, too. */
export const emptyTables = ['mode', 'catalog', 'keys', 'promos', 'orders', 'callbacks', 'reconciliations'];
