import { done, type Store as HouseStore } from '../store/index.ts';
import { copyState, emptyState, type MemoryPart, type MemoryState, noOrders } from '../store/memory/state.ts';
import { houseInMemory } from '../store/memory/store.ts';
import { callbacksInMemory } from './callbacks/memory.ts';
import { catalogInMemory } from './catalog/memory.ts';
import { consoleInMemory } from './console/memory.ts';
import type { Merged } from './merged.ts';
import { reportsInMemory } from './reports/memory.ts';
import { webhooksInMemory } from './webhooks/memory.ts';

export * from '../store/index.ts';
export * from './callbacks/store.ts';
export * from './catalog/store.ts';
export * from './console/store.ts';
export type { Merged } from './merged.ts';
export * from './reports/store.ts';
export * from './webhooks/store.ts';

/** The commands of each room, and its tables in memory. */
const rooms = {
  callbacks: callbacksInMemory,
  catalog: catalogInMemory,
  console: consoleInMemory,
  reports: reportsInMemory,
  webhooks: webhooksInMemory,
};

type Room = (typeof rooms)[keyof typeof rooms];

/** The service's database, with the data of the house and of the rooms. */
export type Store = HouseStore & Merged<ReturnType<Room['commands']>>;

type State = MemoryState & Merged<ReturnType<Room['tables']>>;

/** The content of a memory store at one moment; pass it to {@link createMemoryStore}. */
export type MemorySnapshot = Readonly<State>;

export type MemoryStore = Store & {
  /** Returns the store's current content. This is cheap, because the records are shared. */
  snapshot(): MemorySnapshot;
  /** Replaces the whole content with the content of a snapshot. Caches by revision are read again. */
  restore(snapshot: MemorySnapshot): void;
};

/** The rooms' parts without their types, because each is called with the whole state. */
const parts: readonly MemoryPart<object, object>[] = Object.values(rooms);

const together = (partOf: (part: MemoryPart<object, object>) => object): object =>
  Object.assign({}, ...parts.map(partOf));

/** The content of an empty store. */
// Safe: `Merged` is the type of all rooms' parts together.
export const emptyContent = (): MemorySnapshot =>
  ({ ...emptyState(), ...together((part) => part.tables()) }) as State;

/** Creates a store in memory, for tests, mocks and `memory:`. It starts empty or with the content of a snapshot. */
export function createMemoryStore(from?: MemorySnapshot): MemoryStore {
  const state: State = from ? copyState(from) : { ...emptyContent() };
  // Safe: `Merged` is the type of all rooms' parts together.
  const commands = together((part) => part.commands(state)) as Merged<ReturnType<Room['commands']>>;
  return {
    snapshot: () => copyState(state),
    restore(snapshot) {
      const { revision, lastChange } = state;
      Object.assign(state, copyState(snapshot), {
        revision: Math.max(revision, snapshot.revision) + 1,
        lastChange: Math.max(lastChange, snapshot.lastChange),
      });
    },
    ...houseInMemory(state, (orderId) => parts.flatMap((part) => part.eraseOrder?.(state, orderId) ?? [])),
    ...commands,
    async clearOrders() {
      Object.assign(
        state,
        noOrders(),
        together((part) => part.ofOrders?.() ?? {}),
      );
      return done;
    },
  };
}
