import type { BuyStatus, PaymentStatus } from '../../contract/index.ts';
import type {
  Actor,
  ChangeOrder,
  OrderEvent,
  OrderState,
  Store,
  StoredOrder,
  StoredUnit,
} from '../../store/index.ts';
import { Refusal } from '../errors.ts';

/** The state that every order begins in (interface 3). */
export const initialState = { paymentStatus: 'UNPAID', buyStatus: 'Pending' } as const satisfies OrderState;

/** A row of the table: from which states an event leads to which, and what it does besides. */
export interface Transition {
  from: readonly OrderState[];
  to: OrderState;
  promo: ChangeOrder['promo'];
  /** Which units are on their way from then on: all, or those that failed. */
  deliver: 'nothing' | 'all' | 'failed';
}

const state = (paymentStatus: PaymentStatus, buyStatus: BuyStatus): OrderState => ({
  paymentStatus,
  buyStatus,
});

const unpaid = [initialState];
const unpaidForGood = [state('EXPIRED', 'Batal'), state('FAILED', 'Batal')];

/**
 * Both tables of the open points (states) as one: what each event does to an order. What isn't here can't happen.
 *
 * `paid` of an expired order is a payment made in time and told late; `settled` is an operator's word.
 */
export const transitions: Record<OrderEvent, Transition> = {
  paid: {
    from: [...unpaid, state('EXPIRED', 'Batal')],
    to: state('PAID', 'Proses'),
    promo: 'reclaim',
    deliver: 'all',
  },
  settled: { from: unpaidForGood, to: state('PAID', 'Proses'), promo: 'reclaim', deliver: 'all' },
  expired: { from: unpaid, to: state('EXPIRED', 'Batal'), promo: 'release', deliver: 'nothing' },
  failed: { from: unpaid, to: state('FAILED', 'Batal'), promo: 'release', deliver: 'nothing' },
  delivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Sukses'),
    promo: 'keep',
    deliver: 'nothing',
  },
  undelivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Gagal'),
    promo: 'keep',
    deliver: 'nothing',
  },
  retried: {
    from: [state('PAID', 'Gagal')],
    to: state('PAID', 'Proses'),
    promo: 'keep',
    deliver: 'failed',
  },
  refunded: {
    from: [state('PAID', 'Gagal')],
    to: state('REFUND', 'Gagal'),
    promo: 'keep',
    deliver: 'nothing',
  },
};

const isSame = (a: OrderState, b: OrderState): boolean =>
  a.paymentStatus === b.paymentStatus && a.buyStatus === b.buyStatus;

/** What an event does to an order in a state; null when it does nothing there. */
export function transitionOf(from: OrderState, event: OrderEvent): Transition | null {
  const transition = transitions[event];
  return transition.from.some((one) => isSame(one, from)) ? transition : null;
}

/** Whether an order's time to pay is over at a moment of world time. */
export const isOverdue = (order: OrderState & { expiresAt: number }, now: number): boolean =>
  order.paymentStatus === 'UNPAID' && now >= order.expiresAt;

/** An event, as it happens to an order. */
export interface Happening {
  event: OrderEvent;
  by: Actor;
  /** Unix milliseconds of world time. */
  at: number;
  /** The reconciliation that it settles. */
  settles?: string;
}

/** A unit that waits for its next attempt. */
const waiting = (unit: number, attempt: number, at: number): StoredUnit => ({
  unit,
  attempt,
  state: 'waiting',
  askedAt: null,
  nextAt: at,
  serialNumber: null,
  reason: null,
});

/** The units that a transition sets on their way. */
function startedUnits(
  { deliver }: Transition,
  order: StoredOrder,
  units: readonly StoredUnit[],
  at: number,
): StoredUnit[] {
  if (deliver === 'all')
    return Array.from({ length: order.pricing.quantity }, (_, index) => waiting(index + 1, 1, at));
  if (deliver === 'failed')
    return units
      .filter(({ state }) => state === 'failed')
      .map((one) => waiting(one.unit, one.attempt + 1, at));
  return [];
}

/** The command that an event makes of an order; null when the event does nothing to it. */
export function changeOf(
  order: StoredOrder,
  units: readonly StoredUnit[],
  { event, by, at, settles }: Happening,
): ChangeOrder | null {
  const transition = transitionOf(order, event);
  if (!transition) return null;
  const { paymentStatus, buyStatus } = order;
  return {
    orderId: order.orderId,
    version: order.version,
    to: transition.to,
    entry: { at, event, by, from: { paymentStatus, buyStatus }, to: transition.to },
    promo: transition.promo,
    units: startedUnits(transition, order, units, at),
    serialNumber: order.serialNumber,
    settles: settles ?? null,
  };
}

/**
 * Lets an event happen to an order: thought out for the order as it is, and thought out anew when somebody else
 * changed it meanwhile.
 *
 * @returns the order as it is afterwards, and whether the event did anything; null when there is no such order.
 */
export async function happen(
  store: Store,
  orderId: string,
  happening: Happening,
): Promise<{ order: StoredOrder; changed: boolean } | null> {
  for (;;) {
    const order = await store.findOrder(orderId);
    if (!order) return null;
    const change = changeOf(order, await store.findUnits(orderId), happening);
    if (!change) return { order, changed: false };
    const outcome = await store.changeOrder(change);
    if ('done' in outcome)
      return { order: { ...order, ...change.to, version: order.version + 1 }, changed: true };
    // A reconciliation that was settled or returned meanwhile, or is another order's, will not do.
    if (happening.settles !== undefined && !(await isOpen(store, happening.settles, orderId)))
      return { order, changed: false };
  }
}

async function isOpen(store: Store, reconciliationId: string, orderId: string): Promise<boolean> {
  const open = await store.listReconciliations('open');
  return open.some((one) => one.reconciliationId === reconciliationId && one.orderId === orderId);
}

/** What was asked can't happen to an order in the state it is in, which the refusal tells. */
export const stateConflict = ({ paymentStatus, buyStatus }: OrderState): Refusal =>
  new Refusal('STATE_CONFLICT', { words: { payment: paymentStatus, buy: buyStatus } });
