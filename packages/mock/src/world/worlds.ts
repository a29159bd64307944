import type { MockConfig } from '../config.ts';
import { firstState, type WorldState } from './state.ts';
import { openWorld, type World } from './world.ts';

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
