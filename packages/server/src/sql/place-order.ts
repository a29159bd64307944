import { normalPhone } from '@topup-kit/core/contract';
import {
  type Conflict,
  type Done,
  done,
  type FinaliseOrder,
  type IdempotentResponse,
  type Payment,
  type PlaceOrder,
  type PlaceOrderConflict,
  type PromoClaim,
  type PromoUses,
  type ReservedOrder,
  type ReserveOrder,
  type ReserveOrderConflict,
} from '@topup-kit/core/store';
import { integer, textOrNull } from '../rows/columns.ts';
import { detailsText, responseOf } from '../rows/orders.ts';
import { isTaken } from './dialect.ts';
import { type Command, change, first, run, type Statement, sql, text } from './statement.ts';

// This file stores an order with its idempotency key and its promo use. A command returns the first conflict, which rolls back its earlier
// writes.

// A key has a row in `idempotent_responses`. When its response is no longer stored, its row is in `used_keys`: a few bytes until its order
// is deleted.

/** Stores a response under a free key; does nothing if the key is taken. */
const takeKey = (response: IdempotentResponse): Statement => sql`
  INSERT INTO idempotent_responses (account_id, key, order_id, fingerprint, body, locale, expires_at)
  VALUES (${response.accountId}, ${response.key}, ${response.orderId}, ${response.fingerprint}, ${response.body},
    ${response.locale}, ${response.expiresAt})
  ON CONFLICT (account_id, key) DO NOTHING`;

/** Runs after {@link takeKey}, because the key may become a used key while that statement waits for the transaction that moves it. */
const findUsedKey = (accountId: string, key: string): Statement => sql`
  SELECT account_id, key, order_id, fingerprint, '' AS body, NULL AS locale, 0 AS expires_at
  FROM used_keys WHERE account_id = ${accountId} AND key = ${key}`;

/** Stores the response under a reserved order's key, if it has a key. Without a response, frees the key. */
export const completeKey = (orderId: string, response: FinaliseOrder['response']): Statement =>
  response === null
    ? sql`DELETE FROM idempotent_responses WHERE order_id = ${orderId} AND body IS NULL`
    : sql`UPDATE idempotent_responses SET body = ${response.body}, locale = ${response.locale}
        WHERE order_id = ${orderId} AND body IS NULL`;

export const findIdempotentResponse = (accountId: string, key: string): Command<IdempotentResponse | null> =>
  first(
    sql`
      SELECT account_id, key, order_id, fingerprint, body, locale, expires_at
      FROM idempotent_responses WHERE account_id = ${accountId} AND key = ${key}
      UNION ALL ${findUsedKey(accountId, key)}`,
    responseOf,
  );

// Each promo use belongs to an order, and the promo's row contains the total. That row stays locked from the use to the commit, so that the
// next statement sees all earlier claims.

/** Matches a customer's uses by phone number, and by hash in erased orders. */
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

const insertClaim = (
  orderId: string,
  { code, customer, customerHash, perCustomer }: PromoClaim,
): Statement => sql`
  INSERT INTO promo_claims (order_id, code, customer) SELECT ${orderId}, ${code}, ${customer}
  WHERE CAST(${perCustomer} AS BIGINT) IS NULL
    OR (SELECT count(*) FROM promo_claims WHERE code = ${code} AND ${ofCustomer(customer, customerHash)})
      < CAST(${perCustomer} AS BIGINT)`;

/** Inserts an order. Each engine's indexes need different columns, whose values are also in the order's details. */
const insertOrder = (order: ReservedOrder, payment: Payment | null): Statement => sql`
  INSERT INTO orders (order_id, account_id, game_id, created_at, expires_at, reserved, version, payment_status,
    buy_status, payment_method_id, total_price, unique_code, payment_reference, payment_code, payment_url,
    payment_qr_string, serial_number, page_reference, details,
    ${{ sqlite: () => text('customer'), postgres: () => text('target_id, gateway') }})
  VALUES (${order.orderId}, ${order.accountId}, ${order.game.id}, ${order.createdAt}, ${order.expiresAt},
    ${payment ? 0 : 1}, ${order.version}, ${order.paymentStatus}, ${order.buyStatus}, ${order.paymentMethod.id},
    ${order.pricing.total_price}, ${order.pricing.unique_code}, ${payment?.reference ?? null},
    ${payment?.code ?? null}, ${payment?.url ?? null}, ${payment?.qrString ?? null}, ${order.serialNumber},
    ${order.pageReference}, ${detailsText(order)},
    ${{
      sqlite: () => sql`${normalPhone(order.contact.whatsapp)}`,
      postgres: () => sql`${order.target.id}, ${order.gateway}`,
    }})
  ON CONFLICT DO NOTHING`;

