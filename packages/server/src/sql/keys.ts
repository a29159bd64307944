import { type Done, done, type StoredKey } from '@topup-kit/core/store';
import { keyOf } from '../rows/records.ts';
import { added, locked } from './dialect.ts';
import { growRevision } from './state.ts';
import { all, type Command, change, exists, first, type ResultOf, run, sql } from './statement.ts';

export function* createKey(key: StoredKey): Command<ResultOf<'createKey'>> {
  const inserted = yield* change(sql`
    INSERT INTO keys (hash, key_id, account_id, name, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at)
    VALUES (${key.hash}, ${key.keyId}, ${key.accountId}, ${key.name}, ${JSON.stringify(key.scopes)},
      ${key.createdAt}, ${key.expiresAt}, ${key.revokedAt}, ${key.replacedBy}, ${key.lastUsedAt})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return { conflict: 'key_taken' };
  yield* run(growRevision);
  return done;
}

const isKnown = (keyId: string): Command<boolean> => exists(sql`SELECT 1 FROM keys WHERE key_id = ${keyId}`);

export const findKey = (hash: string): Command<StoredKey | null> =>
  first(sql`SELECT * FROM keys WHERE hash = ${hash}`, keyOf);

export const listKeys = (): Command<StoredKey[]> =>
  all(sql`SELECT * FROM keys ORDER BY created_at, ${added}`, keyOf);

export function* revokeKey(keyId: string, revokedAt: number): Command<ResultOf<'revokeKey'>> {
  const revoked = yield* change(
    sql`UPDATE keys SET revoked_at = ${revokedAt} WHERE key_id = ${keyId} AND revoked_at IS NULL`,
  );
  if (revoked === 0) return (yield* isKnown(keyId)) ? done : { conflict: 'key_missing' };
  yield* run(growRevision);
  return done;
}

export function* rotateKey(keyId: string, next: StoredKey, until: number): Command<ResultOf<'rotateKey'>> {
  // Runs first, so that the next statement sees the replacement of a rotation in progress.
  yield* run(sql`SELECT 1 FROM keys WHERE key_id = ${keyId} ${locked}`);
  const replaced = yield* change(sql`
    UPDATE keys SET replaced_by = ${next.keyId},
      expires_at = CASE WHEN expires_at < ${until} THEN expires_at ELSE ${until} END
    WHERE key_id = ${keyId} AND revoked_at IS NULL AND coalesce(expires_at > ${next.createdAt}, TRUE)
      AND NOT EXISTS (SELECT 1 FROM keys AS other WHERE other.key_id = keys.replaced_by AND other.revoked_at IS NULL)`);
  if (replaced > 0) return yield* createKey(next);
  return { conflict: (yield* isKnown(keyId)) ? 'key_inactive' : 'key_missing' };
}

export function* recordKeyUses(uses: ReadonlyMap<string, number>): Command<Done> {
  // Sorts the keys, so that two servers don't cause a deadlock.
  const sorted = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  yield sorted.map(
    ([keyId, usedAt]) => sql`
      UPDATE keys SET last_used_at = ${usedAt} WHERE key_id = ${keyId} AND coalesce(last_used_at < ${usedAt}, TRUE)`,
  );
  return done;
}
