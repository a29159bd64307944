import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { Payment, ReservedOrder, StoredOrder } from '@topup-kit/core/store';
import type { Row } from './columns.ts';
import { integer, json, oneOf, text, textOrNull } from './columns.ts';

/** What never changes of an order, and what no constraint or index needs alone. */
type Details = Pick<StoredOrder, 'target' | 'contact' | 'game' | 'product' | 'paymentMethod' | 'pricing'>;

/** The columns that an order is read from. */
export const orderColumns = `order_id, account_id, created_at, expires_at, version, payment_status, buy_status,
  serial_number, details, payment_reference, payment_code, payment_url, payment_qr_string`;

export const reservedOrderOf = (row: Row): ReservedOrder => ({
  orderId: text(row, 'order_id'),
  accountId: text(row, 'account_id'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  version: integer(row, 'version'),
  paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
  buyStatus: oneOf(buyStatuses, row, 'buy_status'),
  ...json<Details>(row, 'details'),
  serialNumber: textOrNull(row, 'serial_number'),
});

const paymentOf = (row: Row): Payment => ({
  reference: text(row, 'payment_reference'),
  code: textOrNull(row, 'payment_code'),
  url: textOrNull(row, 'payment_url'),
  qrString: textOrNull(row, 'payment_qr_string'),
});

export const orderOf = (row: Row): StoredOrder => ({ ...reservedOrderOf(row), payment: paymentOf(row) });

export function detailsText({
  target,
  contact,
  game,
  product,
  paymentMethod,
  pricing,
}: ReservedOrder): string {
  return JSON.stringify({ target, contact, game, product, paymentMethod, pricing } satisfies Details);
}
