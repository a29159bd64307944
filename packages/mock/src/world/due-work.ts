import { breathe, createWorldClock, type Engine, type WorldClock } from '@topup-kit/core/engine';
import { done, type Store } from '@topup-kit/core/store';
import type { Fate } from '../scenario-effects.ts';

/** World time that can be held at a moment of the past while that moment's work is done. */
export interface WorldTime extends WorldClock {
  /** The moment it is, held or not. */
  unheld(): number;
  hold(moment: number | null): void;
}

export function createWorldTime(offset: number): WorldTime {
  // Asked for anew each time: a test may put its own clock in the place of `Date`.
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

/** So many moments are gone through one by one; after them time leaps to the end, as a sandbox's does. */
const mostSteps = 2_000;

/** Work that fell due while nobody looked. */
export interface CatchUp {
  mayBeDue(): boolean;
  run(): Promise<void>;
}

/**
 * Does what fell due since somebody last looked, each thing at its own moment and in their order: as if somebody had
 * looked all the time. So nothing needs a timer.
 */
export function createCatchUp(
  time: WorldTime,
  due: {
    mayBeDue(now: number): boolean;
    nextAt(): Promise<number | null>;
    run(): Promise<void>;
    done(): Promise<void>;
  },
): CatchUp {
  let underWay: Promise<void> | undefined;

  async function goThrough(): Promise<void> {
    const end = time.unheld();
    let reached = Number.NEGATIVE_INFINITY;
    try {
      for (let step = 1; step <= mostSteps; step += 1) {
        const next = await due.nextAt();
        // What doesn't move on when its moment has come waits for the next one.
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

  const mayBeDue = (): boolean => underWay !== undefined || due.mayBeDue(time.unheld());
  return {
    mayBeDue,
    async run() {
      if (!mayBeDue()) return;
      underWay ??= goThrough().finally(() => {
        underWay = undefined;
      });
      await underWay;
    },
  };
}

/** A store that knows without looking when something may fall due. */
export interface WatchedStore {
  store: Store;
  /** Whether something may have fallen due at a moment of world time. */
  mayBeDue(now: number): boolean;
  /** Something falls due at a moment. */
  expect(moment: number): void;
  /** Looks anew, once what was due is done. */
  lookAgain(): Promise<void>;
}

/** Every request asks whether something is due; only when an expected moment has come, the orders are gone through. */
export function watchStore(store: Store): WatchedStore {
  // Nothing is known of the orders that are there already.
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
    async lookAgain() {
      expected = Number.POSITIVE_INFINITY;
      const next = await store.nextDueAt();
      if (next !== null) expect(next);
    },
  };
}

/** Payments that the gateway will decline. */
export interface Declines {
  /** Declines those whose moment has come. */
  run(now: number): Promise<void>;
  /** The earliest moment at which anything falls due, these included. */
  nextDueAt(): Promise<number | null>;
  /** Expects them anew. */
  expect(): void;
}

/** The payments that are still to be declined stand in the orders' fates; one that was is over. */
export function createDeclines(
  engine: Engine,
  { store, expect }: WatchedStore,
  fates: ReadonlyMap<string, Fate>,
): Declines {
  const over = new Set<string>();

  function* waiting(): Generator<{ orderId: string; at: number }> {
    for (const [orderId, { declinedAt }] of fates)
      if (declinedAt !== null && !over.has(orderId)) yield { orderId, at: declinedAt };
  }

  return {
    async run(now) {
      for (const { orderId, at } of [...waiting()].filter((one) => one.at <= now)) {
        over.add(orderId);
        const order = await store.findOrder(orderId);
        if (!order) continue;
        const { payment, pricing } = order;
        const news = { reference: payment.reference, amount: pricing.total_price, at };
        await engine.takePaymentNews({ ...news, status: 'failed' });
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
