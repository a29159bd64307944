import type { Engine, WorldClock } from '@topup-kit/core/engine';
import { visitDueMoments } from '@topup-kit/core/features/sandbox';
import { done, type Store } from '@topup-kit/core/store';
import type { PlannedOutcome } from '../scenarios.ts';

/** Work that became due after the last request. */
interface CatchUp {
  mayBeDue(): boolean;
  run(): Promise<void>;
}

/** Does overdue work in order, each at its own moment of world time, so that no timer is needed. */
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

/** A store that knows when work may be due, without searching. */
interface WatchedStore {
  store: Store;
  /** Tells whether work may be due at a moment of world time. */
  mayBeDue(now: number): boolean;
  /** Notes that work will be due at a moment. */
  expect(moment: number): void;
  /** Searches for the next moment, after the due work is done. */
  refresh(): Promise<void>;
}

/** Every request checks whether work is due. The orders are searched only after an expected moment. */
export function watchStore(store: Store): WatchedStore {
  // Not known yet for the orders that are already in the store.
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
  /** The next moment at which work is due, including a decline. */
  nextDueAt(): Promise<number | null>;
  /** Notes the moments of all open declines again. */
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
