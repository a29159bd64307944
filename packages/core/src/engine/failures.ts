import type { MonotonicClock } from '../platform/index.ts';
import { StoreError } from '../store/index.ts';
import type { EmitEvent } from './events.ts';

/** First and maximum pause before a failed item is tried again, in milliseconds. */
const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** Maximum number of items to remember. The newest failures are kept, so that memory use stays limited. */
const maxItems = 10_000;

/** Failed work items, by name. */
export interface Failures {
  /** Delays an item, twice as long after each failure, until the item is forgotten. */
  postpone(name: string): void;
  isPostponed(name: string): boolean;
  countPostponed(): number;
  /** Reports the first error of an item. Problems of the store don't count as errors of the item. */
  report(error: unknown, name: string): void;
  forget(name: string): void;
}

/** Tells whether an error concerns the whole store. The store reports such errors to the host itself. */
export const isStoreFailure = (error: unknown): boolean => error instanceof StoreError && error.isReported;

interface Failure {
  pauseMs: number;
  until: number;
  isReported: boolean;
}

/** Creates a record of failures that delays repeatedly failing work, and reports it once. */
export function createFailures(clock: MonotonicClock, emit: EmitEvent): Failures {
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
      if (isStoreFailure(error)) return;
      const failure = note(name);
      if (!failure.isReported) emit({ type: 'error', error, about: name });
      failure.isReported = true;
    },
    forget: (name) => void failures.delete(name),
  };
}
