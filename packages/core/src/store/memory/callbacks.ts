import { erasedCallback, isErased } from '../erasure.ts';
import { type CallbackFilter, done, isUnproven, type Store } from '../store.ts';
import type { StoredCallback } from '../types.ts';
import type { MemoryState } from './state.ts';

type Place = Pick<StoredCallback, 'receivedAt' | 'callbackId'>;

const oldestFirst = (a: Place, b: Place): number =>
  a.receivedAt - b.receivedAt || (a.callbackId < b.callbackId ? -1 : 1);

const matches = (callback: StoredCallback, { provider, outcome, orderId, after }: CallbackFilter): boolean =>
  (provider === undefined || callback.provider === provider) &&
  (outcome === undefined || callback.outcome === outcome) &&
  (orderId === undefined || callback.orderId === orderId) &&
  (after === undefined || oldestFirst(callback, after) < 0);

/** An operator cared for the others. */
const isDisposable = (callback: StoredCallback): boolean =>
  isUnproven(callback.outcome) && callback.attempts === 1 && !callback.replay;

/** What comes late of an erased order is not kept. */
function keep(state: MemoryState, callback: StoredCallback): void {
  const order = callback.orderId === null ? undefined : state.orders.get(callback.orderId);
  state.callbacks.set(callback.callbackId, order && isErased(order) ? erasedCallback(callback) : callback);
}

export const callbacks = (state: MemoryState) =>
  ({
    async addCallback(callback) {
      if (state.callbacks.has(callback.callbackId)) return { conflict: 'callback_taken' };
      keep(state, callback);
      return done;
    },
    listUnproven: async () =>
      [...state.callbacks.values()]
        .filter(isDisposable)
        .map(({ callbackId, provider, receivedAt, address, outcome, reason }) => ({
          callbackId,
          provider,
          receivedAt,
          address,
          outcome,
          reason,
        })),
    async findProvenSenders(addresses) {
      const proven = [...state.callbacks.values()].filter((callback) => !isUnproven(callback.outcome));
      const senders = new Set(proven.map(({ address }) => address));
      return addresses.filter((address) => senders.has(address));
    },
    async keepUnproven({ add, drop }) {
      const dropped = drop.flatMap((id) => state.callbacks.get(id) ?? []).filter(isDisposable);
      for (const { callbackId } of dropped) state.callbacks.delete(callbackId);
      for (const callback of add)
        if (!state.callbacks.has(callback.callbackId)) state.callbacks.set(callback.callbackId, callback);
      return done;
    },
    findCallback: async (callbackId) => state.callbacks.get(callbackId) ?? null,
    listCallbacks: async (filter) =>
      [...state.callbacks.values()]
        .filter((callback) => matches(callback, filter))
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
      keep(state, { ...callback, ...result, attempts: attempts + 1, replay: false });
      return done;
    },
  }) satisfies Partial<Store>;
