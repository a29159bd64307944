import { type Conflict, type Done, done, type Store, type StoredKey } from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';
import { keyOf } from '../rows/records.ts';
import type { Connection, Transaction } from './connection.ts';
import { pipelined } from './pipeline.ts';
import { growRevision } from './revision.ts';
import { withoutNul } from './text.ts';

async function insert(sql: Transaction, key: StoredKey): Promise<Done | Conflict<'key_taken'>> {
  const { count } = await sql`
    INSERT INTO keys (hash, key_id, account_id, name, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at)
    VALUES (${key.hash}, ${key.keyId}, ${key.accountId}, ${withoutNul(key.name)}, ${JSON.stringify(key.scopes)},
      ${key.createdAt}, ${key.expiresAt}, ${key.revokedAt}, ${key.replacedBy}, ${key.lastUsedAt})
    ON CONFLICT DO NOTHING`;
  if (count === 0) return { conflict: 'key_taken' };
  await growRevision(sql);
  return done;
}

async function isKnown(sql: Transaction, keyId: string): Promise<boolean> {
  const [row] = await sql`SELECT 1 FROM keys WHERE key_id = ${keyId}`;
  return row !== undefined;
}

/** Stores and reads API keys. */
export function createKeys({ read, write }: Connection) {
  return {
    createKey: (key: StoredKey): ReturnType<Store['createKey']> => write((sql) => insert(sql, key)),
    async findKey(hash: string): Promise<StoredKey | null> {
      const [row] = await read<Row[]>((sql) => sql`SELECT * FROM keys WHERE hash = ${hash}`);
      return row ? keyOf(row) : null;
    },
    listKeys: (): Promise<StoredKey[]> =>
      read(async (sql) => (await sql<Row[]>`SELECT * FROM keys ORDER BY created_at, sequence`).map(keyOf)),
    revokeKey: (keyId: string, revokedAt: number): ReturnType<Store['revokeKey']> =>
      write(async (sql): Promise<Done | Conflict<'key_missing'>> => {
        const { count } = await sql`
          UPDATE keys SET revoked_at = ${revokedAt} WHERE key_id = ${keyId} AND revoked_at IS NULL`;
        if (count === 0) return (await isKnown(sql, keyId)) ? done : { conflict: 'key_missing' };
        await growRevision(sql);
        return done;
      }),
    rotateKey: (keyId: string, next: StoredKey, until: number): ReturnType<Store['rotateKey']> =>
      write(async (sql): Promise<Awaited<ReturnType<Store['rotateKey']>>> => {
        // First, so that the next statement sees the replacement of a rotation that was in progress.
        await sql`SELECT FROM keys WHERE key_id = ${keyId} FOR UPDATE`;
        const { count } = await sql`
          UPDATE keys SET replaced_by = ${next.keyId}, expires_at = least(expires_at, ${until})
          WHERE key_id = ${keyId} AND revoked_at IS NULL AND coalesce(expires_at > ${next.createdAt}, true)
            AND NOT EXISTS (SELECT FROM keys AS other WHERE other.key_id = keys.replaced_by AND other.revoked_at IS NULL)`;
        if (count > 0) return insert(sql, next);
        return { conflict: (await isKnown(sql, keyId)) ? 'key_inactive' : 'key_missing' };
      }),
    recordKeyUses: (uses: ReadonlyMap<string, number>): Promise<Done> =>
      write(async (sql) => {
        // In one order, so that two servers don't wait for each other.
        const sorted = [...uses].toSorted(([one], [other]) => (one < other ? -1 : 1));
        await pipelined(
          sorted.map(
            ([keyId, usedAt]) => sql`
              UPDATE keys SET last_used_at = ${usedAt}
              WHERE key_id = ${keyId} AND coalesce(last_used_at < ${usedAt}, true)`,
          ),
        );
        return done;
      }),
  };
}
