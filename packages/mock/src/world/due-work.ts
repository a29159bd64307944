import { breathe, createWorldClock, type Engine, type WorldClock } from '@topup-kit/core/engine';
import { done, type Store } from '@topup-kit/core/store';
import type { PlannedOutcome } from '../scenarios.ts';

/** World time that can be held at a moment of the past while that moment's work is done. */
interface WorldTime extends WorldClock {
  /** The moment it is, held or not. */
  unheld(): number;
  hold(moment: number | null): void;
}

export function createWorldTime(offset: number): WorldTime {
  // Read anew each time: a test may replace `Date`.
  const clock = createWorldClock(() => Date.now(), offset);
  let held: number | null = null;
  return {
    now: () => held ?? clock.now(),
    setOffset: clock.setOffset,
    unheld: clock.now,
    hold(moment) {
      held = moment;
    },
  };
}

/** After this many moments one by one, time leaps to the end, as a sandbox's does. */
const mostSteps = 2_000;

/** Work that fell due since the last request. */
interface CatchUp {
  mayBeDue(): boolean;
  run(): Promise<void>;
}

/** Does overdue work in order, each piece at its own moment of world time, so that nothing needs a timer. */
export function createCatchUp(
  time: WorldTime,
  due: {
    mayBeDue(now: number): boolean;
    nextAt(): Promise<number | null>;
    run(): Promise<void>;
    done(): Promise<void>;
  },
): CatchUp {
  let running: Promise<void> | undefined;

  async function doOverdueWork(): Promise<void> {
    const end = time.unheld();
    let reached = Number.NEGATIVE_INFINITY;
    try {
      for (let step = 1; step <= mostSteps; step += 1) {
        const next = await due.nextAt();
        // Work that is still due after its moment waits for the next run.
        if (next === null || next > end || next <= reached) break;
        reached = next;
        time.hold(next);
        await due.run();
        if (step % 50 === 0) await breathe();
      }
    } finally {
      time.hold(null);
    }
    await due.done();
  }

  const mayBeDue = (): boolean => running !== undefined || due.mayBeDue(time.unheld());
  return {
    mayBeDue,
    async run() {
      if (!mayBeDue()) return;
      running ??= doOverdueWork().finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}

/** A store that knows, without a search, when something may fall due. */
interface WatchedStore {
  store: Store;
  /** Whether something may have fallen due at a moment of world time. */
  mayBeDue(now: number): boolean;
  /** Notes that something falls due at a moment. */
  expect(moment: number): void;
  /** Searches for the next moment, once what was due is done. */
  refresh(): Promise<void>;
}

/** Every request asks whether something is due; the orders are searched only when an expected moment has come. */
export function watchStore(store: Store): WatchedStore {
  // Unknown for the orders that the store has already.
  let expected = Number.NEGATIVE_INFINITY;
  const expect = (moment: number): void => {
    expected = Math.min(expected, moment);
  };
  return {
    store: {
      ...store,
      async placeOrder(command) {
        const outcome = await store.placeOrder(command);
        if (outcome === done) expect(command.order.expiresAt);
        return outcome;
      },
      async changeOrder(command) {
        const outcome = await store.changeOrder(command);
        for (const { nextAt } of command.units) if (nextAt !== null) expect(nextAt);
        return outcome;
      },
    },
    mayBeDue: (now) => now >= expected,
    expect,
    async refresh() {
      expected = Number.POSITIVE_INFINITY;
      const next = await store.nextDueAt();
      if (next !== null) expect(next);
    },
  };
}

/** Payments that the gateway will decline. */
interface ScheduledDeclines {
  /** Declines the payments whose moment has come. */
  run(now: number): Promise<void>;
  /** The earliest moment at which anything falls due, these included. */
  nextDueAt(): Promise<number | null>;
  /** Notes all their moments again. */
  expect(): void;
}

/** Each order's planned outcome says when its payment is declined; `over` has those that were. */
export function createScheduledDeclines(
  engine: Engine,
  { store, expect }: WatchedStore,
  plannedOutcomes: ReadonlyMap<string, PlannedOutcome>,
): ScheduledDeclines {
  const over = new Set<string>();

  function* waiting(): Generator<{ orderId: string; at: number }> {
    for (const [orderId, { declinedAt }] of plannedOutcomes)
      if (declinedAt !== null && !over.has(orderId)) yield { orderId, at: declinedAt };
  }

  return {
    async run(now) {
      for (const { orderId, at } of [...waiting()].filter((one) => one.at <= now)) {
        over.add(orderId);
        const order = await store.findOrder(orderId);
        if (!order) continue;
        const { payment, pricing } = order;
        const event = { reference: payment.reference, amount: pricing.total_price, at };
        await engine.takePaymentNews({ ...event, status: 'failed' });
      }
    },
    async nextDueAt() {
      const moments = [...waiting()].map(({ at }) => at);
      const next = await store.nextDueAt();
      return [...moments, ...(next === null ? [] : [next])].reduce<number | null>(
        (least, at) => (least === null || at < least ? at : least),
        null,
      );
    },
    expect() {
      for (const { at } of waiting()) expect(at);
    },
  };
}
