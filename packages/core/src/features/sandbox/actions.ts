import {
  type FailureReason,
  type PaymentStatus,
  type PaymentWord,
  paymentStatuses,
} from '../../contract/index.ts';
import { referenceOf } from '../../engine/delivery/purchase.ts';
import { storeKnownOutcome } from '../../engine/delivery/results.ts';
import type { EmitEvent, PaymentEvent, PaymentResult } from '../../engine/events.ts';
import { applyEvent, changeOrder, outcomeChange, readDelivery } from '../../engine/orders/change-order.ts';
import { applyPaymentEvent } from '../../engine/payments.ts';
import { amountReceived } from '../../engine/refunds.ts';
import type { Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import type { PurchaseResult } from '../../supplier/index.ts';

/** The supplier's reasons for a delivery that fails on request, and for a delivery whose outcome is lost on request. */
const failedOnRequest = 'The sandbox was asked to fail this delivery.';
const lostOnRequest = 'The sandbox was asked to lose the outcome of this delivery.';
const contradictedOnRequest = 'the sandbox was asked to contradict it';

interface ActionContext {
  store: Store;
  /** World time in unix milliseconds. */
  at: number;
  emit?: EmitEvent | undefined;
  /** Reason why a delivery fails; `supplier_failed` if left out. */
  reason?: FailureReason | undefined;
}

/** Performs an action on an order; resolves with false if the order's state doesn't allow it. */
type Action = (context: ActionContext, order: StoredOrder) => Promise<boolean>;

/** Changes the units of an order in delivery; units for which `settle` returns null stay unchanged. */
const changeDelivery =
  (settle: (unit: StoredUnit, orderId: string, context: ActionContext) => StoredUnit | null): Action =>
  async (context, { orderId }) => {
    const { store, at } = context;
    const { change } = await changeOrder(
      store,
      () => readDelivery(store, orderId),
      (delivery) => {
        const isOpen = delivery?.order.buyStatus === 'Proses';
        const settled = isOpen ? delivery.units.flatMap((unit) => settle(unit, orderId, context) ?? []) : [];
        return {
          change: isOpen && settled.length > 0 ? outcomeChange(delivery, settled, 'sandbox', at) : null,
        };
      },
    );
    return change !== null;
  };

/** The supplier reports the opposite of every outcome. */
async function contradictDelivery({ store, at }: ActionContext, { orderId }: StoredOrder): Promise<boolean> {
  const outcomes: string[] = [];
  for (const unit of await store.findUnits(orderId)) {
    const opposites: Partial<Record<StoredUnit['state'], PurchaseResult>> = {
      delivered: { state: 'failed', reason: contradictedOnRequest },
      failed: { state: 'delivered', serialNumber: `SN-${referenceOf(orderId, unit)}` },
    };
    const opposite = opposites[unit.state];
    if (opposite)
      outcomes.push(await storeKnownOutcome({ store, worldClock: () => at }, orderId, unit, opposite));
  }
  return outcomes.includes('contradiction');
}

async function sendPayment(
  { store, at, emit }: ActionContext,
  order: StoredOrder,
  status: PaymentEvent['status'],
  over: Partial<PaymentEvent> = {},
): Promise<PaymentResult['outcome']> {
  const { reference } = order.payment;
  const event = { reference, status, amount: order.pricing.total_price, at, ...over };
  return (await applyPaymentEvent({ store, now: at, by: 'sandbox', emit }, event)).outcome;
}

/** Reports a payment only for an unpaid order, because a payment for a closed order would be stored as a reconciliation. */
const payOpen =
  (status: 'paid' | 'failed'): Action =>
  async (context, order) =>
    order.paymentStatus === 'UNPAID' && (await sendPayment(context, order, status)) === 'applied';

/** Makes a payment that an operator must reconcile: it differs from the order's own payment, and is possible in these states. */
const payOddly =
  (
    states: readonly PaymentStatus[],
    difference: (order: StoredOrder, now: number) => Partial<PaymentEvent>,
  ): Action =>
  async (context, order) =>
    states.includes(order.paymentStatus) &&
    (await sendPayment(context, order, 'paid', difference(order, context.at))) === 'reconciliation';

async function expire({ store, at }: ActionContext, { orderId }: StoredOrder): Promise<boolean> {
  const applied = await applyEvent(store, orderId, { event: 'expired', by: 'sandbox', at });
  return applied?.changed ?? false;
}

/** The gateway pays the whole amount back. If the order was paid twice, an operator must handle the refund. */
async function refund(context: ActionContext, order: StoredOrder): Promise<boolean> {
  if (order.paymentStatus !== 'PAID' || order.buyStatus !== 'Gagal') return false;
  const amount = amountReceived(order, await context.store.listReconciliations({ orderId: order.orderId }));
  const outcome = await sendPayment(context, order, 'refunded', { amount });
  return outcome === 'applied' || outcome === 'reconciliation';
}

/** Actions on an order that a sandbox performs on request. */
const actions = {
  pay: payOpen('paid'),
  fail: payOpen('failed'),
  expire,
  'pay-late': payOddly(['UNPAID', 'EXPIRED'], ({ expiresAt }, now) => ({ at: Math.max(now, expiresAt) })),
  'pay-wrong-amount': payOddly(['UNPAID'], ({ pricing }) => ({ amount: pricing.total_price - 1 })),
  // A payment at another time is a different payment.
  'pay-again': payOddly(['PAID', 'REFUND'], (_order, now) => ({ at: now + 1 })),
  'pay-unknown': payOddly(paymentStatuses, ({ payment }) => ({
    reference: `${payment.reference}-UNKNOWN`,
    orderId: null,
  })),
  deliver: changeDelivery((unit, orderId) => {
    if (unit.state === 'delivered') return null;
    const serialNumber = `SN-${referenceOf(orderId, unit)}`;
    return { ...unit, state: 'delivered', nextAt: null, serialNumber, reason: null, failureKind: null };
  }),
  'fail-delivery': changeDelivery((unit, _orderId, { reason: failureKind = 'supplier_failed' }) => {
    if (unit.state === 'delivered') return null;
    return { ...unit, state: 'failed', nextAt: null, reason: failedOnRequest, failureKind };
  }),
  // The supplier can no longer be asked, so an operator must find out the outcome.
  'lose-delivery': changeDelivery((unit, _orderId, { at }) => {
    if (unit.state !== 'waiting' && unit.state !== 'asked') return null;
    const askedAt = unit.askedAt ?? at;
    return { ...unit, state: 'unknown', askedAt, nextAt: null, reason: lostOnRequest };
  }),
  'contradict-delivery': contradictDelivery,
  refund,
} as const satisfies Record<string, Action>;
export type SandboxAction = keyof typeof actions;
export const sandboxActions = Object.keys(actions) as SandboxAction[]; // Safe: these are the keys of a constant table.

/** The actions that happen to an unpaid order when the gateway reports its payment in this way. */
export const actionsOfPayment: Readonly<Record<PaymentWord, readonly SandboxAction[]>> = {
  declined: ['fail'],
  expired: ['expire'],
  pending: [],
  late: ['pay-late'],
  'wrong-amount': ['pay-wrong-amount'],
  twice: ['pay', 'pay-again'],
  unknown: ['pay-unknown'],
};

/** Performs an action on an order; resolves with false if the order's state doesn't allow it. */
export const performAction = (
  context: ActionContext,
  order: StoredOrder,
  action: SandboxAction,
): Promise<boolean> => actions[action](context, order);

/** The actions that bring a new order to each state. */
export const actionsTo = {
  'UNPAID / Pending': [],
  'PAID / Proses': ['pay'],
  'PAID / Sukses': ['pay', 'deliver'],
  'PAID / Gagal': ['pay', 'fail-delivery'],
  'EXPIRED / Batal': ['expire'],
  'FAILED / Batal': ['fail'],
  'REFUND / Gagal': ['pay', 'fail-delivery', 'refund'],
} as const satisfies Record<string, readonly SandboxAction[]>;

/** A state of an order: payment status and delivery status. */
export type ReachableState = keyof typeof actionsTo;
