import type { DatabaseSync } from 'node:sqlite';
import type { IdempotentResponse, ReserveOrderConflict } from '@topup-kit/core/store';
import { responseOf } from '../rows/records.ts';

export interface IdempotencyRows {
  /** Stores a response under an idempotency key that is free at `now` (unix milliseconds of world time), or returns the conflict. */
  take(response: IdempotentResponse, now: number): ReserveOrderConflict | null;
  find(accountId: string, key: string, now: number): IdempotentResponse | null;
  /** Stores the response body under the key of a reserved order, if the order still has a key. */
  complete(orderId: string, body: string): void;
  /** Frees the key of a reserved order, if the order still has a key. */
  free(orderId: string): void;
  /** Whether any response is expired at `now`. */
  hasExpired(now: number): boolean;
  /** Deletes at most `limit` responses that are expired at `now`. Returns the number deleted. */
  purge(now: number, limit: number): number;
  clear(): void;
}

export function prepareIdempotencyRows(db: DatabaseSync): IdempotencyRows {
  const insert = db.prepare(`
    INSERT INTO idempotent_responses (account_id, key, order_id, fingerprint, body, expires_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, key) DO UPDATE
      SET order_id = excluded.order_id, fingerprint = excluded.fingerprint, body = excluded.body,
        expires_at = excluded.expires_at
      WHERE idempotent_responses.expires_at <= ?`);
  const select = db.prepare(
    'SELECT * FROM idempotent_responses WHERE account_id = ? AND key = ? AND expires_at > ?',
  );
  const complete = db.prepare('UPDATE idempotent_responses SET body = ? WHERE order_id = ? AND body IS NULL');
  const free = db.prepare('DELETE FROM idempotent_responses WHERE order_id = ? AND body IS NULL');
  const selectExpired = db.prepare('SELECT 1 FROM idempotent_responses WHERE expires_at <= ? LIMIT 1');
  const purge = db.prepare(`
    DELETE FROM idempotent_responses WHERE rowid IN
      (SELECT rowid FROM idempotent_responses WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`);
  const clear = db.prepare('DELETE FROM idempotent_responses');

  function find(accountId: string, key: string, now: number): IdempotentResponse | null {
    const row = select.get(accountId, key, now);
    return row ? responseOf(row) : null;
  }

  return {
    find,
    take({ accountId, key, orderId, fingerprint, body, expiresAt }, now) {
      if (insert.run(accountId, key, orderId, fingerprint, body, expiresAt, now).changes > 0) return null;
      const stored = find(accountId, key, now);
      return stored && { conflict: 'idempotency_conflict', stored };
    },
    complete: (orderId, body) => void complete.run(body, orderId),
    free: (orderId) => void free.run(orderId),
    hasExpired: (now) => selectExpired.get(now) !== undefined,
    purge: (now, limit) => Number(purge.run(now, limit).changes),
    clear: () => void clear.run(),
  };
}
