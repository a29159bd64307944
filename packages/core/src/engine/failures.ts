import type { MonotonicClock } from '../platform/index.ts';
import { StoreError } from '../store/index.ts';
import type { Emit } from './events.ts';

/** How long an item that failed waits before it is tried again, in milliseconds: the first time, and at most. */
const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** How many items are remembered, those that failed last, so that the memory doesn't grow. */
const maxItems = 10_000;

/** What is known of the items of work that failed, by their names. */
export interface Failures {
  /** Lets an item wait, each time for twice as long, until it is forgotten. */
  postpone(name: string): void;
  isPostponed(name: string): boolean;
  countPostponed(): number;
  /** Reports the error of an item, unless one was reported already. Problems of the store are not the item's. */
  report(error: unknown, name: string): void;
  forget(name: string): void;
}

/** Whether an error is a problem of the whole store, which the host is told of by the store itself. */
export const isOfStore = (error: unknown): boolean => error instanceof StoreError && error.isReported;

interface Failure {
  pauseMs: number;
  until: number;
  isReported: boolean;
}

/** Lets work that fails again and again back off, and reports it once. */
export function createFailures(clock: MonotonicClock, emit: Emit): Failures {
  const failures = new Map<string, Failure>();

  function note(name: string): Failure {
    const failure = failures.get(name) ?? { pauseMs: 0, until: 0, isReported: false };
    failures.delete(name);
    failures.set(name, failure);
    const [oldest = name] = failures.keys();
    if (failures.size > maxItems) failures.delete(oldest);
    return failure;
  }

  return {
    postpone(name) {
      const failure = note(name);
      failure.pauseMs = Math.min(longestPauseMs, failure.pauseMs * 2 || firstPauseMs);
      failure.until = clock() + failure.pauseMs;
    },
    isPostponed: (name) => (failures.get(name)?.until ?? 0) > clock(),
    countPostponed() {
      const now = clock();
      return [...failures.values()].filter(({ until }) => until > now).length;
    },
    report(error, name) {
      if (isOfStore(error)) return;
      const failure = note(name);
      if (!failure.isReported) emit({ type: 'error', error, about: name });
      failure.isReported = true;
    },
    forget: (name) => void failures.delete(name),
  };
}
