import type { StoredKey } from '@topup-kit/core/store';
import { isoTime } from '../iso-time.ts';

/** A key for programs; its hash stays in the store. */
export const keyDocument = ({ keyId, name, accountId, scopes, createdAt, revokedAt }: StoredKey) => ({
  key_id: keyId,
  name,
  account_id: accountId,
  scopes,
  created_at: isoTime(createdAt),
  revoked_at: revokedAt === null ? null : isoTime(revokedAt),
});
