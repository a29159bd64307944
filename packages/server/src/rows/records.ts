import { callbackOutcomes } from '@topup-kit/core/callback';
import { buyStatuses, failureReasons, locales, paymentStatuses } from '@topup-kit/core/contract';
import {
  costSources,
  type DueUnit,
  findByKinds,
  type IdempotentResponse,
  type OrderProgress,
  type OrdersInState,
  type Payment,
  type Reconciliation,
  type Refund,
  type ReservedOrder,
  reconciliationReasons,
  refundStates,
  type StoredCallback,
  type StoredKey,
  type StoredOrder,
  type StoredUnit,
  type SupplierList,
  type UnprovenCallback,
  unitStates,
  waitReasons,
} from '@topup-kit/core/store';
import { bytes, integer, integerOrNull, json, oneOf, type Row, text, textOrNull } from './columns.ts';

// The tables of the file store and of PostgreSQL have the same columns, so that the records in both are read here.

// The fields of an order that never change and that no constraint or index needs. They are stored as one JSON document.

/** Those that every stored order has. */
const firstDetails = ['target', 'contact', 'game', 'product', 'paymentMethod', 'pricing'] as const;

/** Those that were added, and what they are of orders that were stored before. */
const laterDetails = { gateway: null, returnUrl: null } satisfies Partial<StoredOrder>;

const laterNames = Object.keys(laterDetails) as (keyof typeof laterDetails)[]; // safe: the keys of a literal

type FirstDetails = Pick<StoredOrder, (typeof firstDetails)[number]>;
type LaterDetails = Pick<StoredOrder, keyof typeof laterDetails>;

/** The columns that are read for the progress of an order. */
export const progressColumns = 'order_id, account_id, expires_at, payment_status, buy_status';

/** The columns that are read for an order. */
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
  ...laterDetails,
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

export const ordersInStateOf = (row: Row): OrdersInState => ({
  paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
  buyStatus: oneOf(buyStatuses, row, 'buy_status'),
  count: integer(row, 'count'),
});

export const detailsText = (order: ReservedOrder): string =>
  JSON.stringify(Object.fromEntries([...firstDetails, ...laterNames].map((name) => [name, order[name]])));

export const unitOf = (row: Row): StoredUnit => ({
  unit: integer(row, 'unit'),
  attempt: integer(row, 'attempt'),
  state: oneOf(unitStates, row, 'state'),
  askedAt: integerOrNull(row, 'asked_at'),
  nextAt: integerOrNull(row, 'next_at'),
  supplier: textOrNull(row, 'supplier'),
  findBy: textOrNull(row, 'find_by') === null ? null : oneOf(findByKinds, row, 'find_by'),
  supplierId: textOrNull(row, 'supplier_id'),
  serialNumber: textOrNull(row, 'serial_number'),
  reason: textOrNull(row, 'reason'),
  failureKind: textOrNull(row, 'failure_kind') === null ? null : oneOf(failureReasons, row, 'failure_kind'),
  contradiction: textOrNull(row, 'contradiction'),
  cost: integerOrNull(row, 'cost'),
  costSource: textOrNull(row, 'cost_source') === null ? null : oneOf(costSources, row, 'cost_source'),
  waitsFor: textOrNull(row, 'waits_for') === null ? null : oneOf(waitReasons, row, 'waits_for'),
});

export const nameOf = (row: Row): DueUnit => ({ orderId: text(row, 'order_id'), unit: integer(row, 'unit') });

export const callbackOf = (row: Row): StoredCallback => ({
  callbackId: text(row, 'callback_id'),
  provider: text(row, 'provider'),
  receivedAt: integer(row, 'received_at'),
  address: text(row, 'address'),
  headers: json<StoredCallback['headers']>(row, 'headers'),
  body: bytes(row, 'body'),
  // A store of an earlier format is inspected as it is.
  sentBytes: 'sent_bytes' in row ? integerOrNull(row, 'sent_bytes') : null,
  outcome: oneOf(callbackOutcomes, row, 'outcome'),
  reason: textOrNull(row, 'reason'),
  orderId: textOrNull(row, 'order_id'),
  handledAt: integer(row, 'handled_at'),
  attempts: integer(row, 'attempts'),
  replay: integer(row, 'replay') === 1,
});

/** The columns that are read for an unproven callback; `kept_bytes` is the length of its body. */
export const unprovenColumns = 'callback_id, provider, received_at, address, outcome, reason';

export const unprovenOf = (row: Row): UnprovenCallback => ({
  callbackId: text(row, 'callback_id'),
  provider: text(row, 'provider'),
  receivedAt: integer(row, 'received_at'),
  address: text(row, 'address'),
  outcome: oneOf(callbackOutcomes, row, 'outcome'),
  reason: textOrNull(row, 'reason'),
  keptBytes: integer(row, 'kept_bytes'),
});

export const keyOf = (row: Row): StoredKey => ({
  keyId: text(row, 'key_id'),
  hash: text(row, 'hash'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  scopes: json<StoredKey['scopes']>(row, 'scopes'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integerOrNull(row, 'expires_at'),
  revokedAt: integerOrNull(row, 'revoked_at'),
  replacedBy: textOrNull(row, 'replaced_by'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
});

export const reconciliationOf = (row: Row): Reconciliation => ({
  reconciliationId: text(row, 'reconciliation_id'),
  orderId: textOrNull(row, 'order_id'),
  reference: text(row, 'reference'),
  amount: integer(row, 'amount'),
  fee: 'fee' in row ? integerOrNull(row, 'fee') : null,
  paidAt: integer(row, 'paid_at'),
  noticedAt: integer(row, 'noticed_at'),
  reason: oneOf(reconciliationReasons, row, 'reason'),
  state: oneOf<Reconciliation['state']>(['open', 'settled', 'returned'], row, 'state'),
  note: textOrNull(row, 'note'),
  // A store of an earlier format, which is only looked at, has no such columns.
  closedAt: 'closed_at' in row ? integerOrNull(row, 'closed_at') : null,
  closedBy: 'closed_by' in row ? textOrNull(row, 'closed_by') : null,
});

export const refundOf = (row: Row): Refund => ({
  refundId: text(row, 'refund_id'),
  orderId: text(row, 'order_id'),
  amount: integer(row, 'amount'),
  units: json<number[]>(row, 'units'),
  at: integer(row, 'created_at'),
  operator: textOrNull(row, 'operator'),
  note: textOrNull(row, 'note'),
  state: oneOf(refundStates, row, 'state'),
  reference: textOrNull(row, 'reference'),
  closedAt: integerOrNull(row, 'closed_at'),
  closedBy: textOrNull(row, 'closed_by'),
});

export const supplierListOf = (row: Row): SupplierList => ({
  supplier: text(row, 'supplier'),
  readAt: integer(row, 'read_at'),
  products: json<SupplierList['products']>(row, 'products'),
});

export const responseOf = (row: Row): IdempotentResponse => ({
  accountId: text(row, 'account_id'),
  orderId: text(row, 'order_id'),
  key: text(row, 'key'),
  fingerprint: text(row, 'fingerprint'),
  body: textOrNull(row, 'body'),
  locale: row.locale === null ? null : oneOf(locales, row, 'locale'),
  expiresAt: integer(row, 'expires_at'),
});
