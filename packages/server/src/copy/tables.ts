/** A table of a store, which has the same columns in a file and in PostgreSQL. */
export interface CopiedTable {
  name: string;
  columns: readonly string[];
  /** The columns by which its rows are sorted; in a large table they are unique, and a row is found again by them. */
  key: readonly string[];
}

/** Stands in a key for the order in which rows were added, which each kind of store keeps in a column of its own. */
export const added = 'added';

const table = (name: string, key: string, columns: string): CopiedTable => ({
  name,
  columns: columns.split(' '),
  key: key.split(' '),
});

/** Of what a store counts by itself, a copy has only the rows `defaults` and `restored_at`. */
export const revisions = table('revisions', 'name', 'name value');

/** Copied in one transaction, before the others, which refer to them. */
export const smallTables: readonly CopiedTable[] = [
  table('mode', 'id', 'id mode'),
  table('display', 'id', 'id currency timezone'),
  table('catalog', 'id', 'id document'),
  table('margins', 'scope key', 'scope key rule'),
  table('catalog_edits', 'number', 'number edit'),
  table('priced_lists', 'supplier', 'supplier read_at products'),
  table('promos', 'code', 'code position definition quota used origin'),
  table(
    'keys',
    `created_at ${added}`,
    'hash key_id account_id name scopes created_at expires_at revoked_at replaced_by last_used_at',
  ),
  table(
    'reconciliations',
    `noticed_at ${added}`,
    'reconciliation_id order_id reference amount paid_at noticed_at reason state note closed_at closed_by fee',
  ),
  table('supplier_balances', 'supplier', 'supplier balance alert_below read_at'),
  table('supplier_lists', 'supplier', 'supplier read_at products'),
  table('provider_problems', 'provider call', 'provider call problem since'),
  table('world', 'id', 'id ahead'),
  table('last_change', 'id', 'id position'),
  table('search_progress', 'id', 'id position'),
  table('placed_orders', added, 'order_id'),
  table('event_progress', 'id', 'id position edit place'),
  table('erasures', 'at operator', 'at operator orders callbacks events'),
  table('customer_secret', 'id', 'id secret'),
  table('raised_alerts', 'id', 'id version alerts'),
  table(
    'webhook_endpoints',
    'endpoint_id',
    'endpoint_id account_id url types description secret previous_secret previous_until disabled created_at failing_since version',
  ),
  table('console_links', 'hash', 'hash operator created_at expires_at used_at'),
  table('console_sessions', 'session_id', 'session_id hash operator created_at expires_at last_seen_at'),
];

/** Copied in parts, in the order of their keys, so that what a copy has shows where it stopped. Tables that others refer to come first. */
export const largeTables: readonly CopiedTable[] = [
  table(
    'orders',
    'order_id',
    'order_id account_id game_id created_at expires_at reserved version payment_status buy_status payment_method_id total_price unique_code payment_reference payment_code payment_url payment_qr_string serial_number page_reference details',
  ),
  table(
    'units',
    'order_id unit',
    'order_id unit attempt state asked_at next_at supplier find_by supplier_id serial_number reason failure_kind contradiction cost cost_source waits_for',
  ),
  table('history', 'order_id version', 'order_id version entry position'),
  table('order_terms', 'term order_id', 'term order_id'),
  table('earlier_attempts', 'supplier_id order_id unit attempt', 'supplier_id order_id unit attempt'),
  table(
    'refunds',
    'refund_id',
    'refund_id order_id amount units created_at operator note state reference closed_at closed_by',
  ),
  table(
    'sales',
    'order_id line',
    'order_id line at game product method account supplier orders units turnover discounts returned gateway_fees reported_fees cost listed_cost unknown_costs made_by',
  ),
  table('sales_due', 'order_id', 'order_id'),
  table('webhook_events', 'event_id', 'event_id place type account_id order_id created_at body'),
  table(
    'webhook_deliveries',
    'endpoint_id event_id',
    'endpoint_id event_id place order_id state attempts step next_at log',
  ),
  table('promo_claims', 'order_id', 'order_id code customer released'),
  table(
    'idempotent_responses',
    'account_id key',
    'account_id key order_id fingerprint body locale expires_at',
  ),
  table('used_keys', 'account_id key', 'account_id key order_id fingerprint'),
  table(
    'callbacks',
    'callback_id',
    'callback_id provider received_at address headers outcome reason order_id handled_at attempts replay body sent_bytes',
  ),
];

export const allTables: readonly CopiedTable[] = [...smallTables, ...largeTables];
