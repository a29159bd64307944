import { type PaymentStatus, paymentStatuses } from '../contract/index.ts';
import type { Clock } from '../platform/index.ts';
import type { Store, StoredOrder, StoredUnit } from '../store/index.ts';
import type { SupplyResult } from '../supplier/index.ts';
import { outcomeChange, referenceOf, storeKnowledge } from './delivery.ts';
import type { Engine } from './engine.ts';
import { DomainError } from './errors.ts';
import { applyEvent, stateConflict } from './orders/states.ts';
import { applyPaymentEvent, type PaymentEvent, type PaymentResult } from './payments.ts';
import type { Scenario, ScenarioSwitch } from './scenarios.ts';
import { yieldToEventLoop } from './time.ts';

/** The clock of world time, which a sandbox may move ahead of real time. */
export interface WorldClock {
  /** Unix milliseconds of world time. */
  now: Clock;
  /** How far world time is ahead of real time, in milliseconds. */
  offset(): number;
  /** Sets how far world time is ahead, in milliseconds. */
  setOffset(offset: number): void;
  /** Stops the clock at a moment; null starts it again. */
  hold(moment: number | null): void;
  /** World time as if the clock were not stopped. */
  unheld: Clock;
}

export function createWorldClock(realClock: Clock, offset = 0): WorldClock {
  let ahead = offset;
  let held: number | null = null;
  const unheld = (): number => realClock() + ahead;
  return {
    now: () => held ?? unheld(),
    unheld,
    offset: () => ahead,
    setOffset(to) {
      ahead = to;
    },
    hold(moment) {
      held = moment;
    },
  };
}

/** The highest number of due moments that are visited one by one. */
const maxMoments = 2_000;

/**
 * Visits the moments at which work falls due, in order, up to `end`. It stops early when the same moment is due again,
 * because that work can't be done yet.
 */
export async function visitDueMoments(
  nextDueAt: () => Promise<number | null>,
  end: number,
  visit: (moment: number) => Promise<void>,
): Promise<void> {
  let reached = Number.NEGATIVE_INFINITY;
  for (let count = 1; count <= maxMoments; count += 1) {
    const next = await nextDueAt();
    if (next === null || next > end || next <= reached) return;
    reached = next;
    await visit(next);
    if (count % 50 === 0) await yieldToEventLoop();
  }
}

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

/** Controls a sandbox: its orders, its clock and its simulated failures. Live mode has none. */
export interface Sandbox {
  /**
   * Does something with an order that its customer, the gateway or the supplier can do, also what gives an operator work:
   * a payment that is late, wrong, repeated or of no order, a delivery whose outcome is lost or contradicted.
   *
   * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT when the order's state doesn't allow it.
   */
  act(orderId: string, action: SandboxAction): Promise<StoredOrder>;
  /** Moves world time ahead by exactly `by` milliseconds; work that falls due in between is done at its moment. */
  advance(by: number): Promise<void>;
  /** Deletes all orders, sets world time to real time and ends any scenario. */
  reset(): Promise<void>;
  chooseScenario(scenario: Scenario): void;
  /** World time in unix milliseconds, and the active scenario. */
  /** `ahead` is how far world time is ahead of real time, in milliseconds. */
  world(): { now: number; ahead: number; scenario: Scenario };
}

interface SandboxDependencies {
  store: Store;
  engine: Engine;
  world: WorldClock;
  scenario: ScenarioSwitch;
}

/** The supplier's reason of a delivery that fails on request, and of one whose outcome is lost. */
const failedOnRequest = 'The sandbox was asked to fail this delivery.';
const lostOnRequest = 'The sandbox was asked to lose the outcome of this delivery.';
const contradictedOnRequest = 'the sandbox was asked to contradict it';

interface Delivering {
  orderId: string;
  /** Unix milliseconds of world time. */
  at: number;
}

/** Changes some units of an order in delivery; false when the order is in another state, or has no such unit. */
async function changeDelivery(
  store: Store,
  { orderId, at }: Delivering,
  changed: (unit: StoredUnit) => StoredUnit[],
): Promise<boolean> {
  for (;;) {
    const order = await store.findOrder(orderId);
    if (order?.paymentStatus !== 'PAID' || order.buyStatus !== 'Proses') return false;
    const units = await store.findUnits(orderId);
    const settled = units.flatMap(changed);
    if (settled.length === 0) return false;
    const change = outcomeChange({ order, units }, settled, 'sandbox', at);
    if ('done' in (await store.changeOrder(change))) return true;
  }
}

