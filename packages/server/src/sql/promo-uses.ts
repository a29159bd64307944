import type { PromoClaim, PromoUses } from '@topup-kit/core/store';
import { integer, type Row, text } from '../rows/columns.ts';
import { type Command, change, first, run } from './command.ts';
import { type Statement, sql } from './statement.ts';

// Each use of a promo belongs to an order, and the promo's row has the total. The row stays locked from the use to the commit, so that
// the next statement sees every claim before it.

/** A customer's uses, by number and, of erased orders, by hash. */
const ofCustomer = (customer: string, customerHash = customer): Statement =>
  sql`customer IN (${customer}, ${customerHash}) AND released = 0`;

export function* countPromoUses(code: string, customer: string, customerHash?: string): Command<PromoUses> {
  const [row = {}] = (yield* run(sql`
    SELECT coalesce((SELECT used FROM promos WHERE code = ${code}), 0) AS total,
      (SELECT count(*) FROM promo_claims WHERE code = ${code} AND ${ofCustomer(customer, customerHash)}) AS by_customer`))
    .rows;
  return { total: integer(row, 'total'), byCustomer: integer(row, 'by_customer') };
}

export const addUse = (code: string): Statement => sql`
  INSERT INTO promos (code, used) VALUES (${code}, 1)
  ON CONFLICT (code) DO UPDATE SET used = promos.used + 1 WHERE promos.quota IS NULL OR promos.used < promos.quota`;

export const insertClaim = (
  orderId: string,
  { code, customer, customerHash, perCustomer }: PromoClaim,
): Statement => sql`
  INSERT INTO promo_claims (order_id, code, customer) SELECT ${orderId}, ${code}, ${customer}
  WHERE CAST(${perCustomer} AS BIGINT) IS NULL
    OR (SELECT count(*) FROM promo_claims WHERE code = ${code} AND ${ofCustomer(customer, customerHash)})
      < CAST(${perCustomer} AS BIGINT)`;

/** Releases the use of an order, if it has one. */
export function* releaseUse(orderId: string): Command<void> {
  const code = yield* first(
    sql`UPDATE promo_claims SET released = 1 WHERE order_id = ${orderId} AND released = 0 RETURNING code`,
    (row) => text(row, 'code'),
  );
  if (code !== null) yield* run(sql`UPDATE promos SET used = used - 1 WHERE code = ${code}`);
}

export const findReleased = (orderId: string): Statement =>
  sql`SELECT code FROM promo_claims WHERE order_id = ${orderId} AND released = 1`;

/** Claims a use that {@link findReleased} has found again, if the quota allows it. */
export function* reclaimUse(orderId: string, claim: Row): Command<void> {
  if ((yield* change(addUse(text(claim, 'code')))) > 0)
    yield* run(sql`UPDATE promo_claims SET released = 0 WHERE order_id = ${orderId}`);
}
