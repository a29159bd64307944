import type { Scope } from '../../contract/index.ts';

/** An API key as it is stored: never the key itself. Moments are unix milliseconds of real time. */
export interface StoredKey {
  /** Public name of the key, for lists and logs. */
  keyId: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** Whose orders the key reads and places; several keys may share an account. */
  accountId: string;
  /** What its owner calls it. */
  name: string;
  scopes: Scope[];
  createdAt: number;
  revokedAt: number | null;
}