const deliver = (store: Store, delivering: Delivering): Promise<boolean> =>
  changeDelivery(store, delivering, (unit) => {
    if (unit.state === 'delivered') return [];
    const serialNumber = `SN-${referenceOf(delivering.orderId, unit)}`;
    return [{ ...unit, state: 'delivered', nextAt: null, serialNumber, reason: null }];
  });

const failDelivery = (store: Store, delivering: Delivering): Promise<boolean> =>
  changeDelivery(store, delivering, (unit) =>
    unit.state === 'delivered' ? [] : [{ ...unit, state: 'failed', nextAt: null, reason: failedOnRequest }],
  );

/** From then on the supplier can't be asked, so an operator has to find out. */
const loseDelivery = (store: Store, delivering: Delivering): Promise<boolean> =>
  changeDelivery(store, delivering, (unit) => {
    if (unit.state !== 'waiting' && unit.state !== 'asked') return [];
    const askedAt = unit.askedAt ?? delivering.at;
    return [{ ...unit, state: 'unknown', askedAt, nextAt: null, reason: lostOnRequest }];
  });

/** The supplier reports the opposite of every outcome. */
async function contradictDelivery(store: Store, { orderId, at }: Delivering): Promise<boolean> {
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

export function createSandbox({ store, engine, world, scenario }: SandboxDependencies): Sandbox {
  async function find(orderId: string): Promise<StoredOrder> {
    const order = await store.findOrder(orderId);
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    return order;
  }

  async function reportPayment(
    order: StoredOrder,
    status: PaymentEvent['status'],
    over: Partial<PaymentEvent> = {},
  ): Promise<PaymentResult['outcome']> {
    const now = world.now();
    const { reference } = order.payment;
    const event = { reference, status, amount: order.pricing.total_price, at: now, ...over };
    return (await applyPaymentEvent({ store, now, by: 'sandbox' }, event)).outcome;
  }

  async function change(orderId: string, event: 'expired' | 'refunded'): Promise<boolean> {
    const applied = await applyEvent(store, orderId, { event, by: 'sandbox', at: world.now() });
    return applied?.changed ?? false;
  }

  async function apply(order: StoredOrder, action: SandboxAction): Promise<boolean> {
    const { orderId } = order;
    const delivering = { orderId, at: world.now() };
    const odd = oddPayments[action];
    if (odd) {
      if (!odd.of.includes(order.paymentStatus)) return false;
      const outcome = await reportPayment(order, 'paid', odd.event(order, world.now()));
      return outcome === 'reconciliation';
    }
    switch (action) {
      case 'deliver':
        return deliver(store, delivering);
      case 'fail-delivery':
        return failDelivery(store, delivering);
      case 'lose-delivery':
        return loseDelivery(store, delivering);
      case 'contradict-delivery':
        return contradictDelivery(store, delivering);
      case 'refund':
        return change(orderId, 'refunded');
      case 'expire':
        return change(orderId, 'expired');
      default:
        // The payment of a closed order would be stored as a reconciliation.
        return (
          order.paymentStatus === 'UNPAID' &&
          (await reportPayment(order, action === 'pay' ? 'paid' : 'failed')) === 'applied'
        );
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  let resets = 0;

  /** Runs one command at a time, so that two commands don't move the clock at once. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  async function moveTo(moment: number): Promise<void> {
    const by = moment - world.now();
    if (by > 0) {
      world.setOffset(await store.moveWorld(by));
      world.hold(moment);
    }
    await engine.dueWork.run();
  }

  async function advance(by: number): Promise<void> {
    const start = world.now();
    const before = resets;
    // If the clock ran between the moments, work that falls due at the end would fall due after it.
    world.hold(start);
    try {
      const nextDueAt = async (): Promise<number | null> => (resets === before ? store.nextDueAt() : null);
      await visitDueMoments(nextDueAt, start + by, moveTo);
      await moveTo(start + by);
    } finally {
      world.hold(null);
    }
  }

  return {
    act: (orderId, action) =>
      inTurn(async () => {
        const order = await find(orderId);
        if (!(await apply(order, action))) throw stateConflict(await find(orderId));
        await engine.dueWork.run();
        return find(orderId);
      }),
    advance: (by) => inTurn(() => advance(by)),
    reset() {
      // An advance in progress ends early, because its orders will be deleted.
      resets += 1;
      return inTurn(async () => {
        await store.clearOrders();
        world.setOffset(0);
        scenario.choose('none');
      });
    },
    chooseScenario: scenario.choose,
    world: () => ({ now: world.now(), ahead: world.offset(), scenario: scenario.current() }),
  };
}
