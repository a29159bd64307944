import { scopes } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import { createMemoryStore, type StoredKey } from '@topup-kit/core/store';
import type { MockConfig } from '../options.ts';
import { chanceOf, sha256Hex } from '../random.ts';
import { openWorld, type World, type WorldState } from './world.ts';

/** A world as it was: hand it to `mock.restore`. It belongs to the mock it was taken of. */
export interface MockSnapshot {
  /** When it was taken, in unix milliseconds of world time. */
  readonly at: number;
}

/** The world that is, and those that were. */
export interface Worlds {
  current(): World;
  snapshot(): MockSnapshot;
  restore(snapshot: MockSnapshot): void;
  reset(): void;
}

/**
 * Going back opens another world and leaves the one before to the requests that are still under way in it: what they
 * bring about is nobody's any more.
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

/** The key of a second account, that nothing of the first may be shown to. */
export function otherKey(seed: number): { key: string; stored: StoredKey } {
  const key = createKeyText('test', chanceOf(seed, 'other key'));
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