/** Records a new visible order as a change, which gets its position when changes are read. */
const addPlaced = (orderId: string): Statement => sql`
  INSERT INTO placed_orders (order_id) SELECT order_id FROM orders WHERE order_id = ${orderId} AND reserved = 0`;

/** Finds a unique value of an order that another order already has. */
function* findTaken(
  { orderId, pageReference }: ReservedOrder,
  reference: string | null,
): Command<Conflict<'order_id_taken' | 'reference_taken' | 'code_taken'>> {
  const { rows } = yield* run(sql`
    SELECT payment_reference, order_id, page_reference FROM orders
    WHERE order_id = ${orderId} OR page_reference = ${pageReference} OR payment_reference = ${reference}`);
  if (rows.length === 0) return { conflict: 'code_taken' };
  const isOfReference = rows.every(
    (row) =>
      row.order_id !== orderId &&
      (pageReference === null || textOrNull(row, 'page_reference') !== pageReference),
  );
  return { conflict: isOfReference ? 'reference_taken' : 'order_id_taken' };
}

/** Takes a key that was not free, if it has been freed in the meantime. */
function* findConflict(
  response: IdempotentResponse,
): Command<Extract<ReserveOrderConflict, { stored: unknown }> | null> {
  for (;;) {
    const stored = yield* findIdempotentResponse(response.accountId, response.key);
    if (stored) return { conflict: 'idempotency_conflict', stored };
    if ((yield* change(takeKey(response))) > 0) return null;
  }
}

/** Inserts an order with all its claims. */
function* insert(
  order: ReservedOrder,
  payment: Payment | null,
  { promo, response }: Pick<PlaceOrder, 'promo' | 'response'>,
): Command<Done | PlaceOrderConflict> {
  const outcomes = yield [
    ...(response ? [takeKey(response), findUsedKey(response.accountId, response.key)] : []),
    insertOrder(order, payment),
    ...(payment ? [addPlaced(order.orderId)] : []),
  ];
  const inserted = outcomes[response ? 2 : 0];
  const usedKey = response && outcomes[1]?.rows[0];
  if (usedKey) return { conflict: 'idempotency_conflict', stored: responseOf(usedKey) };
  if (response && outcomes[0]?.count === 0) {
    const conflict = yield* findConflict(response);
    if (conflict) return conflict;
  }
  if (inserted?.count === 0) return yield* findTaken(order, payment?.reference ?? null);
  if (!promo) return done;
  const [used, claimed] = yield [addUse(promo.code), insertClaim(order.orderId, promo)];
  if (used?.count === 0) return { conflict: 'promo_exhausted' };
  return claimed?.count === 0 ? { conflict: 'promo_used' } : done;
}

export const storeOrder = ({ order, ...claims }: PlaceOrder): Command<Done | PlaceOrderConflict> =>
  insert(order, order.payment, claims);

export const reserveOrder = ({ order, ...claims }: ReserveOrder): Command<Done | ReserveOrderConflict> =>
  // Safe: an order without a payment has no reference that may be taken.
  insert(order, null, claims) as Command<Done | ReserveOrderConflict>;

export function* finaliseOrder({
  orderId,
  payment: { reference, code, url, qrString },
  response,
}: FinaliseOrder): Command<Done | Conflict<'order_missing' | 'reference_taken'>> {
  try {
    const [finalised] = yield [
      sql`
        UPDATE orders SET reserved = 0, payment_reference = ${reference}, payment_code = ${code}, payment_url = ${url},
          payment_qr_string = ${qrString}
        WHERE order_id = ${orderId} AND reserved = 1`,
      addPlaced(orderId),
      completeKey(orderId, response),
    ];
    return finalised?.count === 0 ? { conflict: 'order_missing' } : done;
  } catch (error) {
    if (isTaken(error)) return { conflict: 'reference_taken' };
    throw error;
  }
}
