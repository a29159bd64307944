import {
  type FailureReason,
  type FieldRule,
  failureReasons,
  type OrderEventType,
  type OrderInput,
  orderEventTypes,
  orderFields,
  ours,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/errors.ts';
import { stateConflict } from '../../engine/orders/states.ts';
import type { StoredOrder } from '../../store/index.ts';
import { actionsTo, type ReachableState, type SandboxAction } from './actions.ts';
import type { Sandbox } from './sandbox.ts';

/** The state of an order to which each event has just happened. */
const stateAfter: Record<OrderEventType, ReachableState> = {
  'order.created': 'UNPAID / Pending',
  'order.paid': 'PAID / Proses',
  'order.processing': 'PAID / Proses',
  'order.delivered': 'PAID / Sukses',
  'order.failed': 'PAID / Gagal',
  'order.expired': 'EXPIRED / Batal',
  'order.refunded': 'REFUND / Gagal',
};

const actionsOf = (event: OrderEventType): readonly SandboxAction[] => actionsTo[stateAfter[event]];

/** The names that the filters of a fault have. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['id', 'account'],
  ['product_id', 'product'],
  ['payment_method_id', 'method'],
]);

/** The fields of an order, each of which may be left out. */
const someOrderFields = orderFields.map((field: FieldRule): FieldRule => {
  const { required: _required, ...rest } = field;
  const alias = shortNames.get(field.name);
  if (rest.type === 'string') return { ...rest, ...(alias !== undefined && { alias }) };
  const { default: _default, ...number } = rest;
  return { ...number, ...(alias !== undefined && { alias }) };
});

export const triggerFields: readonly FieldRule[] = [
  ours.text('event', 'Event to trigger.', { required: true, options: orderEventTypes }),
  ours.text('order', 'Id of the order; default: a new order.', {}),
  ours.text('reason', 'Why the delivery fails, for `order.failed` and `order.refunded`.', {
    options: failureReasons,
  }),
  ...someOrderFields,
];

/** What is to happen, to which order: one that is there, or a new one with these fields. */
export interface TriggerInput extends Partial<OrderInput> {
  event: OrderEventType;
  /** Id of an order. */
  order?: string;
  /** Why the delivery fails. */
  reason?: FailureReason;
}

/** How many of the actions an order in this state has behind it. */
function countDone({ paymentStatus, buyStatus }: StoredOrder, actions: readonly SandboxAction[]): number {
  if (paymentStatus === 'UNPAID') return 0;
  const last: SandboxAction = buyStatus === 'Gagal' ? 'fail-delivery' : 'pay';
  return actions.indexOf(last) + 1;
}

/** @throws DomainError VALIDATION_ERROR for a reason of an event that has none. */
export function checkReason({
  event,
  reason,
}: {
  event: OrderEventType;
  reason?: FailureReason | undefined;
}): void {
  if (reason !== undefined && !actionsOf(event).includes('fail-delivery'))
    throw invalidFields({ reason: [{ rule: 'failedOnly' }] });
}

/**
 * Makes an event really happen, with all that comes before it.
 *
 * @throws DomainError VALIDATION_ERROR that names the field, an error of the order, INVOICE_NOT_FOUND, or STATE_CONFLICT when the event
 * can't happen to the order.
 */
export async function trigger(
  sandbox: Sandbox,
  { event, order: orderId, reason, ...fields }: TriggerInput,
  accountId?: string,
): Promise<StoredOrder> {
  const actions = actionsOf(event);
  checkReason({ event, reason });
  if (orderId === undefined)
    return sandbox.create(await sandbox.complete(fields), { state: stateAfter[event], reason, accountId });
  const [ofNew] = actions.length === 0 ? [event] : Object.keys(fields);
  if (ofNew !== undefined) throw invalidFields({ order: [{ rule: 'newOrder', params: { what: ofNew } }] });
  const before = await sandbox.find(orderId);
  const left = actions.slice(countDone(before, actions));
  if (left.length === 0 || (reason !== undefined && !left.includes('fail-delivery')))
    throw stateConflict(before);
  return sandbox.faults.sparing(orderId, async () => {
    for (const action of left) await sandbox.act(orderId, action, reason);
    return sandbox.find(orderId);
  });
}
