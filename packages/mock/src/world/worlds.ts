import { scopes } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import {
  readCounts,
  readSnapshot,
  type WebhooksSnapshot,
  type WorldContent,
  type WorldSnapshot,
  writeSnapshot,
} from '@topup-kit/core/features/sandbox';
import { createMemoryStore, type StoredKey } from '@topup-kit/core/store';
import type { MockConfig } from '../options.ts';
import { randomFor, sha256Hex } from '../random.ts';
import { inTypeErrors } from '../type-errors.ts';
import { type MockWorld, openWorld, type WorldState } from './world.ts';

/** A saved state of a mock, for `restore`. Another mock or a sandbox can restore its JSON (`JSON.stringify(mock.snapshot())`), too. */
export interface MockSnapshot extends WorldSnapshot {
  /** Its time on the mock's clock, in unix milliseconds. The JSON has `time` instead. */
  readonly at: number;
}

/** The current world of a mock, and its saved states. */
export interface Worlds {
  current(): MockWorld;
  /** @param webhooks the faults and waiting events of webhooks */
  snapshot(webhooks: WebhooksSnapshot): MockSnapshot;
  /** Returns the webhooks of the snapshot. @throws TypeError if the snapshot can't be read. */
  restore(snapshot: unknown): WebhooksSnapshot;
  reset(): void;
}

// Safe: these are the keys of a constant table.
const parts = Object.keys({
  format: true,
  time: true,
  ahead_ms: true,
  scenario: true,
  webhooks: true,
  tables: true,
  mock: true,
  checksum: true,
} satisfies Record<keyof WorldSnapshot, true>) as (keyof WorldSnapshot)[];

/** Creates a snapshot that is written only when its content is read, because most snapshots are only restored. */
function writtenLater(at: number, write: () => WorldSnapshot): MockSnapshot {
  let written: WorldSnapshot | undefined;
  const snapshot = Object.defineProperty({}, 'at', { value: at });
  for (const part of parts)
    Object.defineProperty(snapshot, part, {
      enumerable: true,
      get() {
        written ??= write();
        return written[part];
      },
    });
  return Object.freeze(snapshot) as MockSnapshot; // Safe: it has all parts.
}

type MockPart = Omit<WorldState, 'store' | 'faults'>;

/** Returns the state in a snapshot. The snapshot of a sandbox lacks the mock's part. */
function stateOf({ store, scenario, mock }: WorldContent, worldOffset: number): WorldState {
  const { plannedOutcomes = {}, repeats = {}, calls = {}, ...rest } = (mock ?? {}) as Partial<MockPart>; // Safe: a mock wrote it.
  return {
    scenarios: [],
    requests: [],
    ...rest,
    store: { ...store, worldOffset },
    faults: scenario.faults,
    plannedOutcomes: new Map(Object.entries(plannedOutcomes)),
    repeats: new Map(Object.entries(repeats)),
    calls: readCounts(calls),
  };
}

/**
 * Creates the current world and its replacements by `restore` and `reset`. Requests in progress finish in the old world, and change nothing
 * in the new one.
 *
 * @param kept a snapshot to start with, whose clock has continued to run
 */
export function createWorlds(config: MockConfig, kept: object | null = null): Worlds {
  const first = firstState(config);
  const taken = new WeakMap<object, { state: WorldState; webhooks: WebhooksSnapshot }>();
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
  const read = (snapshot: unknown): WorldContent => inTypeErrors(() => readSnapshot(snapshot, first.store));
  if (kept !== null) {
    const content = read(kept);
    goTo(stateOf(content, content.ahead));
  }
  const fromFile = (content: WorldContent) => ({
    state: stateOf(content, content.time - Date.now()),
    webhooks: content.webhooks,
  });
  return {
    current,
    snapshot(webhooks) {
      const state = current().state();
      const { store, faults, ...mock } = state;
      const [time, ahead] = [current().now(), store.worldOffset];
      const scenario = { faults, chosen: null };
      const snapshot = writtenLater(time, () =>
        writeSnapshot({ time, ahead, store, scenario, webhooks, mock }),
      );
      taken.set(snapshot, { state, webhooks });
      return snapshot;
    },
    restore(snapshot) {
      const kept = taken.get(Object(snapshot)) ?? fromFile(read(snapshot));
      goTo(kept.state);
      return kept.webhooks;
    },
    reset: () => goTo(first),
  };
}

function firstState({ catalog, scenario, seed }: MockConfig): WorldState {
  const store = createMemoryStore();
  // The promise is not awaited, because a memory store finishes its work before it returns, and an empty store has no conflicts.
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
