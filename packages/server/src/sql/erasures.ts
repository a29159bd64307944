import {
  type Conflict,
  type Done,
  done,
  type EraseOrder,
  type Erasure,
  erasedEntry,
  erasedOrder,
  erasedText,
  type HistoryEntry,
  type Reconciliation,
  type Refund,
  type RoomErasure,
  type StoredOrder,
  searchTerms,
  withoutNames,
} from '@topup-kit/core/store';
import { integer, text } from '../rows/columns.ts';
import { detailsText } from '../rows/orders.ts';
import { rejectChanged } from './change-order.ts';
import { eachOf } from './dialect.ts';
import { readRecords } from './records.ts';
import { all, type Command, first, run, type Statement, sql } from './statement.ts';

/** Adds to the stored numbers of erased records. */
export const countErased = (
  { at, by }: EraseOrder['erasure'],
  { orders = 0, callbacks = 0, events = 0 }: Partial<Omit<Erasure, 'at' | 'by'>>,
): Statement => sql`
  INSERT INTO erasures (at, operator, orders, callbacks, events)
  VALUES (${at}, ${by}, ${orders}, ${callbacks}, ${events})
  ON CONFLICT (at, operator) DO UPDATE SET orders = erasures.orders + excluded.orders,
    callbacks = erasures.callbacks + excluded.callbacks, events = erasures.events + excluded.events`;

/** Stores an erased order. The engines' indexes need different columns. */
const putOrder = (order: StoredOrder): Statement => sql`
  UPDATE orders SET serial_number = NULL, payment_code = NULL, payment_url = NULL, payment_qr_string = NULL,
    details = ${detailsText(order)},
    ${{ sqlite: () => sql`customer = NULL`, postgres: () => sql`target_id = ${erasedText}` }}
  WHERE order_id = ${order.orderId}`;

const putEntry = (orderId: string, version: number, entry: HistoryEntry): Statement => sql`
  UPDATE history SET entry = ${JSON.stringify(erasedEntry(entry))}
  WHERE order_id = ${orderId} AND version = ${version}`;

const putRefund = ({ refundId, reference }: Refund, order: StoredOrder): Statement => sql`
  UPDATE refunds SET note = NULL, reference = ${withoutNames(reference, order)} WHERE refund_id = ${refundId}`;

const putNote = ({ reconciliationId, note }: Reconciliation, order: StoredOrder): Statement => sql`
  UPDATE reconciliations SET note = ${withoutNames(note, order)} WHERE reconciliation_id = ${reconciliationId}`;

/** Returns the terms of an order, current and former, because those of replaced proofs are still stored. */
function termsOf(order: StoredOrder, proofs: readonly (string | null | undefined)[]): string[] {
  const kept = new Set(searchTerms(erasedOrder(order)));
  const known = [order.serialNumber, ...proofs].flatMap((serialNumber) =>
    searchTerms({ ...order, serialNumber: serialNumber ?? null }),
  );
  return [...new Set(known)].filter((term) => !kept.has(term));
}

/** Erases an order. `rooms` erase their own records of the order. */
export function* eraseOrder(
  { orderId, version, customerHash, erasure }: EraseOrder,
  rooms: readonly ((orderId: string) => Command<RoomErasure>)[],
): Command<Done | Conflict<'order_missing' | 'order_changed'>> {
  // Runs first and alone, as in `changeOrder`, so that a later change of the order reads the erased data.
  const { count: changed } = yield* run(sql`
    UPDATE orders SET version = version + 1 WHERE order_id = ${orderId} AND version = ${version} AND reserved = 0`);
  if (changed === 0) return yield* rejectChanged(orderId);
  const records = yield* readRecords(sql`order_id = ${orderId}`);
  const [order] = records.orders;
  if (!order) return { conflict: 'order_missing' };
  const history = records.historyOf(orderId);
  const versions = records.versionsOf(orderId);
  const proofs = [
    ...records.unitsOf(orderId).map(({ serialNumber }) => serialNumber),
    ...history.flatMap((entry) => [
      entry.serialNumber,
      ...(entry.revoked ?? []).map(({ serialNumber }) => serialNumber),
    ]),
  ];
  yield [
    putOrder(erasedOrder(order)),
    sql`UPDATE units SET serial_number = NULL, reason = NULL WHERE order_id = ${orderId}`,
    sql`
      DELETE FROM order_terms
      WHERE order_id = ${orderId} AND term IN (${eachOf(termsOf(order, proofs))})`,
    sql`UPDATE promo_claims SET customer = ${customerHash} WHERE order_id = ${orderId}`,
    ...history.map((entry, index) => putEntry(orderId, versions[index] ?? 0, entry)),
    ...records.refundsOf(orderId).map((refund) => putRefund(refund, order)),
    ...records.reconciliations
      .filter((payment) => payment.orderId === orderId)
      .map((payment) => putNote(payment, order)),
  ];
  const erased: RoomErasure[] = [];
  for (const erase of rooms) erased.push(yield* erase(orderId));
  yield [countErased(erasure, Object.assign({ orders: 1 }, ...erased))];
  return done;
}

export const listErasures = (): Command<Erasure[]> =>
  all(sql`SELECT * FROM erasures ORDER BY at DESC, operator`, (row) => ({
    at: integer(row, 'at'),
    by: text(row, 'operator'),
    orders: integer(row, 'orders'),
    callbacks: integer(row, 'callbacks'),
    events: integer(row, 'events'),
  }));

export const findCustomerSecret = (): Command<string | null> =>
  first(sql`SELECT secret FROM customer_secret`, (row) => text(row, 'secret'));

export function* setCustomerSecret(secret: string, known: string | null): Command<string> {
  yield [
    known === null
      ? sql`INSERT INTO customer_secret (id, secret) VALUES (1, ${secret}) ON CONFLICT DO NOTHING`
      : sql`UPDATE customer_secret SET secret = ${secret} WHERE secret = ${known}`,
  ];
  return (yield* findCustomerSecret()) ?? secret;
}
