import type { Clock } from '../platform/index.ts';
import type { Store, StoredOrder } from '../store/index.ts';
import { referenceOf, settledChange } from './delivery.ts';
import type { Engine } from './engine.ts';
import { Refusal } from './errors.ts';
import { applyEvent, stateConflict } from './orders/states.ts';
import { takePaymentNews } from './payments.ts';
import type { Scenario, ScenarioSwitch } from './scenarios.ts';
import { yieldToEventLoop } from './time.ts';

/** What can be done to an order of a sandbox from outside. */
export const sandboxActions = ['pay', 'fail', 'expire', 'deliver'] as const;
export type SandboxAction = (typeof sandboxActions)[number];

/** Hands on a sandbox's world. Nothing of it is there in live mode. */
export interface Sandbox {
  /**
   * Lets something happen to an order.
   *
   * @throws Refusal INVOICE_NOT_FOUND, or STATE_CONFLICT when it can't happen to the order as it is.
   */
  act(orderId: string, action: SandboxAction): Promise<StoredOrder>;
  /** Moves world time on by milliseconds; what falls due on the way happens, in its order. */
  advance(by: number): Promise<void>;
  /** Forgets all orders, sets world time right and ends any scenario. */
  reset(): Promise<void>;
  chooseScenario(scenario: Scenario): void;
  /** How the world stands. */
  world(): { now: number; scenario: Scenario };
}

interface SandboxDependencies {
  store: Store;
  engine: Engine;
  world: WorldClock;
  scenario: ScenarioSwitch;
}

/** Delivers at once what is still on its way. */
async function deliverNow(store: Store, orderId: string, at: number): Promise<boolean> {
  for (;;) {
    const order = await store.findOrder(orderId);
    if (order?.paymentStatus !== 'PAID' || order.buyStatus !== 'Proses') return false;
    const units = await store.findUnits(orderId);
    const delivered = units
      .filter(({ state }) => state !== 'delivered')
      .map((unit) => ({
        ...unit,
        state: 'delivered' as const,
        nextAt: null,
        serialNumber: `SN-${referenceOf(orderId, unit)}`,
      }));
    const change = settledChange({ order, units }, delivered, 'sandbox', at);
    if ('done' in (await store.changeOrder(change))) return true;
  }
}

/** So many moments on the way are gone through one by one; after them an advance leaps to its end. */
const mostSteps = 2_000;

export function createSandbox({ store, engine, world, scenario }: SandboxDependencies): Sandbox {
  async function find(orderId: string): Promise<StoredOrder> {
    const order = await store.findOrder(orderId);
    if (!order) throw new Refusal('INVOICE_NOT_FOUND');
    return order;
  }

  async function apply(order: StoredOrder, action: SandboxAction): Promise<boolean> {
    const at = world.now();
    const { orderId, payment, pricing } = order;
    if (action === 'deliver') return deliverNow(store, orderId, at);
    // Money for an order that is given up would only lie about for an operator.
    if (order.paymentStatus !== 'UNPAID') return false;
    if (action === 'expire')
      return (await applyEvent(store, orderId, { event: 'expired', by: 'sandbox', at }))?.changed ?? false;
    const status = action === 'pay' ? 'paid' : 'failed';
    const news = { reference: payment.reference, status, amount: pricing.total_price, at } as const;
    const after = await takePaymentNews({ store, now: at, by: 'sandbox' }, news);
    return after !== null && after.version !== order.version;
  }

  async function moveTo(moment: number): Promise<void> {
    const by = moment - world.now();
    if (by > 0) world.setOffset(await store.moveWorld(by));
    await engine.dueWork.run();
  }

  let last: Promise<unknown> = Promise.resolve();
  let resets = 0;

  /** One hand at a time: the world does not move in two directions. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  async function goOn(by: number): Promise<void> {
    const end = world.now() + by;
    const before = resets;
    let reached = Number.NEGATIVE_INFINITY;
    for (let step = 0; step < mostSteps && resets === before; step += 1) {
      const next = await store.nextDueAt();
      // What is due at one moment is done in one round; a moment that doesn't move on waits for the clock.
      if (next === null || next > end || next <= reached) break;
      reached = next;
      await moveTo(next);
      if (step % 50 === 0) await yieldToEventLoop();
    }
    await moveTo(end);
  }

  return {
    act: (orderId, action) =>
      inTurn(async () => {
        const order = await find(orderId);
        if (!(await apply(order, action))) throw stateConflict(await find(orderId));
        await engine.dueWork.run();
        return find(orderId);
      }),
    advance: (by) => inTurn(() => goOn(by)),
    reset() {
      // An advance on its way ends at once: its world is gone.
      resets += 1;
      return inTurn(async () => {
        await store.clearOrders();
        world.setOffset(0);
        scenario.choose('none');
      });
    },
    chooseScenario: scenario.choose,
    world: () => ({ now: world.now(), scenario: scenario.current() }),
  };
}

/** World time, which a sandbox may move ahead of real time. */
export interface WorldClock {
  /** Unix milliseconds of world time. */
  now: Clock;
  /** Sets how far world time is ahead, in milliseconds. */
  setOffset(offset: number): void;
}

export function createWorldClock(realClock: Clock, offset = 0): WorldClock {
  let ahead = offset;
  return {
    now: () => realClock() + ahead,
    setOffset(to) {
      ahead = to;
    },
  };
}
