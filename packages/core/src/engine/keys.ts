import { type Scope, scopes } from '../contract/index.ts';
import { type Clock, type Hash, type Random, randomText } from '../platform/index.ts';
import type { Store, StoredKey } from '../store/index.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 30;
const checksumLength = 6;

export type KeyMode = 'test' | 'live';

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}

/** The checksum shows that a key is mistyped without a look-up in the store. */
const withChecksum = (body: string): string => body + toBase62(crc32(body), checksumLength);

/** A new key: `tk_test_` or `tk_live_`, 30 base62 characters, 6 of checksum (open points: keys). */
export const createKeyText = (mode: KeyMode, random: Random): string =>
  withChecksum(`tk_${mode}_${randomText(random, base62, secretLength)}`);

/** Whether a text has the shape of a key of this kit, checksum included. */
export function isKeyText(text: string): boolean {
  const body = text.slice(0, -checksumLength);
  return /^tk_(test|live)_[0-9A-Za-z]{36}$/.test(text) && withChecksum(body) === text;
}

/** The well-known key of every sandbox. It is accepted only from direct requests of the same machine, so it is no secret. */
export const sandboxKey: string = withChecksum('tk_test_sandboxsandboxsandboxsandbox00');

/** Compares two texts in a time that doesn't depend on where they differ. */
function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** The account and the scopes of a request's key. */
export interface Caller {
  keyId: string;
  accountId: string;
  scopes: readonly Scope[];
}

/** A key that works without being in the store, in a sandbox. */
export interface FixedKey {
  key: string;
  /** Accepted only from direct requests of the same machine. */
  directOnly: boolean;
}

/** The account of the fixed keys of a sandbox. */
export const sandboxAccount = 'sandbox';

export interface Keyring {
  /** The caller that a key belongs to; null for no key, a wrong one or a revoked one. */
  authenticate(key: string | null, direct: boolean): Promise<Caller | null>;
}

/** Looks up the keys of the store, cached until its revision changes, and the fixed keys of a sandbox. */
export function createKeyring(deps: { store: Store; hash: Hash; fixedKeys: readonly FixedKey[] }): Keyring {
  const { store, hash } = deps;
  const fixed = deps.fixedKeys.map(({ key, directOnly }) => ({ hash: hash(key), directOnly }));
  const known = new Map<string, StoredKey>();
  let knownRevision: number | undefined;

  async function storedKey(keyHash: string): Promise<StoredKey | null> {
    const revision = await store.revision();
    if (revision !== knownRevision) known.clear();
    knownRevision = revision;
    const stored = known.get(keyHash) ?? (await store.findKey(keyHash));
    // Wrong keys are not cached, because they could fill the memory. Nor is a key that was read before a new revision.
    if (stored && revision === knownRevision) known.set(keyHash, stored);
    return stored;
  }

  return {
    async authenticate(key, direct) {
      if (key === null || key === '') return null;
      const keyHash = hash(key);
      if (fixed.some((entry) => equalInConstantTime(entry.hash, keyHash) && (direct || !entry.directOnly)))
        return { keyId: 'sandbox', accountId: sandboxAccount, scopes };
      const stored = await storedKey(keyHash);
      if (!stored || stored.revokedAt !== null || !equalInConstantTime(stored.hash, keyHash)) return null;
      return { keyId: stored.keyId, accountId: stored.accountId, scopes: stored.scopes };
    },
  };
}

const keyIdAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Creates a key and stores its hash. The key itself is only in the return value.
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
