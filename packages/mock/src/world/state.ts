import type { Operation } from '@topup-kit/core/contract';
import { createMemoryStore, type MemorySnapshot } from '@topup-kit/core/store';
import type { MockConfig } from '../config.ts';
import type { MockRequest } from '../requests.ts';
import type { ActiveScenario } from '../scenarios/board.ts';
import type { Fate } from '../scenarios/fates.ts';
import { otherKey } from './other-key.ts';

/** All that makes up a mock's world at a moment. What it holds is never changed in place. */
export interface WorldState {
  store: MemorySnapshot;
  scenarios: readonly ActiveScenario[];
  /** By order id. */
  fates: ReadonlyMap<string, Fate>;
  /** How often the same was ordered, by what was ordered. */
  repeats: ReadonlyMap<string, number>;
  /** How often each operation was called. */
  calls: ReadonlyMap<Operation | null, number>;
  requests: readonly MockRequest[];
}

/** The world as it begins. */
export function firstState({ catalog, scenario, seed }: MockConfig): WorldState {
  const store = createMemoryStore();
  // A memory store has done what it was told when it returns, and in an empty one nothing conflicts.
  void store.replaceCatalog(catalog);
  void store.createKey(otherKey(seed).stored);
  return {
    store: store.snapshot(),
    scenarios: scenario === undefined ? [] : [{ name: scenario }],
    fates: new Map(),
    repeats: new Map(),
    calls: new Map(),
    requests: [],
  };
}
