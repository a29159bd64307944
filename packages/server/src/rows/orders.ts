import { buyStatuses, locales, paymentStatuses } from '@topup-kit/core/contract';
import {
  type IdempotentResponse,
  laterOrderFields,
  type OrderProgress,
  type OrderStateCount,
  type Payment,
  type ReservedOrder,
  type StoredOrder,
} from '@topup-kit/core/store';
import { integer, json, oneOf, type Row, text, textOrNull } from './columns.ts';

// These fields of an order never change, and no constraint or index needs them. They are stored as one JSON document.

/** Fields of every stored order. */
const firstDetails = ['target', 'contact', 'game', 'product', 'paymentMethod', 'pricing'] as const;

const laterNames = Object.keys(laterOrderFields) as (keyof typeof laterOrderFields)[]; // Safe: the literal has these keys.

type FirstDetails = Pick<StoredOrder, (typeof firstDetails)[number]>;
type LaterDetails = Pick<StoredOrder, keyof typeof laterOrderFields>;

/** Columns for the progress of an order. */
export const progressColumns = 'order_id, account_id, expires_at, payment_status, buy_status';

/** Columns for an order. */
export const orderColumns = `${progressColumns}, created_at, version, serial_number, page_reference, details,
  payment_reference, payment_code, payment_url, payment_qr_string`;

export const progressOf = (row: Row): OrderProgress => ({
  orderId: text(row, 'order_id'),
  accountId: text(row, 'account_id'),
  expiresAt: integer(row, 'expires_at'),
  paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
  buyStatus: oneOf(buyStatuses, row, 'buy_status'),
});

export const reservedOrderOf = (row: Row): ReservedOrder => ({
  ...progressOf(row),
  createdAt: integer(row, 'created_at'),
  version: integer(row, 'version'),
  ...laterOrderFields,
  ...json<FirstDetails & Partial<LaterDetails>>(row, 'details'),
  pageReference: textOrNull(row, 'page_reference'),
  serialNumber: textOrNull(row, 'serial_number'),
});

const paymentOf = (row: Row): Payment => ({
  reference: text(row, 'payment_reference'),
  code: textOrNull(row, 'payment_code'),
  url: textOrNull(row, 'payment_url'),
  qrString: textOrNull(row, 'payment_qr_string'),
});

export const orderOf = (row: Row): StoredOrder => ({ ...reservedOrderOf(row), payment: paymentOf(row) });

export const ordersInStateOf = (row: Row): OrderStateCount => ({
  paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
  buyStatus: oneOf(buyStatuses, row, 'buy_status'),
  count: integer(row, 'count'),
});

export const detailsText = (order: ReservedOrder): string =>
  JSON.stringify(Object.fromEntries([...firstDetails, ...laterNames].map((name) => [name, order[name]])));

export const responseOf = (row: Row): IdempotentResponse => ({
  accountId: text(row, 'account_id'),
  orderId: text(row, 'order_id'),
  key: text(row, 'key'),
  fingerprint: text(row, 'fingerprint'),
  body: textOrNull(row, 'body'),
  locale: row.locale === null ? null : oneOf(locales, row, 'locale'),
  expiresAt: integer(row, 'expires_at'),
});
