import type { IdempotentResponse, RenderedResponse } from '@topup-kit/core/store';
import { responseOf } from '../rows/records.ts';
import { type Command, change, exists, first } from './command.ts';
import { type Statement, sql } from './statement.ts';

/** Stores a response under a key that is free at `now` (unix milliseconds of world time); otherwise it changes nothing. */
export const takeKey = (
  { accountId, key, orderId, fingerprint, body, locale, expiresAt }: IdempotentResponse,
  now: number,
): Statement => sql`
  INSERT INTO idempotent_responses (account_id, key, order_id, fingerprint, body, locale, expires_at)
  VALUES (${accountId}, ${key}, ${orderId}, ${fingerprint}, ${body}, ${locale}, ${expiresAt})
  ON CONFLICT (account_id, key) DO UPDATE
    SET order_id = excluded.order_id, fingerprint = excluded.fingerprint, body = excluded.body,
      locale = excluded.locale, expires_at = excluded.expires_at
    WHERE idempotent_responses.expires_at <= ${now}`;

/** Stores the response under the key of a reserved order, if the order still has a key; frees the key without one. */
export const completeKey = (orderId: string, response: RenderedResponse | null): Statement =>
  response === null
    ? sql`DELETE FROM idempotent_responses WHERE order_id = ${orderId} AND body IS NULL`
    : sql`UPDATE idempotent_responses SET body = ${response.body}, locale = ${response.locale}
        WHERE order_id = ${orderId} AND body IS NULL`;

export const findIdempotentResponse = (
  accountId: string,
  key: string,
  now: number,
): Command<IdempotentResponse | null> =>
  first(
    sql`SELECT * FROM idempotent_responses WHERE account_id = ${accountId} AND key = ${key} AND expires_at > ${now}`,
    responseOf,
  );

export const hasExpiredResponses = (now: number): Command<boolean> =>
  exists(sql`SELECT 1 FROM idempotent_responses WHERE expires_at <= ${now} LIMIT 1`);

/** Deletes at most `limit` responses that are expired at `now`. Resolves with how many were. */
export const purgeResponses = (now: number, limit: number): Command<number> =>
  change(sql`
    DELETE FROM idempotent_responses WHERE (account_id, key) IN (
      SELECT account_id, key FROM idempotent_responses WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit})
    AND expires_at <= ${now}`);
