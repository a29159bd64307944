import {
  type ChangeOrder,
  type Conflict,
  type Done,
  done,
  type FinaliseOrder,
  type IdempotentResponse,
  type Payment,
  type PlaceOrder,
  type PlaceOrderConflict,
  type PromoClaim,
  type ReservedOrder,
  type ReserveOrder,
  type ReserveOrderConflict,
  type StoredUnit,
} from '@topup-kit/core/store';
import { detailsText, responseOf } from '../rows/records.ts';
import type { Connection, Transaction } from './connection.ts';
import { pipelined } from './pipeline.ts';
import { violatedConstraint } from './postgres-error.ts';
import { addUse, findReleased, insertClaim, reclaimUse, releaseUse } from './promos.ts';
import { insertRefund } from './refunds.ts';
import { withoutNul } from './text.ts';

type Query = Parameters<typeof pipelined>[0][number];

const takeKey = (
  sql: Transaction,
  { accountId, key, orderId, fingerprint, body, expiresAt }: IdempotentResponse,
  now: number,
): Query => sql`
  INSERT INTO idempotent_responses (account_id, key, order_id, fingerprint, body, expires_at)
  VALUES (${accountId}, ${key}, ${orderId}, ${fingerprint}, ${body}, ${expiresAt})
  ON CONFLICT (account_id, key) DO UPDATE
    SET order_id = excluded.order_id, fingerprint = excluded.fingerprint, body = excluded.body,
      expires_at = excluded.expires_at
    WHERE idempotent_responses.expires_at <= ${now}`;

const insertOrder = (sql: Transaction, order: ReservedOrder, payment: Payment | null): Query => sql`
  INSERT INTO orders (order_id, account_id, game_id, created_at, expires_at, reserved, version, payment_status,
    buy_status, payment_method_id, total_price, unique_code, payment_reference, payment_code, payment_url,
    payment_qr_string, serial_number, page_reference, target_id, gateway, details)
  VALUES (${order.orderId}, ${order.accountId}, ${order.game.id}, ${order.createdAt}, ${order.expiresAt},
    ${payment ? 0 : 1}, ${order.version}, ${order.paymentStatus}, ${order.buyStatus}, ${order.paymentMethod.id},
    ${order.pricing.total_price}, ${order.pricing.unique_code}, ${payment?.reference ?? null},
    ${payment?.code ?? null}, ${payment?.url ?? null}, ${payment?.qrString ?? null}, ${order.serialNumber}, ${order.pageReference},
    ${withoutNul(order.target.id)}, ${order.gateway}, ${detailsText(order)})`;

/** What is taken, by the constraint that says so. */
const orderConflicts = new Map(
  Object.entries({
    order_id_taken: 'order_id_taken',
    page_reference_taken: 'order_id_taken',
    reference_taken: 'reference_taken',
    code_taken: 'code_taken',
  } as const),
);

/** Inserts an order with all that it claims. The statements are in the order in which their conflicts are reported. */
async function insert(
  { read, write }: Connection,
  order: ReservedOrder,
  payment: Payment | null,
  { promo, response }: { promo: PromoClaim | null; response: IdempotentResponse | null },
): Promise<Done | PlaceOrderConflict> {
  for (;;) {
    const outcome = await write(async (sql): Promise<Done | PlaceOrderConflict | Conflict<'key_taken'>> => {
      const queries = [
        ...(response ? [takeKey(sql, response, order.createdAt)] : []),
        insertOrder(sql, order, payment),
        ...(promo ? [addUse(sql, promo.code), insertClaim(sql, order.orderId, promo)] : []),
      ];
      const settled = await Promise.allSettled(queries);
      const isWithout = (query: number): boolean => {
        const one = settled[query];
        if (one?.status === 'rejected') throw one.reason;
        return one?.value.count === 0;
      };
      const first = response ? 1 : 0;
      if (response && isWithout(0)) return { conflict: 'key_taken' };
      try {
        isWithout(first);
      } catch (error) {
        const conflict = orderConflicts.get(violatedConstraint(error) ?? '');
        if (conflict) return { conflict };
        throw error;
      }
      if (promo && isWithout(first + 1)) return { conflict: 'promo_exhausted' };
      if (promo && isWithout(first + 2)) return { conflict: 'promo_used' };
      return done;
    });
    if ('done' in outcome || outcome.conflict !== 'key_taken') return outcome;
    const stored =
      response && (await findResponse({ read }, response.accountId, response.key, order.createdAt));
    if (stored) return { conflict: 'idempotency_conflict', stored };
    // The key was freed in between.
  }
}

export const placeOrder = (
  connection: Connection,
  { order, ...claims }: PlaceOrder,
): Promise<Done | PlaceOrderConflict> => insert(connection, order, order.payment, claims);

export async function reserveOrder(
  connection: Connection,
  { order, ...claims }: ReserveOrder,
): Promise<Done | ReserveOrderConflict> {
  const outcome = await insert(connection, order, null, claims);
  if ('conflict' in outcome && outcome.conflict === 'reference_taken')
    throw new Error('a reserved order has no reference');
  // Safe: the only other conflict of an order with a payment was rejected above.
  return outcome as Done | ReserveOrderConflict;
}

export async function findResponse(
  { read }: Pick<Connection, 'read'>,
  accountId: string,
  key: string,
  now: number,
): Promise<IdempotentResponse | null> {
  const [row] = await read(
    (sql) => sql`
      SELECT * FROM idempotent_responses WHERE account_id = ${accountId} AND key = ${key} AND expires_at > ${now}`,
  );
  return row ? responseOf(row) : null;
}

