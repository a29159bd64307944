import type { BuyStatus, PaymentStatus } from '../../contract/index.ts';
import type {
  Actor,
  ChangeOrder,
  OrderEvent,
  OrderState,
  Refund,
  StoredOrder,
  StoredUnit,
} from '../../store/index.ts';
import { DomainError } from '../errors.ts';

/** The state of a new order (interface 3). */
export const initialState = { paymentStatus: 'UNPAID', buyStatus: 'Pending' } as const satisfies OrderState;

/** A row of the table: the states in which an event is possible, the next state, and the side effects. */
interface Transition {
  from: readonly OrderState[];
  to: OrderState;
  promo: ChangeOrder['promo'];
  /** True if it starts the delivery of all units. */
  deliver: boolean;
}

/** Events whose effect depends only on the order's state. That of `retried` depends on the units, and `noted` changes no state. */
type StateEvent = Exclude<OrderEvent, 'retried' | 'noted'>;

const state = (paymentStatus: PaymentStatus, buyStatus: BuyStatus): OrderState => ({
  paymentStatus,
  buyStatus,
});

const unpaid = [initialState];
const closed = [state('EXPIRED', 'Batal'), state('FAILED', 'Batal')];

/**
 * The effect of each event on an order, from both tables of the open points (states). In any other state, an event changes nothing.
 *
 * For an expired order, `paid` is a payment that was made in time but reported late. `settled` is an operator's decision.
 */
export const transitions: Record<StateEvent, Transition> = {
  paid: {
    from: [...unpaid, state('EXPIRED', 'Batal')],
    to: state('PAID', 'Proses'),
    promo: 'reclaim',
    deliver: true,
  },
  settled: { from: [...unpaid, ...closed], to: state('PAID', 'Proses'), promo: 'reclaim', deliver: true },
  expired: { from: unpaid, to: state('EXPIRED', 'Batal'), promo: 'release', deliver: false },
  failed: { from: unpaid, to: state('FAILED', 'Batal'), promo: 'release', deliver: false },
  delivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Sukses'),
    promo: 'keep',
    deliver: false,
  },
  undelivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Gagal'),
    promo: 'keep',
    deliver: false,
  },
  refunded: {
    from: [state('PAID', 'Gagal')],
    to: state('REFUND', 'Gagal'),
    promo: 'keep',
    deliver: false,
  },
};

/** States in which an operator can change an order. The change depends on the order's units, too. */
export const operatorStates = {
  // A refund may also cover delivered units (decisions/040).
  refunded: [state('PAID', 'Gagal'), state('PAID', 'Proses'), state('PAID', 'Sukses')],
  retried: [state('PAID', 'Gagal'), state('PAID', 'Proses')],
  settled: transitions.settled.from,
  marked: [
    state('PAID', 'Proses'),
    state('PAID', 'Gagal'),
    state('PAID', 'Sukses'),
    // Possible only if the delivery is contradicted.
    state('REFUND', 'Gagal'),
  ],
} as const satisfies Record<string, readonly OrderState[]>;
export type OperatorEvent = keyof typeof operatorStates;

export const isAllowed = (order: OrderState, event: OperatorEvent): boolean =>
  operatorStates[event].some((state) => isSame(state, order));

export const isSame = (a: OrderState, b: OrderState): boolean =>
  a.paymentStatus === b.paymentStatus && a.buyStatus === b.buyStatus;

/** Returns the transition of an event in a state; null if the event is not possible there. */
function transitionOf(from: OrderState, event: StateEvent): Transition | null {
  const transition = transitions[event];
  return transition.from.some((state) => isSame(state, from)) ? transition : null;
}

export interface OrderEventInput {
  event: StateEvent;
  by: Actor;
  /** Time of the event, in unix milliseconds of world time. */
  at: number;
  /** The name of the acting operator. */
  operator?: string;
  /** For a `paid`, the time of the payment if the gateway reported it. */
  paidAt?: number;
  /** For a `paid`, the gateway's fee if it was reported: integer in the smallest unit. */
  fee?: number;
  /** For a `settled`, the amount paid; for a `refunded`, the amount paid back. Integer in the smallest unit. */
  amount?: number;
  note?: string | undefined;
  /** Ids of reconciliations that the event settles. */
  settles?: readonly string[];
  /** Refunds that the event creates. */
  refunds?: readonly Refund[];
}

/** Creates a unit that waits for a delivery attempt. */
export const waiting = (unit: number, attempt: number, at: number): StoredUnit => ({
  unit,
  attempt,
  state: 'waiting',
  askedAt: null,
  nextAt: at,
  supplier: null,
  findBy: null,
  supplierId: null,
  serialNumber: null,
  reason: null,
  failureKind: null,
  contradiction: null,
  cost: null,
  costSource: null,
  waitsFor: null,
});

/** Creates the units of an order at the start of its delivery. */
const allUnits = ({ pricing: { quantity } }: StoredOrder, at: number): StoredUnit[] =>
  Array.from({ length: quantity }, (_, index) => waiting(index + 1, 1, at));

/** Plans an order's change by an event; null if the event is not possible. */
export function planChange(
  order: StoredOrder,
  { event, by, at, operator, paidAt, fee, amount, note, settles = [], refunds = [] }: OrderEventInput,
): ChangeOrder | null {
  const transition = transitionOf(order, event);
  if (!transition) return null;
  const { paymentStatus, buyStatus } = order;
  return {
    orderId: order.orderId,
    version: order.version,
    to: transition.to,
    entry: {
      at,
      event,
      by,
      from: { paymentStatus, buyStatus },
      to: transition.to,
      ...(operator !== undefined && { operator }),
      ...(paidAt !== undefined && { paidAt }),
      ...(fee !== undefined && { fee }),
      ...(amount !== undefined && { amount }),
      ...(note !== undefined && { note }),
    },
    promo: transition.promo,
    units: transition.deliver ? allUnits(order, at) : [],
    serialNumber: order.serialNumber,
    settles,
    refunds,
  };
}

/** Creates the error for an event that the order's state doesn't allow. */
export const stateConflict = ({ paymentStatus, buyStatus }: OrderState): DomainError =>
  new DomainError('STATE_CONFLICT', { params: { payment: paymentStatus, buy: buyStatus } });
