import { isStoreFailure } from '../../engine/failures.ts';
import { batchSize, type Room } from '../../engine/rooms.ts';
import type { Callbacks } from './callbacks.ts';
import type { CallbackStore } from './store.ts';

export {
  type CallbackDependencies,
  type CallbackSource,
  type Callbacks,
  createCallbacks,
  type ReceivedCallback,
} from './callbacks.ts';
export {
  type CallbackListener,
  type CallbackReport,
  type CountedOutcome,
  maxUnverifiedPerMinute,
} from './unverified.ts';

export interface CallbackHost {
  store: Pick<CallbackStore, 'findReplays'>;
  callbacks: Pick<Callbacks, 'replay' | 'storeUnverified'>;
  /** Aborts when the host closes. The remaining callbacks are stored then. */
  closing: AbortSignal;
  /** Called with the error if unverified callbacks could not be stored, unless the store has already reported it. */
  reportError: (error: unknown) => void;
}

/** Interval for storing unverified callbacks, in milliseconds. */
const unverifiedMs = 1_000;

/** Creates the due work for callbacks: replays that operators requested, and the storing of unverified callbacks. */
export const handleCallbacks =
  ({ store, callbacks, closing, reportError }: CallbackHost): Room =>
  ({ monotonicClock, startClaimed, capacity }) => {
    const start = startClaimed('replay callback');
    let next = Number.NEGATIVE_INFINITY;
    return {
      async 'replay callbacks'() {
        const requested = await store.findReplays(Math.min(batchSize, capacity()));
        for (const callback of requested) void start(callback.callbackId, () => callbacks.replay(callback));
        return requested.length;
      },
      // Other work doesn't wait for these writes, which may be very many. Only the last run waits for them.
      'store unverified callbacks'() {
        const isLast = closing.aborted;
        if (!isLast && monotonicClock() < next) return undefined;
        next = monotonicClock() + unverifiedMs;
        const stored = callbacks.storeUnverified({ isLast }).catch((error: unknown) => {
          if (!isStoreFailure(error)) reportError(error);
        });
        return isLast ? stored : undefined;
      },
    };
  };
