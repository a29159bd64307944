import {
  base62,
  equalInConstantTime,
  type KeyMode,
  type KeyScope,
  scopes,
  withChecksum,
} from '../contract/index.ts';
import { type Clock, type Hash, type Random, randomText } from '../platform/index.ts';
import type { Conflict, Store, StoredKey } from '../store/index.ts';

const secretLength = 30;

/** A new key: `tk_test_` or `tk_live_`, 30 base62 characters, 6 of checksum (open points: keys). */
export const createKeyText = (mode: KeyMode, random: Random): string =>
  withChecksum(`tk_${mode}_${randomText(random, base62, secretLength)}`);

/** The account and the scopes of a request's key. */
export interface Caller {
  keyId: string;
  accountId: string;
  scopes: readonly KeyScope[];
}

/** A key that works without being in the store, in a sandbox. */
export interface FixedKey {
  key: string;
  /** Accepted only from direct requests of the same machine. */
  directOnly: boolean;
}

/** The account of the fixed keys of a sandbox. */
export const sandboxAccount = 'sandbox';

/** A key that is in the store and no longer works, for the log: whoever sent it gets the response of an unknown key. */
interface InactiveKey {
  keyId: string;
  state: Exclude<KeyState, 'active'>;
}

type KeyState = 'active' | 'expired' | 'revoked';

/** The state of a key at a moment of real time; only an active one is accepted. */
export function keyState(
  { revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>,
  realNow: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= realNow ? 'expired' : 'active';
}

export interface Keyring {
  /** The caller that a key belongs to, or the key if it no longer works; null for no key or an unknown one. */
  authenticate(key: string | null, direct: boolean): Promise<Caller | InactiveKey | null>;
  /** Stores when keys were last used. Rejects if the store does; these uses are then forgotten. Returns how many. */
  recordUses(): Promise<number>;
}

/** How old the stored use of a key gets before a newer one is stored, in milliseconds, so that few requests cause a write. */
const useIntervalMs = 60_000;

/**
 * Looks up the keys of the store, cached until its revision changes, and the fixed keys of a sandbox. The revision is checked
 * for each request, so that a key that another process revokes is rejected within a second.
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
  /** The hashes of accepted keys, because computing one costs more than the rest of the check. Wrong keys can't fill it. */
  const hashes = new Map<string, string>();
  /** By key id: the uses that are to be stored. */
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
    // Wrong keys are not cached, because they could fill the memory. Nor is a key that was read before a new revision.
    if (stored && revision === knownRevision) known.set(keyHash, stored);
    return stored;
  }

  /** Remembers the use of a key, unless one of the last minute is stored or will be. */
  function noteUse(stored: StoredKey, now: number): void {
    if (stored.lastUsedAt !== null && now - stored.lastUsedAt < useIntervalMs) return;
    uses.set(stored.keyId, now);
    // Another request may have read a newer one meanwhile, such as a revoked one.
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

const keyIdAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** What creating a key needs. */
interface IssueDependencies {
  store: Store;
  hash: Hash;
  random: Random;
  realClock: Clock;
}

/** A new key: its text, which is nowhere else, and what is stored of it. */
export interface IssuedKey {
  key: string;
  stored: StoredKey;
}

/** What is chosen for a key. */
type WantedKey = Pick<StoredKey, 'accountId' | 'name' | 'expiresAt'> & {
  mode: KeyMode;
  scopes: readonly KeyScope[];
};

function makeKey({ hash, random }: IssueDependencies, wanted: WantedKey, createdAt: number): IssuedKey {
  const key = createKeyText(wanted.mode, random);
  const stored: StoredKey = {
    keyId: `key_${randomText(random, keyIdAlphabet, 10)}`,
    hash: hash(key),
    accountId: wanted.accountId,
    name: wanted.name,
    scopes: [...wanted.scopes],
    createdAt,
    expiresAt: wanted.expiresAt,
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
  };
  return { key, stored };
}

/**
 * Creates a key and stores its hash. The key itself is only in the return value.
 *
 * @example
 * const { key, stored } = await issueKey({ store, hash, random, realClock }, {
 *   mode: 'live', accountId: 'web-shop', name: 'checkout', scopes,
 * });
 */
export async function issueKey(
  deps: IssueDependencies,
  wanted: Omit<WantedKey, 'expiresAt'> & Partial<Pick<WantedKey, 'expiresAt'>>,
): Promise<IssuedKey> {
  const issued = makeKey(deps, { expiresAt: null, ...wanted }, deps.realClock());
  const outcome = await deps.store.createKey(issued.stored);
  return 'done' in outcome ? issued : issueKey(deps, wanted);
}

/** How long a key was made to live, in milliseconds; null for ever. */
async function lifetimeOf(key: StoredKey, store: Store): Promise<number | null> {
  // A key that was rotated expires with its overlap. Its replacement, which was revoked, has the lifetime.
  const replacement = (await store.listKeys()).find(({ keyId }) => keyId === key.replacedBy);
  const { createdAt, expiresAt } = replacement ?? key;
  return expiresAt === null ? null : expiresAt - createdAt;
}

/**
 * Replaces a key by a new one of the same account, name, scopes and lifetime. Both work for `overlapMs` milliseconds, or
 * until the old one expires.
 */
export async function rotateKey(
  deps: IssueDependencies,
  old: StoredKey,
  { mode, overlapMs }: { mode: KeyMode; overlapMs: number },
): Promise<IssuedKey | Conflict<'key_missing' | 'key_inactive'>> {
  const now = deps.realClock();
  const lifetime = await lifetimeOf(old, deps.store);
  const expiresAt = lifetime === null ? null : now + lifetime;
  const issued = makeKey(deps, { ...old, mode, expiresAt }, now);
  const outcome = await deps.store.rotateKey(old.keyId, issued.stored, now + overlapMs);
  if ('done' in outcome) return issued;
  return outcome.conflict === 'key_taken'
    ? rotateKey(deps, old, { mode, overlapMs })
    : { conflict: outcome.conflict };
}
