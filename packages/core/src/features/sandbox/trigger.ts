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

/** The state of an order right after each event. */
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

/** Names of the corresponding filters of faults. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['id', 'account'],
  ['product_id', 'product'],
  ['payment_method_id', 'method'],
]);

/** The fields of an order, all optional. */
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

/** An event to trigger, for an existing order or for a new order with these fields. */
export interface TriggerInput extends Partial<OrderInput> {
  event: OrderEventType;
  /** Id of an existing order. */
  order?: string;
  /** Reason why the delivery fails. */
  reason?: FailureReason;
}

/** Counts the actions that an order in this state has already passed. */
function countDone({ paymentStatus, buyStatus }: StoredOrder, actions: readonly SandboxAction[]): number {
  if (paymentStatus === 'UNPAID') return 0;
  const last: SandboxAction = buyStatus === 'Gagal' ? 'fail-delivery' : 'pay';
  return actions.indexOf(last) + 1;
}

/** @throws DomainError VALIDATION_ERROR for a reason with an event that has no reason. */
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
 * Makes an event really happen, after all events that must come before it.
 *
 * @throws DomainError VALIDATION_ERROR that names the field, an error of the order, INVOICE_NOT_FOUND, or STATE_CONFLICT if the event can't
 * happen to the order.
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
