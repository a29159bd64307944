import { failureReasons } from '@topup-kit/core/contract';
import {
  costSources,
  type DueUnit,
  findByKinds,
  type Reconciliation,
  type Refund,
  reconciliationReasons,
  refundStates,
  type StoredKey,
  type StoredUnit,
  type SupplierList,
  unitStates,
  waitReasons,
} from '@topup-kit/core/store';
import { integer, integerOrNull, json, oneOf, type Row, text, textOrNull } from './columns.ts';

// The tables of the file store and of PostgreSQL have the same columns, so this file reads the records of both.

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
  // A store of an earlier format can only be inspected, and lacks these columns.
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
