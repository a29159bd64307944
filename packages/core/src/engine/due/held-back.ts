import type { Clock } from '../../platform/index.ts';

/** Things that failed, put off for a while so that they don't stand in the way of others. */
export interface HeldBack {
  size(): number;
  add(name: string): void;
  has(name: string): boolean;
}

export function createHeldBack(clock: Clock, milliseconds: number): HeldBack {
  const until = new Map<string, number>();
  const forget = (): void => {
    for (const [name, moment] of until) if (moment <= clock()) until.delete(name);
  };
  return {
    size() {
      forget();
      return until.size;
    },
    add: (name) => void until.set(name, clock() + milliseconds),
    has: (name) => (until.get(name) ?? 0) > clock(),
  };
}