export function finaliseOrder(
  { write }: Connection,
  { orderId, payment: { reference, code, url, qrString }, body }: FinaliseOrder,
): Promise<Done | Conflict<'order_missing' | 'reference_taken'>> {
  return write(async (sql) => {
    try {
      const [order] = await pipelined([
        sql`
          UPDATE orders SET reserved = 0, payment_reference = ${reference}, payment_code = ${code}, payment_url = ${url},
            payment_qr_string = ${qrString}
          WHERE order_id = ${orderId} AND reserved = 1`,
        body === null
          ? sql`DELETE FROM idempotent_responses WHERE order_id = ${orderId} AND body IS NULL`
          : sql`UPDATE idempotent_responses SET body = ${body} WHERE order_id = ${orderId} AND body IS NULL`,
      ]);
      return order?.count === 0 ? { conflict: 'order_missing' } : done;
    } catch (error) {
      if (violatedConstraint(error) === 'reference_taken') return { conflict: 'reference_taken' };
      throw error;
    }
  });
}

export function abandonOrder(
  { write }: Connection,
  orderId: string,
): Promise<Done | Conflict<'order_missing'>> {
  return write(async (sql) => {
    await releaseUse(sql, orderId);
    const results = await pipelined([
      // Before the order, because a claim refers to it. If the order isn't reserved, the roll-back restores the claim.
      sql`DELETE FROM promo_claims WHERE order_id = ${orderId}`,
      sql`DELETE FROM orders WHERE order_id = ${orderId} AND reserved = 1`,
      sql`DELETE FROM idempotent_responses WHERE order_id = ${orderId} AND body IS NULL`,
    ]).catch((error: unknown) => {
      // The units or the history of a placed order refer to it.
      if (isReferred(error)) return null;
      throw error;
    });
    return results?.[1]?.count === 1 ? done : { conflict: 'order_missing' };
  });
}

const isReferred = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503';

const putUnit = (sql: Transaction, orderId: string, unit: StoredUnit): Query => sql`
  INSERT INTO units (order_id, unit, attempt, state, asked_at, next_at, supplier, find_by, supplier_id, serial_number,
    reason, contradiction, waits_for)
  VALUES (${orderId}, ${unit.unit}, ${unit.attempt}, ${unit.state}, ${unit.askedAt}, ${unit.nextAt}, ${unit.supplier},
    ${unit.findBy}, ${withoutNul(unit.supplierId)}, ${withoutNul(unit.serialNumber)}, ${withoutNul(unit.reason)},
    ${withoutNul(unit.contradiction)}, ${unit.waitsFor})
  ON CONFLICT (order_id, unit) DO UPDATE
    SET attempt = excluded.attempt, state = excluded.state, asked_at = excluded.asked_at, next_at = excluded.next_at,
      supplier = excluded.supplier, find_by = excluded.find_by, supplier_id = excluded.supplier_id,
      serial_number = excluded.serial_number, reason = excluded.reason, contradiction = excluded.contradiction, waits_for = excluded.waits_for`;

export function changeOrder(
  { write }: Connection,
  { orderId, version, to, entry, promo, units, serialNumber, settles, refunds }: ChangeOrder,
): Promise<Done | Conflict<'order_missing' | 'order_changed'>> {
  return write(async (sql): Promise<Done | Conflict<'order_missing' | 'order_changed'>> => {
    // Alone, because it waits for other changes of the order, and decides about what follows.
    const changed = await sql`
      UPDATE orders SET payment_status = ${to.paymentStatus}, buy_status = ${to.buyStatus},
        serial_number = ${withoutNul(serialNumber)}, version = version + 1
      WHERE order_id = ${orderId} AND version = ${version} AND reserved = 0`;
    if (changed.count === 0) {
      const [placed] = await sql`SELECT 1 FROM orders WHERE order_id = ${orderId} AND reserved = 0`;
      return { conflict: placed ? 'order_changed' : 'order_missing' };
    }
    const results = await pipelined([
      ...settles.map(
        (settled) => sql`
          UPDATE reconciliations SET state = 'settled', order_id = ${orderId}, closed_at = ${entry?.at ?? null},
            closed_by = ${withoutNul(entry?.operator ?? null)}
          WHERE reconciliation_id = ${settled} AND coalesce(order_id, ${orderId}) = ${orderId} AND state = 'open'`,
      ),
      ...(entry
        ? [
            sql`
              INSERT INTO history (order_id, version, entry) VALUES (${orderId}, ${version + 1}, ${JSON.stringify(entry)})`,
          ]
        : []),
      ...units.map((unit) => putUnit(sql, orderId, unit)),
      ...refunds.map((refund) => insertRefund(sql, refund)),
      ...(promo === 'reclaim' ? [findReleased(sql, orderId)] : []),
    ]);
    if (settles.some((_, index) => results[index]?.count === 0)) return { conflict: 'order_changed' };
    if (promo === 'release') await releaseUse(sql, orderId);
    const claim = promo === 'reclaim' && results.at(-1)?.[0];
    if (claim) await reclaimUse(sql, orderId, claim);
    return done;
  });
}

/** Deletes all orders and what belongs to them, and sets world time to real time. */
export function clearOrders({ write }: Connection): Promise<Done> {
  return write(async (sql) => {
    await sql`TRUNCATE orders, units, history, promo_claims, idempotent_responses, reconciliations, refunds, callbacks,
      order_counts`;
    await pipelined([sql`UPDATE promos SET used = 0`, sql`UPDATE world SET ahead = 0`]);
    return done;
  });
}
