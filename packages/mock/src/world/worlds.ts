import { scopes } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import { createMemoryStore, type StoredKey } from '@topup-kit/core/store';
import type { MockConfig } from '../options.ts';
import { randomFor, sha256Hex } from '../random.ts';
import { openWorld, type World, type WorldState } from './world.ts';

/** A world as it was: hand it to `mock.restore`. It belongs to the mock it was taken of. */
export interface MockSnapshot {
  /** When it was taken, in unix milliseconds of world time. */
  readonly at: number;
}

/** The current world, and how to go back to earlier ones. */
export interface Worlds {
  current(): World;
  snapshot(): MockSnapshot;
  restore(snapshot: MockSnapshot): void;
  reset(): void;
}

/**
 * Going back opens another world. Requests that are still under way end in the one that was left, and change nothing in
 * the new one.
 */
export function createWorlds(config: MockConfig): Worlds {
  const first = firstState(config);
  const taken = new WeakMap<MockSnapshot, WorldState>();
  let from = first;
  let world: World | undefined;
  const current = (): World => {
    world ??= openWorld(config, from);
    return world;
  };
  const goTo = (state: WorldState): void => {
    from = state;
    world = undefined;
  };
  return {
    current,
    snapshot() {
      const snapshot = Object.freeze({ at: current().now() });
      taken.set(snapshot, current().state());
      return snapshot;
    },
    restore(snapshot) {
      const state = taken.get(snapshot);
      if (!state) throw new TypeError('This snapshot was not taken of this mock.');
      goTo(state);
    },
    reset: () => goTo(first),
  };
}

/** The world as it begins. */
function firstState({ catalog, scenario, seed }: MockConfig): WorldState {
  const store = createMemoryStore();
  // A memory store is done when it returns, and nothing conflicts in an empty one.
  void store.replaceCatalog(catalog);
  void store.createKey(otherKey(seed).stored);
  return {
    store: store.snapshot(),
    scenarios: scenario === undefined ? [] : [{ name: scenario }],
    plannedOutcomes: new Map(),
    repeats: new Map(),
    calls: new Map(),
    requests: [],
  };
}

/** The key of a second account, which must see nothing of the first. */
export function otherKey(seed: number): { key: string; stored: StoredKey } {
  const key = createKeyText('test', randomFor(seed, 'other key'));
  return {
    key,
    stored: {
      keyId: 'other',
      hash: sha256Hex(key),
      accountId: 'other',
      name: 'another shop',
      scopes: [...scopes],
      createdAt: 0,
      revokedAt: null,
    },
  };
}
