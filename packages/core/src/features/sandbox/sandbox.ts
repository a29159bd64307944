import type { Scenario } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { DomainError, invalidFields } from '../../engine/errors.ts';
import type { Emit } from '../../engine/events.ts';
import { stateConflict } from '../../engine/orders/states.ts';
import type { WorldClock } from '../../engine/time.ts';
import { yieldToEventLoop } from '../../engine/waiting.ts';
import type { Store, StoredOrder } from '../../store/index.ts';
import { performAction, type SandboxAction } from './actions.ts';
import type { Faults } from './faults.ts';
import type { ActiveScenario, ScenarioSwitch } from './scenarios.ts';

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

/** Controls a sandbox: its orders, its clock and its simulated failures. Live mode has none. */
export interface Sandbox {
  /**
   * Does something with an order that its customer, the gateway or the supplier can do, also what gives an operator work:
   * a payment that is late, wrong, repeated or of no order, a delivery whose outcome is lost or contradicted.
   *
   * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT when the order's state doesn't allow it.
   */
  act(orderId: string, action: SandboxAction): Promise<StoredOrder>;
  /**
   * Moves world time ahead by exactly `by` milliseconds; work that falls due in between is done at its moment.
   *
   * @throws DomainError VALIDATION_ERROR when it would be more than ten years ahead of real time.
   */
  advance(by: number): Promise<void>;
  /** Deletes all orders, sets world time to real time and ends all faults. */
  reset(): Promise<void>;
  chooseScenario(scenario: Scenario): void;
  readonly active: ActiveScenario;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** World time in unix milliseconds, and how far it is `ahead` of real time in milliseconds. */
  world(): { now: number; ahead: number };
}

/** Ten years, in milliseconds: later than anything that becomes due, and within the range of `Date`. */
const furthestMs = 3_650 * 24 * 60 * 60_000;

interface SandboxDependencies {
  store: Store;
  engine: Engine;
  world: WorldClock;
  scenario: ScenarioSwitch;
  emit?: Emit;
}

export function createSandbox({ store, engine, world, scenario, emit }: SandboxDependencies): Sandbox {
  async function find(orderId: string): Promise<StoredOrder> {
    const order = await store.findOrder(orderId);
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    return order;
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
        if (!(await performAction({ store, at: world.now(), emit }, order, action)))
          throw stateConflict(await find(orderId));
        await engine.dueWork.run();
        return find(orderId);
      }),
    advance: (by) =>
      inTurn(async () => {
        if (world.offset() + by > furthestMs)
          throw invalidFields({ by: [{ rule: 'worldClock', params: { limit: '3650d' } }] });
        await advance(by);
      }),
    reset() {
      // An advance in progress ends early, because its orders will be deleted.
      resets += 1;
      return inTurn(async () => {
        await store.clearOrders();
        world.setOffset(0);
        scenario.faults.clear();
      });
    },
    chooseScenario: scenario.choose,
    active: scenario.active,
    faults: scenario.faults,
    world: () => ({ now: world.now(), ahead: world.offset() }),
  };
}
