import type { IdempotentResponse } from '@topup-kit/core/store';
import { responseOf } from '../rows/orders.ts';
import { all, type Command, exists, type Statement, sql } from './statement.ts';

/** Matches responses that are no longer replayed at `now`. A reserved order keeps its key without a response. */
const isDue = (now: number): Statement => sql`expires_at <= ${now} AND body IS NOT NULL`;

export const hasDueResponses = (now: number): Command<boolean> =>
  exists(sql`SELECT 1 FROM idempotent_responses WHERE ${isDue(now)} LIMIT 1`);

// A server of the previous format may have reused a used key, which belongs to its first order.
const keepUsed = ({ accountId, key, orderId, fingerprint }: IdempotentResponse): Statement => sql`
  INSERT INTO used_keys (account_id, key, order_id, fingerprint)
  VALUES (${accountId}, ${key}, ${orderId}, ${fingerprint}) ON CONFLICT (account_id, key) DO NOTHING`;

/** Deletes at most `limit` responses that are due at `now`, and keeps their keys. Resolves with the number of deleted responses. */
export function* dropResponses(now: number, limit: number): Command<number> {
  const dropped = yield* all(
    sql`
      DELETE FROM idempotent_responses WHERE (account_id, key) IN (
        SELECT account_id, key FROM idempotent_responses WHERE ${isDue(now)} ORDER BY expires_at LIMIT ${limit})
      AND ${isDue(now)} RETURNING *`,
    responseOf,
  );
  if (dropped.length > 0) yield dropped.map(keepUsed);
  return dropped.length;
}
