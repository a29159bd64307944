import type { DatabaseSync } from 'node:sqlite';
import type { IdempotentAnswer, PlaceOrderConflict } from '@topup-kit/core/store';
import type { Row } from './columns.ts';
import { integer, text } from './columns.ts';

export interface AnswerRows {
  /** Takes an idempotency key that is free at `now` (unix milliseconds of world time), or says what refused it. */
  take(answer: IdempotentAnswer, now: number): PlaceOrderConflict | null;
  find(accountId: string, key: string, now: number): IdempotentAnswer | null;
}

const answerOf = (row: Row): IdempotentAnswer => ({
  accountId: text(row, 'account_id'),
  key: text(row, 'key'),
  fingerprint: text(row, 'fingerprint'),
  body: text(row, 'body'),
  expiresAt: integer(row, 'expires_at'),
});

export function prepareAnswerRows(db: DatabaseSync): AnswerRows {
  const insert = db.prepare(`
    INSERT INTO answers (account_id, key, fingerprint, body, expires_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, body = excluded.body, expires_at = excluded.expires_at
      WHERE answers.expires_at <= ?`);
  const select = db.prepare('SELECT * FROM answers WHERE account_id = ? AND key = ? AND expires_at > ?');

  function find(accountId: string, key: string, now: number): IdempotentAnswer | null {
    const row = select.get(accountId, key, now);
    return row ? answerOf(row) : null;
  }

  return {
    find,
    take({ accountId, key, fingerprint, body, expiresAt }, now) {
      if (insert.run(accountId, key, fingerprint, body, expiresAt, now).changes > 0) return null;
      const stored = find(accountId, key, now);
      return stored && { conflict: 'idempotency_conflict', stored };
    },
  };
}
