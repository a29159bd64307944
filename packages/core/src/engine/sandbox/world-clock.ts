import type { Clock } from '../../platform/index.ts';

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
