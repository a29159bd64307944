import { equalInConstantTime, type KeyScope, scopes } from '../contract/index.ts';
import type { Clock, Hash } from '../platform/index.ts';
import type { Store, StoredKey } from '../store/index.ts';

export interface Caller {
  keyId: string;
  accountId: string;
  scopes: readonly KeyScope[];
}

/** A key that works in a sandbox although it is not in the store. */
export interface FixedKey {
  key: string;
  /** True to accept the key only in direct requests on the same machine. */
  directOnly: boolean;
}

/** The account of a sandbox's fixed keys. */
export const sandboxAccount = 'sandbox';

/** A stored key that no longer works, for the log. Its sender gets the response for an unknown key. */
interface InactiveKey {
  keyId: string;
  state: Exclude<KeyState, 'active'>;
}

type KeyState = 'active' | 'expired' | 'revoked';

/** Returns a key's state at a given real time. Only an active key is accepted. */
export function keyState(
  { revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>,
  realNow: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= realNow ? 'expired' : 'active';
}

export interface Keyring {
  /** Returns the caller to whom a key belongs, or the key if it no longer works; null for a missing or unknown key. */
  authenticate(key: string | null, direct: boolean): Promise<Caller | InactiveKey | null>;
  /** Stores when keys were last used, and returns their number. Rejects if the store fails; these uses are then lost. */
  recordUses(): Promise<number>;
}

/** Minimum time between two stored uses of a key, in milliseconds, so that few requests cause a write. */
const useIntervalMs = 60_000;

/**
 * Creates a keyring, which looks up stored keys and a sandbox's fixed keys. It caches keys until the store's revision changes. It checks
 * the revision for each request, so that it rejects a key within a second after another process revokes it.
 */
export function createKeyring(deps: {
  store: Store;
  hash: Hash;
  realClock: Clock;
  fixedKeys: readonly FixedKey[];
}): Keyring {
  const { store, hash, realClock } = deps;
  const fixed = deps.fixedKeys.map(({ key, directOnly }) => ({ hash: hash(key), directOnly }));
  const known = new Map<string, StoredKey>();
  /** Hashes of accepted keys, because hashing takes longer than the rest of the check. Wrong keys can't fill it. */
  const hashes = new Map<string, string>();
  /** Uses that are not stored yet, by key id. */
  let uses = new Map<string, number>();
  let knownRevision: number | undefined;

  async function storedKey(keyHash: string): Promise<StoredKey | null> {
    const revision = await store.revision();
    if (revision !== knownRevision) {
      known.clear();
      hashes.clear();
    }
    knownRevision = revision;
    const stored = known.get(keyHash) ?? (await store.findKey(keyHash));
    // Wrong keys are not cached, because they could fill the memory. A key that was read before a new revision is not cached either.
    if (stored && revision === knownRevision) known.set(keyHash, stored);
    return stored;
  }

  /** Records the use of a key, unless a use within the last minute is stored or waiting. */
  function noteUse(stored: StoredKey, now: number): void {
    if (stored.lastUsedAt !== null && now - stored.lastUsedAt < useIntervalMs) return;
    uses.set(stored.keyId, now);
    // Another request may have read a newer version of the key, such as a revoked one.
    if (known.get(stored.hash) === stored) known.set(stored.hash, { ...stored, lastUsedAt: now });
  }

  return {
    async recordUses() {
      const batch = uses;
      if (batch.size === 0) return 0;
      uses = new Map();
      await store.recordKeyUses(batch);
      return batch.size;
    },
    async authenticate(key, direct) {
      if (key === null) return null;
      const keyHash = hashes.get(key) ?? hash(key);
      if (fixed.some((entry) => equalInConstantTime(entry.hash, keyHash) && (direct || !entry.directOnly))) {
        hashes.set(key, keyHash);
        return { keyId: 'sandbox', accountId: sandboxAccount, scopes };
      }
      const stored = await storedKey(keyHash);
      if (!stored || !equalInConstantTime(stored.hash, keyHash)) return null;
      const now = realClock();
      const state = keyState(stored, now);
      if (state !== 'active') return { keyId: stored.keyId, state };
      noteUse(stored, now);
      hashes.set(key, keyHash);
      return { keyId: stored.keyId, accountId: stored.accountId, scopes: stored.scopes };
    },
  };
}
