import { type Scope, scopes } from '../../contract/index.ts';
import { type Clock, type Hash, type Random, randomText } from '../../platform/index.ts';
import type { Store, StoredKey } from '../../store/index.ts';
import { equalInConstantTime } from './constant-time.ts';
import { createKeyText, type KeyMode } from './key-text.ts';

/** Who a request comes from, once its key is known. */
export interface Caller {
  keyId: string;
  accountId: string;
  scopes: readonly Scope[];
}

/** A key that works without being in the store, in a sandbox. */
export interface FixedKey {
  key: string;
  /** Works for requests that come over loopback alone. */
  loopbackOnly: boolean;
}

/** The account that the keys of a sandbox belong to. */
export const sandboxAccount = 'sandbox';

export interface Keyring {
  /** Whose key it is; null for no key, a wrong one or a revoked one. */
  authenticate(key: string | null, fromLoopback: boolean): Promise<Caller | null>;
}

/** Knows the keys: those of the store, looked up again when its revision moves, and those of a sandbox. */
export function createKeyring(deps: { store: Store; hash: Hash; fixedKeys: readonly FixedKey[] }): Keyring {
  const { store, hash } = deps;
  const fixed = deps.fixedKeys.map(({ key, loopbackOnly }) => ({ hash: hash(key), loopbackOnly }));
  const known = new Map<string, StoredKey>();
  let knownRevision: number | undefined;

  async function storedKey(keyHash: string): Promise<StoredKey | null> {
    const revision = await store.revision();
    if (revision !== knownRevision) known.clear();
    knownRevision = revision;
    const stored = known.get(keyHash) ?? (await store.findKey(keyHash));
    // Only keys that exist are remembered: wrong ones could fill the memory.
    // Nor one that was read before somebody changed the keys.
    if (stored && revision === knownRevision) known.set(keyHash, stored);
    return stored;
  }

  return {
    async authenticate(key, fromLoopback) {
      if (key === null || key === '') return null;
      const keyHash = hash(key);
      if (
        fixed.some(
          (entry) => equalInConstantTime(entry.hash, keyHash) && (fromLoopback || !entry.loopbackOnly),
        )
      )
        return { keyId: 'sandbox', accountId: sandboxAccount, scopes };
      const stored = await storedKey(keyHash);
      if (!stored || stored.revokedAt !== null || !equalInConstantTime(stored.hash, keyHash)) return null;
      return { keyId: stored.keyId, accountId: stored.accountId, scopes: stored.scopes };
    },
  };
}

const keyIdAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Creates a key and stores its hash. The key itself is in the answer and nowhere else.
 *
 * @example
 * const { key, stored } = await issueKey({ store, hash, random, realClock }, {
 *   mode: 'live', accountId: 'web-shop', name: 'checkout', scopes,
 * });
 */
export async function issueKey(
  deps: { store: Store; hash: Hash; random: Random; realClock: Clock },
  wanted: { mode: KeyMode; accountId: string; name: string; scopes: readonly Scope[] },
): Promise<{ key: string; stored: StoredKey }> {
  const key = createKeyText(wanted.mode, deps.random);
  const stored: StoredKey = {
    keyId: `key_${randomText(deps.random, keyIdAlphabet, 10)}`,
    hash: deps.hash(key),
    accountId: wanted.accountId,
    name: wanted.name,
    scopes: [...wanted.scopes],
    createdAt: deps.realClock(),
    revokedAt: null,
  };
  const outcome = await deps.store.createKey(stored);
  return 'done' in outcome ? { key, stored } : issueKey(deps, wanted);
}
