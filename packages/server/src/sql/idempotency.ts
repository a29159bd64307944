import type { IdempotentResponse, RenderedResponse } from '@topup-kit/core/store';
import { responseOf } from '../rows/records.ts';
import { all, type Command, exists, first } from './command.ts';
import { type Statement, sql } from './statement.ts';

// A key has a row in `idempotent_responses`, and in `used_keys` once its response is no longer stored: a few bytes, for as long as
// its order exists.

type Key = Pick<IdempotentResponse, 'accountId' | 'key'>;

/** Stores a response under a key that has no other; otherwise it changes nothing. */
export const takeKey = ({
  accountId,
  key,
  orderId,
  fingerprint,
  body,
  locale,
  expiresAt,
}: IdempotentResponse): Statement => sql`
  INSERT INTO idempotent_responses (account_id, key, order_id, fingerprint, body, locale, expires_at)
  VALUES (${accountId}, ${key}, ${orderId}, ${fingerprint}, ${body}, ${locale}, ${expiresAt})
  ON CONFLICT (account_id, key) DO NOTHING`;

/** After {@link takeKey}, because the key may become a used one while that waits for the transaction which moves it. */
export const findUsedKey = ({ accountId, key }: Key): Statement => sql`
  SELECT account_id, key, order_id, fingerprint, '' AS body, NULL AS locale, 0 AS expires_at
  FROM used_keys WHERE account_id = ${accountId} AND key = ${key}`;

/** Stores the response under the key of a reserved order, if the order has a key; frees the key without one. */
export const completeKey = (orderId: string, response: RenderedResponse | null): Statement =>
  response === null
    ? sql`DELETE FROM idempotent_responses WHERE order_id = ${orderId} AND body IS NULL`
    : sql`UPDATE idempotent_responses SET body = ${response.body}, locale = ${response.locale}
        WHERE order_id = ${orderId} AND body IS NULL`;

export const findIdempotentResponse = (accountId: string, key: string): Command<IdempotentResponse | null> =>
  first(
    sql`
      SELECT account_id, key, order_id, fingerprint, body, locale, expires_at
      FROM idempotent_responses WHERE account_id = ${accountId} AND key = ${key}
      UNION ALL ${findUsedKey({ accountId, key })}`,
    responseOf,
  );

/** Responses that are no longer replayed at `now`. A reserved order keeps its key without one. */
const isDue = (now: number): Statement => sql`expires_at <= ${now} AND body IS NOT NULL`;

export const hasDueResponses = (now: number): Command<boolean> =>
  exists(sql`SELECT 1 FROM idempotent_responses WHERE ${isDue(now)} LIMIT 1`);

// A server of the format before may have taken a key that was used: it belongs to its first order.
const keepUsed = ({ accountId, key, orderId, fingerprint }: IdempotentResponse): Statement => sql`
  INSERT INTO used_keys (account_id, key, order_id, fingerprint)
  VALUES (${accountId}, ${key}, ${orderId}, ${fingerprint}) ON CONFLICT (account_id, key) DO NOTHING`;

/** Deletes at most `limit` responses that are due at `now`, and keeps their keys. Resolves with how many were. */
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
