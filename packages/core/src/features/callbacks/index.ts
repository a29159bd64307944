import { isOfStore } from '../../engine/failures.ts';
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
  unprovenPerMinute,
} from './unproven.ts';

export interface CallbackHost {
  store: Pick<CallbackStore, 'findReplays'>;
  callbacks: Pick<Callbacks, 'replay' | 'storeUnproven'>;
  /** Aborted when the host closes; then all that is not stored yet is. */
  closing: AbortSignal;
  /** Called when callbacks that prove nothing could not be stored, unless the store has told its host why. */
  reportError: (error: unknown) => void;
}

/** How often callbacks that prove nothing are stored, in milliseconds. */
const unprovenMs = 1_000;

/** Handles callbacks again that an operator asked for, and stores those that prove nothing. */
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
      // Other work doesn't wait for it, because of floods; only the last run does.
      'store unproven callbacks'() {
        const isLast = closing.aborted;
        if (!isLast && monotonicClock() < next) return undefined;
        next = monotonicClock() + unprovenMs;
        const stored = callbacks.storeUnproven({ isLast }).catch((error: unknown) => {
          if (!isOfStore(error)) reportError(error);
        });
        return isLast ? stored : undefined;
      },
    };
  };
