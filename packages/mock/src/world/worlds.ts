import { scopes } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import { createMemoryStore, type StoredKey } from '@topup-kit/core/store';
import type { MockConfig } from '../options.ts';
import { randomFor, sha256Hex } from '../random.ts';
import { type MockWorld, openWorld, type WorldState } from './world.ts';

/** A saved state of a mock, for its `restore`. Another mock can't restore it. */
export interface MockSnapshot {
  /** Time of the snapshot on the mock's clock, in unix milliseconds. */
  readonly at: number;
}

/** The current world of a mock, and its saved states. */
export interface Worlds {
  current(): MockWorld;
  snapshot(): MockSnapshot;
  restore(snapshot: MockSnapshot): void;
  reset(): void;
}

/**
 * `restore` and `reset` create a new world. Requests in progress finish in the old world, and change nothing in the new
 * one.
 */
export function createWorlds(config: MockConfig): Worlds {
  const first = firstState(config);
  const taken = new WeakMap<MockSnapshot, WorldState>();
  let from = first;
  let world: MockWorld | undefined;
  const current = (): MockWorld => {
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
      if (!state) throw new TypeError('This snapshot was taken from another mock.');
      goTo(state);
    },
    reset: () => goTo(first),
  };
}

function firstState({ catalog, scenario, seed }: MockConfig): WorldState {
  const store = createMemoryStore();
  // A memory store finishes its work before it returns, and an empty store has no conflicts.
  void store.replaceCatalog(catalog);
  void store.createKey(otherKey(seed).stored);
  return {
    store: store.snapshot(),
    scenarios: scenario === undefined ? [] : [{ name: scenario }],
    faults: [],
    plannedOutcomes: new Map(),
    repeats: new Map(),
    calls: new Map(),
    requests: [],
  };
}

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
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
    },
  };
}
