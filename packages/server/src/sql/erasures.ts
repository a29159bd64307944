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
  hasPhone,
  type Reconciliation,
  type Refund,
  type StoredOrder,
  searchTerms,
  withoutNames,
} from '@topup-kit/core/store';
import { bytes, integer, text } from '../rows/columns.ts';
import { detailsText } from '../rows/orders.ts';
import { emptyCallbacks } from './callbacks.ts';
import { rejectChanged } from './change-order.ts';
import { eachOf } from './dialect.ts';
import { readRecords } from './records.ts';
import { all, type Command, first, run, type Statement, sql } from './statement.ts';

const count = (
  { at, by }: EraseOrder['erasure'],
  { orders, callbacks, events }: Pick<Erasure, 'orders' | 'callbacks' | 'events'>,
): Statement => sql`
  INSERT INTO erasures (at, operator, orders, callbacks, events)
  VALUES (${at}, ${by}, ${orders}, ${callbacks}, ${events})
  ON CONFLICT (at, operator) DO UPDATE SET orders = erasures.orders + excluded.orders,
    callbacks = erasures.callbacks + excluded.callbacks, events = erasures.events + excluded.events`;

/** Each engine has what an index of it needs. */
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

/** The terms by which an order is found, or was: those of proofs that have been replaced are still there. */
function termsOf(order: StoredOrder, proofs: readonly (string | null | undefined)[]): string[] {
  const kept = new Set(searchTerms(erasedOrder(order)));
  const known = [order.serialNumber, ...proofs].flatMap((serialNumber) =>
    searchTerms({ ...order, serialNumber: serialNumber ?? null }),
  );
  return [...new Set(known)].filter((term) => !kept.has(term));
}

/** `rooms` erase what they have of the order, and return how many events had something. */
export function* eraseOrder(
  { orderId, version, customerHash, erasure }: EraseOrder,
  rooms: readonly ((orderId: string) => Command<number>)[],
): Command<Done | Conflict<'order_missing' | 'order_changed'>> {
  // Alone and first, as in changeOrder, so that whoever changes the order reads what is left of it.
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
  const [callbacks] = yield [
    emptyCallbacks(sql`order_id = ${orderId}`),
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
  let events = 0;
  for (const erase of rooms) events += yield* erase(orderId);
  yield [count(erasure, { orders: 1, callbacks: callbacks?.count ?? 0, events })];
  return done;
}

export function* findStrayCallbacks(digits: string): Command<string[]> {
  const found = yield* all(
    sql`
      SELECT callback_id, body FROM callbacks WHERE order_id IS NULL AND ${{
        sqlite: () => sql`instr(body, CAST(${digits} AS BLOB)) > 0`,
        postgres: () => sql`position(convert_to(${digits}, 'UTF8') IN body) > 0`,
      }}`,
    (row) => ({ id: text(row, 'callback_id'), body: bytes(row, 'body') }),
  );
  return found.filter(({ body }) => hasPhone(body, digits)).map(({ id }) => id);
}

export function* eraseCallbacks(
  callbackIds: readonly string[],
  erasure: EraseOrder['erasure'],
): Command<Done> {
  const erased = yield* run(emptyCallbacks(sql`callback_id IN (${eachOf(callbackIds)})`));
  yield [count(erasure, { orders: 0, callbacks: erased.count, events: 0 })];
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
