import type { MonotonicClock } from '../platform/index.ts';
import { StoreError } from '../store/index.ts';
import type { EmitEvent } from './events.ts';

/** First and maximum pause before a failed item is tried again, in milliseconds. */
const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** Maximum number of items to remember, the newest failures, so that memory use stays limited. */
const maxItems = 10_000;

/** Work items that failed, by name. */
export interface Failures {
  /** Delays an item, twice as long each time, until it is forgotten. */
  postpone(name: string): void;
  isPostponed(name: string): boolean;
  countPostponed(): number;
  /** Reports an item's first error. Problems of the store don't count as the item's. */
  report(error: unknown, name: string): void;
  forget(name: string): void;
}

/** Tells whether an error concerns the whole store, which reports such errors to the host itself. */
export const isStoreFailure = (error: unknown): boolean => error instanceof StoreError && error.isReported;

interface Failure {
  pauseMs: number;
  until: number;
  isReported: boolean;
}

/** Backs off work that fails repeatedly, and reports it once. */
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
