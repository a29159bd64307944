import { boundedOutcomes, type CallbackFilter, done, maxBoundedCallbacks, type Store } from '../store.ts';
import type { StoredCallback } from '../types.ts';
import type { MemoryState } from './state.ts';

type Place = Pick<StoredCallback, 'receivedAt' | 'callbackId'>;

const oldestFirst = (a: Place, b: Place): number =>
  a.receivedAt - b.receivedAt || (a.callbackId < b.callbackId ? -1 : 1);

const matches = (callback: StoredCallback, { provider, outcome, after }: CallbackFilter): boolean =>
  (provider === undefined || callback.provider === provider) &&
  (outcome === undefined || callback.outcome === outcome) &&
  (after === undefined || oldestFirst(callback, after) < 0);

/** A callback that was replayed is kept, because an operator cared for it. */
function dropExcess({ callbacks }: MemoryState, bounded: StoredCallback['outcome']): void {
  const all = [...callbacks.values()].filter(
    ({ outcome, attempts }) => outcome === bounded && attempts === 1,
  );
  const excess = all.sort(oldestFirst).slice(0, Math.max(0, all.length - maxBoundedCallbacks));
  for (const { callbackId } of excess) callbacks.delete(callbackId);
}

export const callbacks = (
  state: MemoryState,
): Pick<
  Store,
  'addCallback' | 'findCallback' | 'listCallbacks' | 'requestReplay' | 'findReplays' | 'finishReplay'
> => ({
  async addCallback(callback) {
    if (state.callbacks.has(callback.callbackId)) return { conflict: 'callback_taken' };
    state.callbacks.set(callback.callbackId, callback);
    for (const bounded of boundedOutcomes) if (callback.outcome === bounded) dropExcess(state, bounded);
    return done;
  },
  findCallback: async (callbackId) => state.callbacks.get(callbackId) ?? null,
  listCallbacks: async (filter) =>
    [...state.callbacks.values()]
      .filter((one) => matches(one, filter))
      .sort((a, b) => oldestFirst(b, a))
      .slice(0, filter.limit),
  async requestReplay(callbackId) {
    const callback = state.callbacks.get(callbackId);
    if (!callback) return { conflict: 'callback_missing' };
    state.callbacks.set(callbackId, { ...callback, replay: true });
    return done;
  },
  findReplays: async (limit) =>
    [...state.callbacks.values()]
      .filter(({ replay }) => replay)
      .sort(oldestFirst)
      .slice(0, limit),
  async finishReplay(result) {
    const callback = state.callbacks.get(result.callbackId);
    if (!callback?.replay) return { conflict: 'no_replay' };
    const { attempts } = callback;
    state.callbacks.set(result.callbackId, { ...callback, ...result, attempts: attempts + 1, replay: false });
    return done;
  },
});
