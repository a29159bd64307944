import { type PaymentStatus, paymentStatuses } from '../contract/index.ts';
import type { Store, StoredOrder, StoredUnit } from '../store/index.ts';
import type { SupplyResult } from '../supplier/index.ts';
import { outcomeChange, readDelivery } from './delivery/changes.ts';
import { referenceOf } from './delivery/purchase.ts';
import { storeKnowledge } from './delivery/results.ts';
import type { Emit, PaymentEvent, PaymentResult } from './events.ts';
import { applyEvent, changeOrder } from './orders/change-order.ts';
import { applyPaymentEvent } from './payments.ts';
import { amountReceived } from './refunds.ts';

/** What a sandbox can do with an order on request. */
export const sandboxActions = [
  'pay',
  'fail',
  'expire',
  'pay-late',
  'pay-wrong-amount',
  'pay-again',
  'pay-unknown',
  'deliver',
  'fail-delivery',
  'lose-delivery',
  'contradict-delivery',
  'refund',
] as const;
export type SandboxAction = (typeof sandboxActions)[number];

/** The supplier's reason of a delivery that fails on request, and of one whose outcome is lost. */
const failedOnRequest = 'The sandbox was asked to fail this delivery.';
const lostOnRequest = 'The sandbox was asked to lose the outcome of this delivery.';
const contradictedOnRequest = 'the sandbox was asked to contradict it';

export interface ActionContext {
  store: Store;
  /** World time in unix milliseconds. */
  at: number;
  emit?: Emit | undefined;
}

/** Changes some units of an order in delivery; false when the order is in another state, or has no such unit. */
async function changeDelivery(
  { store, at }: ActionContext,
  orderId: string,
  changed: (unit: StoredUnit) => StoredUnit[],
): Promise<boolean> {
  const { change } = await changeOrder(
    store,
    () => readDelivery(store, orderId),
    (delivery) => {
      const isOpen = delivery?.order.buyStatus === 'Proses';
      const settled = isOpen ? delivery.units.flatMap(changed) : [];
      return {
        change: isOpen && settled.length > 0 ? outcomeChange(delivery, settled, 'sandbox', at) : null,
      };
    },
  );
  return change !== null;
}

const deliver = (context: ActionContext, orderId: string): Promise<boolean> =>
  changeDelivery(context, orderId, (unit) => {
    if (unit.state === 'delivered') return [];
    const serialNumber = `SN-${referenceOf(orderId, unit)}`;
    return [{ ...unit, state: 'delivered', nextAt: null, serialNumber, reason: null, failureKind: null }];
  });

const failDelivery = (context: ActionContext, orderId: string): Promise<boolean> =>
  changeDelivery(context, orderId, (unit) =>
    unit.state === 'delivered'
      ? []
      : [
          {
            ...unit,
            state: 'failed',
            nextAt: null,
            reason: failedOnRequest,
            failureKind: 'supplier_failed',
          },
        ],
  );

/** From then on the supplier can't be asked, so an operator has to find out. */
const loseDelivery = (context: ActionContext, orderId: string): Promise<boolean> =>
  changeDelivery(context, orderId, (unit) => {
    if (unit.state !== 'waiting' && unit.state !== 'asked') return [];
    const askedAt = unit.askedAt ?? context.at;
    return [{ ...unit, state: 'unknown', askedAt, nextAt: null, reason: lostOnRequest }];
  });

/** The supplier reports the opposite of every outcome. */
async function contradictDelivery({ store, at }: ActionContext, orderId: string): Promise<boolean> {
  const outcomes: string[] = [];
  for (const unit of await store.findUnits(orderId)) {
    const said: Partial<Record<StoredUnit['state'], SupplyResult>> = {
      delivered: { state: 'failed', reason: contradictedOnRequest },
      failed: { state: 'delivered', serialNumber: `SN-${referenceOf(orderId, unit)}` },
    };
    const known = said[unit.state];
    if (known) outcomes.push(await storeKnowledge({ store, worldClock: () => at }, orderId, unit, known));
  }
  return outcomes.includes('contradiction');
}

/** What each of the payments that give an operator work differs in, and in which states of the order it makes sense. */
const oddPayments: Partial<
  Record<
    SandboxAction,
    { of: readonly PaymentStatus[]; event: (order: StoredOrder, now: number) => Partial<PaymentEvent> }
  >
> = {
  'pay-late': {
    of: ['UNPAID', 'EXPIRED'],
    event: ({ expiresAt }, now) => ({ at: Math.max(now, expiresAt) }),
  },
  'pay-wrong-amount': { of: ['UNPAID'], event: ({ pricing }) => ({ amount: pricing.total_price - 1 }) },
  // Another moment is another payment.
  'pay-again': { of: ['PAID', 'REFUND'], event: (_order, now) => ({ at: now + 1 }) },
  'pay-unknown': {
    of: paymentStatuses,
    event: ({ payment }) => ({ reference: `${payment.reference}-UNKNOWN`, orderId: null }),
  },
};

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

async function expire({ store, at }: ActionContext, orderId: string): Promise<boolean> {
  const applied = await applyEvent(store, orderId, { event: 'expired', by: 'sandbox', at });
  return applied?.changed ?? false;
}

/** The gateway pays everything back. Of an order that was paid twice, the refund waits for an operator. */
async function refund(context: ActionContext, order: StoredOrder): Promise<boolean> {
  if (order.paymentStatus !== 'PAID' || order.buyStatus !== 'Gagal') return false;
  const amount = amountReceived(order, await context.store.listReconciliations({ orderId: order.orderId }));
  const outcome = await sendPayment(context, order, 'refunded', { amount });
  return outcome === 'applied' || outcome === 'reconciliation';
}

/** Does an action with an order; false when the order's state doesn't allow it. */
export async function performAction(
  context: ActionContext,
  order: StoredOrder,
  action: SandboxAction,
): Promise<boolean> {
  const { orderId } = order;
  const odd = oddPayments[action];
  if (odd) {
    if (!odd.of.includes(order.paymentStatus)) return false;
    const outcome = await sendPayment(context, order, 'paid', odd.event(order, context.at));
    return outcome === 'reconciliation';
  }
  switch (action) {
    case 'deliver':
      return deliver(context, orderId);
    case 'fail-delivery':
      return failDelivery(context, orderId);
    case 'lose-delivery':
      return loseDelivery(context, orderId);
    case 'contradict-delivery':
      return contradictDelivery(context, orderId);
    case 'refund':
      return refund(context, order);
    case 'expire':
      return expire(context, orderId);
    default:
      // The payment of a closed order would be stored as a reconciliation.
      return (
        order.paymentStatus === 'UNPAID' &&
        (await sendPayment(context, order, action === 'pay' ? 'paid' : 'failed')) === 'applied'
      );
  }
}
