import type { DatabaseSync } from 'node:sqlite';
import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { ChangeOrder, Conflict, PlaceOrderConflict, StoredOrder } from '@topup-kit/core/store';
import type { Row } from './columns.ts';
import { integer, json, oneOf, text, textOrNull } from './columns.ts';

export interface OrderRows {
  insert(order: StoredOrder): PlaceOrderConflict | null;
  find(orderId: string): StoredOrder | null;
  findByReference(reference: string): StoredOrder | null;
  changeState(change: ChangeOrder): Conflict<'order_missing' | 'state_changed'> | null;
}

/** What never changes of an order, and what no constraint or index needs alone. */
type Details = Omit<
  StoredOrder,
  'orderId' | 'accountId' | 'createdAt' | 'expiresAt' | 'paymentStatus' | 'buyStatus' | 'serialNumber'
>;

const orderOf = (row: Row): StoredOrder => ({
  orderId: text(row, 'order_id'),
  accountId: text(row, 'account_id'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
  buyStatus: oneOf(buyStatuses, row, 'buy_status'),
  ...json<Details>(row, 'details'),
  serialNumber: textOrNull(row, 'serial_number'),
});

const columns = `order_id, account_id, created_at, expires_at, payment_status, buy_status, serial_number, details`;

export function prepareOrderRows(db: DatabaseSync): OrderRows {
  const insert = db.prepare(`
    INSERT INTO orders (${columns}, payment_method_id, total_price, unique_code, payment_reference)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const select = db.prepare(`SELECT ${columns} FROM orders WHERE order_id = ?`);
  const selectByReference = db.prepare(`SELECT ${columns} FROM orders WHERE payment_reference = ?`);
  const orderIdTaken = db.prepare('SELECT 1 FROM orders WHERE order_id = ?');
  const referenceTaken = db.prepare('SELECT 1 FROM orders WHERE payment_reference = ?');
  const updateState = db.prepare(`
    UPDATE orders SET payment_status = ?, buy_status = ?
    WHERE order_id = ? AND payment_status = ? AND buy_status = ?`);

  /** Which of the unique constraints refused an order. */
  function refusal({ orderId, payment }: StoredOrder): PlaceOrderConflict {
    if (orderIdTaken.get(orderId)) return { conflict: 'order_id_taken' };
    if (referenceTaken.get(payment.reference)) return { conflict: 'reference_taken' };
    return { conflict: 'code_taken' };
  }

  return {
    insert(order) {
      const { orderId, accountId, createdAt, expiresAt, paymentStatus, buyStatus, serialNumber, ...details } =
        order;
      const { changes } = insert.run(
        orderId,
        accountId,
        createdAt,
        expiresAt,
        paymentStatus,
        buyStatus,
        serialNumber,
        JSON.stringify(details satisfies Details),
        details.paymentMethod.id,
        details.pricing.total_price,
        details.pricing.unique_code,
        details.payment.reference,
      );
      return changes === 0 ? refusal(order) : null;
    },
    find(orderId) {
      const row = select.get(orderId);
      return row ? orderOf(row) : null;
    },
    findByReference(reference) {
      const row = selectByReference.get(reference);
      return row ? orderOf(row) : null;
    },
    changeState({ orderId, from, to }) {
      const { changes } = updateState.run(
        to.paymentStatus,
        to.buyStatus,
        orderId,
        from.paymentStatus,
        from.buyStatus,
      );
      if (changes > 0) return null;
      return { conflict: orderIdTaken.get(orderId) ? 'state_changed' : 'order_missing' };
    },
  };
}
