import { inTime } from '../in-time.ts';

/** Work that goes on beside others, each piece once at a time, and is not waited for when it is slow. */
export interface Background {
  /** How many more pieces may be started. */
  room(): number;
  /** Starts a piece of work, unless one of that name is under way. */
  start(name: string, work: () => Promise<unknown>): void;
  /** Waits for all that is under way, and no longer than so many milliseconds. */
  settle(milliseconds: number): Promise<void>;
}

export function createBackground(
  most: number,
  reportError: (error: unknown, about: string) => void,
): Background {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    room: () => most - underWay.size,
    start(name, work) {
      if (underWay.has(name)) return;
      const piece = work()
        .catch((error: unknown) => reportError(error, name))
        .finally(() => underWay.delete(name));
      underWay.set(name, piece);
    },
    async settle(milliseconds) {
      if (underWay.size === 0) return;
      // No piece rejects: what comes here is that the time is over.
      await inTime(Promise.all(underWay.values()), milliseconds, 'slow').catch(() => {});
    },
  };
}
