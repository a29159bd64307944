import type { Engine, WorldClock } from '@topup-kit/core/engine';
import { visitDueMoments } from '@topup-kit/core/features/sandbox';
import { done, type Store } from '@topup-kit/core/store';
import type { PlannedOutcome } from '../scenarios.ts';

/** Does work that became due after the last request. */
interface CatchUp {
  mayBeDue(): boolean;
  run(): Promise<void>;
}

/** Creates a function that does overdue work in order, each item at its own world time, so that no timer is needed. */
export function createCatchUp(
  time: WorldClock,
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
    try {
      await visitDueMoments(due.nextAt, end, async (moment) => {
        time.hold(moment);
        await due.run();
      });
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

/** A store that can tell when work may be due without searching. */
interface WatchedStore {
  store: Store;
  /** Tells whether work may be due at a given world time. */
  mayBeDue(now: number): boolean;
  /** Records the time at which work will be due. */
  expect(moment: number): void;
  /** Searches for the next due time, after the due work is done. */
  refresh(): Promise<void>;
}

/** Wraps a store so that each request can check cheaply whether work is due. It searches the orders only after an expected time. */
export function watchStore(store: Store): WatchedStore {
  // The due times of orders that the store already contains are unknown.
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
  /** Declines the payments that are due. */
  run(now: number): Promise<void>;
  /** Returns the next time at which work is due, including a decline. */
  nextDueAt(): Promise<number | null>;
  /** Records the times of all open declines again. */
  expect(): void;
}

/** Schedules the declines of the planned outcomes. */
export function createScheduledDeclines(
  engine: Engine,
  { store, expect }: WatchedStore,
  plannedOutcomes: ReadonlyMap<string, PlannedOutcome>,
): ScheduledDeclines {
  const declined = new Set<string>();

  function* waiting(): Generator<{ orderId: string; at: number }> {
    for (const [orderId, { declinedAt }] of plannedOutcomes)
      if (declinedAt !== null && !declined.has(orderId)) yield { orderId, at: declinedAt };
  }

  return {
    async run(now) {
      for (const { orderId, at } of [...waiting()].filter((decline) => decline.at <= now)) {
        declined.add(orderId);
        const order = await store.findOrder(orderId);
        if (!order) continue;
        const { payment, pricing } = order;
        const event = { reference: payment.reference, amount: pricing.total_price, at };
        await engine.handlePaymentEvent({ ...event, status: 'failed' });
      }
    },
    async nextDueAt() {
      const moments = [...waiting()].map(({ at }) => at);
      const next = await store.nextDueAt();
      return [...moments, ...(next === null ? [] : [next])].reduce<number | null>(
        (earliest, at) => (earliest === null || at < earliest ? at : earliest),
        null,
      );
    },
    expect() {
      for (const { at } of waiting()) expect(at);
    },
  };
}
