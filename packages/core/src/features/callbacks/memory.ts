import { done, isErased } from '../../store/index.ts';
import { countErased } from '../../store/memory/erasures.ts';
import type { MemoryPart, MemoryState } from '../../store/memory/state.ts';
import {
  type CallbackFilter,
  type CallbackStore,
  erasedCallback,
  hasPhone,
  isUnverified,
  type StoredCallback,
} from './store.ts';

const tables = () => ({ callbacks: new Map<string, StoredCallback>() });

type Tables = ReturnType<typeof tables>;
type State = MemoryState & Tables;

type Place = Pick<StoredCallback, 'receivedAt' | 'callbackId'>;

const oldestFirst = (a: Place, b: Place): number =>
  a.receivedAt - b.receivedAt || (a.callbackId < b.callbackId ? -1 : 1);

const matches = (callback: StoredCallback, { provider, outcome, orderId, after }: CallbackFilter): boolean =>
  (provider === undefined || callback.provider === provider) &&
  (outcome === undefined || callback.outcome === outcome) &&
  (orderId === undefined || callback.orderId === orderId) &&
  (after === undefined || oldestFirst(callback, after) < 0);

/** Tells whether a callback may be deleted. It may not if an operator has replayed it. */
const isDisposable = (callback: StoredCallback): boolean =>
  isUnverified(callback.outcome) && callback.attempts === 1 && !callback.replay;

/** Stores a callback. A late callback of an erased order is stored without its content. */
function keep(state: State, callback: StoredCallback): void {
  const order = callback.orderId === null ? undefined : state.orders.get(callback.orderId);
  state.callbacks.set(callback.callbackId, order && isErased(order) ? erasedCallback(callback) : callback);
}

/** Erases the content of callbacks, and returns their number. */
function erase({ callbacks }: Tables, isWanted: (callback: StoredCallback) => boolean): number {
  const wanted = [...callbacks.values()].filter(isWanted);
  for (const callback of wanted) callbacks.set(callback.callbackId, erasedCallback(callback));
  return wanted.length;
}

const commands = (state: State): CallbackStore => {
  const list = (isWanted: (callback: StoredCallback) => boolean): StoredCallback[] =>
    [...state.callbacks.values()].filter(isWanted);
  return {
    async addCallback(callback) {
      if (state.callbacks.has(callback.callbackId)) return { conflict: 'callback_taken' };
      keep(state, callback);
      return done;
    },
    listUnverified: async () =>
      list(isDisposable).map(({ callbackId, provider, receivedAt, address, outcome, reason }) => ({
        callbackId,
        provider,
        receivedAt,
        address,
        outcome,
        reason,
      })),
    async findProvenSenders(addresses) {
      const proven = list(({ outcome }) => !isUnverified(outcome));
      const senders = new Set(proven.map(({ address }) => address));
      return addresses.filter((address) => senders.has(address));
    },
    async pruneUnverified({ add, drop }) {
      const dropped = drop.flatMap((id) => state.callbacks.get(id) ?? []).filter(isDisposable);
      for (const { callbackId } of dropped) state.callbacks.delete(callbackId);
      for (const callback of add)
        if (!state.callbacks.has(callback.callbackId)) state.callbacks.set(callback.callbackId, callback);
      return done;
    },
    findCallback: async (callbackId) => state.callbacks.get(callbackId) ?? null,
    listCallbacks: async (filter) =>
      list((callback) => matches(callback, filter))
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, filter.limit),
    async requestReplay(callbackId) {
      const callback = state.callbacks.get(callbackId);
      if (!callback) return { conflict: 'callback_missing' };
      state.callbacks.set(callbackId, { ...callback, replay: true });
      return done;
    },
    findReplays: async (limit) =>
      list(({ replay }) => replay)
        .sort(oldestFirst)
        .slice(0, limit),
    async finishReplay(result) {
      const callback = state.callbacks.get(result.callbackId);
      if (!callback?.replay) return { conflict: 'no_replay' };
      const { attempts } = callback;
      keep(state, { ...callback, ...result, attempts: attempts + 1, replay: false });
      return done;
    },
    findStrayCallbacks: async (digits) =>
      list(({ orderId, body }) => orderId === null && hasPhone(body, digits)).map(
        ({ callbackId }) => callbackId,
      ),
    async eraseCallbacks(callbackIds, erasure) {
      const callbacks = erase(state, ({ callbackId }) => callbackIds.includes(callbackId));
      countErased(state, erasure, { callbacks });
      return done;
    },
  };
};

export const callbacksInMemory: MemoryPart<Tables, CallbackStore> = {
  tables,
  ofOrders: tables,
  commands,
  eraseOrder: (state, orderId) => ({ callbacks: erase(state, (callback) => callback.orderId === orderId) }),
};
