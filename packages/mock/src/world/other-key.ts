import { scopes } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import type { StoredKey } from '@topup-kit/core/store';
import { chanceOf, sha256Hex } from '../hash.ts';

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
