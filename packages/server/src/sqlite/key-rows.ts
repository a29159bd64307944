import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Done, Store, StoredKey } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import { keyOf } from '../rows/records.ts';
import type { RevisionRows } from './state-rows.ts';

export interface KeyRows {
  create(key: StoredKey): Done | Conflict<'key_taken'>;
  find(hash: string): StoredKey | null;
  list(): StoredKey[];
  revoke(keyId: string, revokedAt: number): Done | Conflict<'key_missing'>;
  rotate(keyId: string, next: StoredKey, until: number): Awaited<ReturnType<Store['rotateKey']>>;
  recordUses(uses: ReadonlyMap<string, number>): Done;
}

export function prepareKeyRows(db: DatabaseSync, revision: RevisionRows): KeyRows {
  const insert = db.prepare(`
    INSERT INTO keys (hash, key_id, account_id, name, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const select = db.prepare('SELECT * FROM keys WHERE hash = ?');
  const selectAll = db.prepare('SELECT * FROM keys ORDER BY created_at, rowid');
  const selectById = db.prepare('SELECT 1 FROM keys WHERE key_id = ?');
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL');

  const replace = db.prepare(`
    UPDATE keys SET replaced_by = ?1, expires_at = min(coalesce(expires_at, ?2), ?2)
    WHERE key_id = ?3 AND revoked_at IS NULL AND coalesce(expires_at > ?4, TRUE)
      AND NOT EXISTS (SELECT 1 FROM keys AS other WHERE other.key_id = keys.replaced_by AND other.revoked_at IS NULL)`);
  const recordUse = db.prepare(
    'UPDATE keys SET last_used_at = ?1 WHERE key_id = ?2 AND coalesce(last_used_at < ?1, TRUE)',
  );

  function create(key: StoredKey): Done | Conflict<'key_taken'> {
    const { changes } = insert.run(
      key.hash,
      key.keyId,
      key.accountId,
      key.name,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
      key.replacedBy,
      key.lastUsedAt,
    );
    if (changes === 0) return { conflict: 'key_taken' };
    revision.increment();
    return done;
  }

  return {
    create,
    find(hash) {
      const row = select.get(hash);
      return row ? keyOf(row) : null;
    },
    list: () => selectAll.all().map(keyOf),
    revoke(keyId, revokedAt) {
      if (revoke.run(revokedAt, keyId).changes > 0) revision.increment();
      else if (!selectById.get(keyId)) return { conflict: 'key_missing' };
      return done;
    },
    rotate(keyId, next, until) {
      if (replace.run(next.keyId, until, keyId, next.createdAt).changes > 0) return create(next);
      return { conflict: selectById.get(keyId) ? 'key_inactive' : 'key_missing' };
    },
    recordUses(uses) {
      for (const [keyId, usedAt] of uses) recordUse.run(usedAt, keyId);
      return done;
    },
  };
}
