import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Done, StoredKey } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import type { Row } from './columns.ts';
import { integer, integerOrNull, json, text } from './columns.ts';
import type { RevisionRows } from './state-rows.ts';

export interface KeyRows {
  create(key: StoredKey): Done | Conflict<'key_taken'>;
  find(hash: string): StoredKey | null;
  list(): StoredKey[];
  revoke(keyId: string, revokedAt: number): Done | Conflict<'key_missing'>;
}

const keyOf = (row: Row): StoredKey => ({
  keyId: text(row, 'key_id'),
  hash: text(row, 'hash'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  scopes: json<StoredKey['scopes']>(row, 'scopes'),
  createdAt: integer(row, 'created_at'),
  revokedAt: integerOrNull(row, 'revoked_at'),
});

export function prepareKeyRows(db: DatabaseSync, revision: RevisionRows): KeyRows {
  const insert = db.prepare(`
    INSERT INTO keys (hash, key_id, account_id, name, scopes, created_at, revoked_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const select = db.prepare('SELECT * FROM keys WHERE hash = ?');
  const selectAll = db.prepare('SELECT * FROM keys ORDER BY created_at, rowid');
  const selectById = db.prepare('SELECT 1 FROM keys WHERE key_id = ?');
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL');

  return {
    create({ hash, keyId, accountId, name, scopes, createdAt, revokedAt }) {
      const { changes } = insert.run(
        hash,
        keyId,
        accountId,
        name,
        JSON.stringify(scopes),
        createdAt,
        revokedAt,
      );
      if (changes === 0) return { conflict: 'key_taken' };
      revision.increment();
      return done;
    },
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
  };
}
