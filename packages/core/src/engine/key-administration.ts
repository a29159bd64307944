import { base62, type KeyMode, type KeyScope, withChecksum } from '../contract/index.ts';
import { type Clock, type Hash, type RandomBytes, randomText } from '../platform/index.ts';
import type { Conflict, Store, StoredKey } from '../store/index.ts';

const secretLength = 30;

/** Creates a key: `tk_test_` or `tk_live_`, 30 base62 characters, and a checksum of 6 characters (open points: keys). */
export const createKeyText = (mode: KeyMode, random: RandomBytes): string =>
  withChecksum(`tk_${mode}_${randomText(random, base62, secretLength)}`);

const keyIdAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

interface IssueDependencies {
  store: Store;
  hash: Hash;
  random: RandomBytes;
  realClock: Clock;
}

/** A new key: its text, which is not stored, and its stored data. */
export interface IssuedKey {
  key: string;
  stored: StoredKey;
}

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
 * Creates a key, and stores its hash. Only the result contains the key itself.
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

/** Returns the lifetime of a key in milliseconds; null if it never expires. */
async function lifetimeOf(key: StoredKey, store: Store): Promise<number | null> {
  // A rotated key expires after its overlap. Its revoked replacement has the original lifetime.
  const replacement = (await store.listKeys()).find(({ keyId }) => keyId === key.replacedBy);
  const { createdAt, expiresAt } = replacement ?? key;
  return expiresAt === null ? null : expiresAt - createdAt;
}

/** Replaces a key; the new key has the same account, name, scopes and lifetime. Both work for `overlapMs`, or until the old key expires. */
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
