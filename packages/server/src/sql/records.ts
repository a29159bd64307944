import type { HistoryEntry, Reconciliation, Refund, StoredOrder, StoredUnit } from '@topup-kit/core/store';
import { integer, json, type Row, text as textOf } from '../rows/columns.ts';
import { orderColumns, orderOf } from '../rows/orders.ts';
import { reconciliationOf, refundOf, unitOf } from '../rows/records.ts';
import { placedVersion } from './changes.ts';
import { type Command, type Statement, sql, text } from './statement.ts';

export function byOrder<Item>(rows: readonly Row[], itemOf: (row: Row) => Item): (orderId: string) => Item[] {
  const groups = new Map<string, Item[]>();
  for (const row of rows) {
    const orderId = textOf(row, 'order_id');
    const group = groups.get(orderId);
    if (group) group.push(itemOf(row));
    else groups.set(orderId, [itemOf(row)]);
  }
  return (orderId) => groups.get(orderId) ?? [];
}

interface Records {
  orders: StoredOrder[];
  unitsOf: (orderId: string) => StoredUnit[];
  historyOf: (orderId: string) => HistoryEntry[];
  /** Returns the versions after each entry of an order's history. */
  versionsOf: (orderId: string) => number[];
  refundsOf: (orderId: string) => Refund[];
  reconciliations: Reconciliation[];
}

/** Reads the records of orders that match a condition on `order_id`. */
export function* readRecords(among: Statement): Command<Records> {
  const [orders, units, history, refunds, reconciliations] = yield [
    sql`SELECT ${text(orderColumns)} FROM orders WHERE ${among} AND reserved = 0`,
    sql`SELECT * FROM units WHERE ${among} ORDER BY order_id, unit`,
    sql`SELECT order_id, version, entry FROM history WHERE ${among} AND version > ${placedVersion} ORDER BY order_id, version`,
    sql`SELECT * FROM refunds WHERE ${among} ORDER BY created_at`,
    sql`
      SELECT * FROM reconciliations WHERE reference IN (
        SELECT payment_reference FROM orders WHERE ${among}
        UNION ALL SELECT reference FROM reconciliations WHERE ${among})`,
  ];
  return {
    orders: (orders?.rows ?? []).map(orderOf),
    unitsOf: byOrder(units?.rows ?? [], unitOf),
    historyOf: byOrder(history?.rows ?? [], (row) => json<HistoryEntry>(row, 'entry')),
    versionsOf: byOrder(history?.rows ?? [], (row) => integer(row, 'version')),
    refundsOf: byOrder(refunds?.rows ?? [], refundOf),
    reconciliations: (reconciliations?.rows ?? []).map(reconciliationOf),
  };
}
