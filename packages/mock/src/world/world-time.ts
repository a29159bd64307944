import { breathe, createWorldClock, type WorldClock } from '@topup-kit/core/engine';

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
