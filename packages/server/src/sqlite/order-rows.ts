import type { DatabaseSync } from 'node:sqlite';
import { normalPhone } from '@topup-kit/core/contract';
import type {
  ChangeOrder,
  Conflict,
  FinaliseOrder,
  HistoryEntry,
  Payment,
  PlaceOrderConflict,
  ReservedOrder,
  ReserveOrderConflict,
  StoredOrder,
} from '@topup-kit/core/store';
import { json } from '../rows/columns.ts';
import { detailsText } from '../rows/records.ts';

/** Writes orders. {@link OrderQueries} reads them. */
export interface OrderRows {
  insert(order: StoredOrder): PlaceOrderConflict | null;
  reserve(order: ReservedOrder): ReserveOrderConflict | null;
  finalise(order: FinaliseOrder): Conflict<'order_missing' | 'reference_taken'> | null;
  deleteReserved(orderId: string): Conflict<'order_missing'> | null;
  change(change: ChangeOrder): Conflict<'order_missing' | 'order_changed'> | null;
  clear(): void;
}

export function prepareOrderRows(db: DatabaseSync): OrderRows {
  const insert = db.prepare(`
    INSERT INTO orders (order_id, account_id, game_id, created_at, expires_at, reserved, version, payment_status,
      buy_status, payment_method_id, total_price, unique_code, payment_reference, payment_code, payment_url,
      payment_qr_string, serial_number, customer, page_reference, details)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const finalise = db.prepare(`
    UPDATE OR IGNORE orders SET reserved = 0,
      payment_reference = ?, payment_code = ?, payment_url = ?, payment_qr_string = ?
    WHERE order_id = ? AND reserved = 1`);
  const change = db.prepare(`
    UPDATE orders SET payment_status = ?, buy_status = ?, serial_number = ?, version = version + 1
    WHERE order_id = ? AND version = ? AND reserved = 0`);
  const deleteReserved = db.prepare('DELETE FROM orders WHERE order_id = ? AND reserved = 1');
  const clear = db.prepare('DELETE FROM orders');
  const orderIdTaken = db.prepare('SELECT 1 FROM orders WHERE order_id = ? OR page_reference = ?');
  const referenceTaken = db.prepare('SELECT 1 FROM orders WHERE payment_reference = ?');
  const hasReserved = db.prepare('SELECT 1 FROM orders WHERE order_id = ? AND reserved = 1');
  const hasPlaced = db.prepare('SELECT 1 FROM orders WHERE order_id = ? AND reserved = 0');

  const insertRow = (order: ReservedOrder, payment: Payment | null): boolean =>
    insert.run(
      order.orderId,
      order.accountId,
      order.game.id,
      order.createdAt,
      order.expiresAt,
      payment ? 0 : 1,
      order.version,
      order.paymentStatus,
      order.buyStatus,
      order.paymentMethod.id,
      order.pricing.total_price,
      order.pricing.unique_code,
      payment?.reference ?? null,
      payment?.code ?? null,
      payment?.url ?? null,
      payment?.qrString ?? null,
      order.serialNumber,
      normalPhone(order.contact.whatsapp),
      order.pageReference,
      detailsText(order),
    ).changes > 0;

  return {
    insert(order) {
      if (insertRow(order, order.payment)) return null;
      // Find out which unique constraint failed.
      if (orderIdTaken.get(order.orderId, order.pageReference)) return { conflict: 'order_id_taken' };
      if (referenceTaken.get(order.payment.reference)) return { conflict: 'reference_taken' };
      return { conflict: 'code_taken' };
    },
    reserve(order) {
      if (insertRow(order, null)) return null;
      const isIdTaken = orderIdTaken.get(order.orderId, order.pageReference) !== undefined;
      return { conflict: isIdTaken ? 'order_id_taken' : 'code_taken' };
    },
    finalise({ orderId, payment: { reference, code, url, qrString } }) {
      if (finalise.run(reference, code, url, qrString, orderId).changes > 0) return null;
      return { conflict: hasReserved.get(orderId) ? 'reference_taken' : 'order_missing' };
    },
    deleteReserved: (orderId) =>
      deleteReserved.run(orderId).changes > 0 ? null : { conflict: 'order_missing' },
    change({ orderId, version, to, serialNumber }) {
      if (change.run(to.paymentStatus, to.buyStatus, serialNumber, orderId, version).changes > 0) return null;
      return { conflict: hasPlaced.get(orderId) ? 'order_changed' : 'order_missing' };
    },
    clear: () => void clear.run(),
  };
}

export interface HistoryRows {
  /** Adds the history entry of the change that led to this version of an order. */
  add(orderId: string, version: number, entry: HistoryEntry): void;
  find(orderId: string): HistoryEntry[];
  clear(): void;
}

export function prepareHistoryRows(db: DatabaseSync): HistoryRows {
  const insert = db.prepare('INSERT INTO history (order_id, version, entry) VALUES (?, ?, ?)');
  const select = db.prepare('SELECT entry FROM history WHERE order_id = ? ORDER BY version');
  const clear = db.prepare('DELETE FROM history');

  return {
    add: (orderId, version, entry) => void insert.run(orderId, version, JSON.stringify(entry)),
    find: (orderId) => select.all(orderId).map((row) => json<HistoryEntry>(row, 'entry')),
    clear: () => void clear.run(),
  };
}
