import type {
  HistoryEntry,
  OrderState,
  Reconciliation,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
import { isoTime } from '../../output/format.ts';

const isoTimeOrNull = (moment: number | null): string | null => (moment === null ? null : isoTime(moment));

/** An order as the store has it, for programs. */
export const orderDocument = (order: StoredOrder) => ({
  order_id: order.orderId,
  account_id: order.accountId,
  payment_status: order.paymentStatus,
  buy_status: order.buyStatus,
  created_at: isoTime(order.createdAt),
  expired_at: isoTime(order.expiresAt),
  game: { id: order.game.id, slug: order.game.slug, title: order.game.title },
  product: { id: order.product.id, code: order.product.code, title: order.product.title },
  payment_method: {
    id: order.paymentMethod.id,
    code: order.paymentMethod.code,
    name: order.paymentMethod.name,
  },
  target: order.target,
  contact: order.contact,
  pricing: order.pricing,
  payment_reference: order.payment.reference,
  serial_number: order.serialNumber,
});

const stateDocument = ({ paymentStatus, buyStatus }: OrderState) => ({
  payment_status: paymentStatus,
  buy_status: buyStatus,
});

export const historyDocument = ({ at, event, by, from, to }: HistoryEntry) => ({
  at: isoTime(at),
  event,
  by,
  from: stateDocument(from),
  to: stateDocument(to),
});

export const unitDocument = (unit: StoredUnit) => ({
  unit: unit.unit,
  state: unit.state,
  attempt: unit.attempt,
  asked_at: isoTimeOrNull(unit.askedAt),
  next_at: isoTimeOrNull(unit.nextAt),
  serial_number: unit.serialNumber,
  reason: unit.reason,
});

export const reconciliationDocument = (one: Reconciliation) => ({
  reconciliation_id: one.reconciliationId,
  order_id: one.orderId,
  payment_reference: one.reference,
  amount: one.amount,
  paid_at: isoTime(one.paidAt),
  noticed_at: isoTime(one.noticedAt),
  reason: one.reason,
  state: one.state,
  note: one.note,
});
