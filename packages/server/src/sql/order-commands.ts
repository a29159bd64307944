import { normalPhone } from '@topup-kit/core/contract';
import {
  type ChangeOrder,
  type Conflict,
  type Done,
  done,
  type EarlierAttempt,
  type FinaliseOrder,
  type IdempotentResponse,
  type Payment,
  type PlaceOrder,
  type PlaceOrderConflict,
  type ReservedOrder,
  type ReserveOrder,
  type ReserveOrderConflict,
  type StoredUnit,
} from '@topup-kit/core/store';
import { textOrNull } from '../rows/columns.ts';
import { detailsText, responseOf } from '../rows/records.ts';
import { type Command, change, exists, run } from './command.ts';
import { isReferredTo, isTaken } from './dialect.ts';
import { completeKey, findIdempotentResponse, findUsedKey, takeKey } from './idempotency.ts';
import { addUse, findReleased, insertClaim, reclaimUse, releaseUse } from './promo-uses.ts';
import { settle } from './reconciliations.ts';
import { insertRefund } from './refunds.ts';
import { type Statement, sql, text } from './statement.ts';

// A command returns the first conflict, which rolls back what it wrote before.

/** Each engine has what an index of it needs, which is among the details of the order, too. */
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

/** An order that is visible now is a change, which gets its place when changes are read. */
const addPlaced = (orderId: string): Statement => sql`
  INSERT INTO placed_orders (order_id) SELECT order_id FROM orders WHERE order_id = ${orderId} AND reserved = 0`;

/** Finds out which unique value of an order another one has. */
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

/** Takes a key that was not free, if it was freed since. */
function* findConflict(
  response: IdempotentResponse,
): Command<Extract<ReserveOrderConflict, { stored: unknown }> | null> {
  for (;;) {
    const stored = yield* findIdempotentResponse(response.accountId, response.key);
    if (stored) return { conflict: 'idempotency_conflict', stored };
    if ((yield* change(takeKey(response))) > 0) return null;
  }
}

/** Inserts an order with all that it claims. */
function* insert(
  order: ReservedOrder,
  payment: Payment | null,
  { promo, response }: Pick<PlaceOrder, 'promo' | 'response'>,
): Command<Done | PlaceOrderConflict> {
  const outcomes = yield [
    ...(response ? [takeKey(response), findUsedKey(response)] : []),
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

export function* abandonOrder(orderId: string): Command<Done | Conflict<'order_missing'>> {
  yield* releaseUse(orderId);
  try {
    const [, deleted] = yield [
      // Before the order, because a claim refers to it. If the order isn't reserved, the roll-back restores the claim.
      sql`DELETE FROM promo_claims WHERE order_id = ${orderId}`,
      sql`DELETE FROM orders WHERE order_id = ${orderId} AND reserved = 1`,
      completeKey(orderId, null),
    ];
    return deleted?.count === 0 ? { conflict: 'order_missing' } : done;
  } catch (error) {
    // The units or the history of a placed order.
    if (isReferredTo(error)) return { conflict: 'order_missing' };
    throw error;
  }
}

const putUnit = (orderId: string, unit: StoredUnit): Statement => sql`
  INSERT INTO units (order_id, unit, attempt, state, asked_at, next_at, supplier, find_by, supplier_id, serial_number,
    reason, failure_kind, contradiction, cost, cost_source, waits_for)
  VALUES (${orderId}, ${unit.unit}, ${unit.attempt}, ${unit.state}, ${unit.askedAt}, ${unit.nextAt}, ${unit.supplier},
    ${unit.findBy}, ${unit.supplierId}, ${unit.serialNumber}, ${unit.reason}, ${unit.failureKind},
    ${unit.contradiction}, ${unit.cost}, ${unit.costSource}, ${unit.waitsFor})
  ON CONFLICT (order_id, unit) DO UPDATE
    SET attempt = excluded.attempt, state = excluded.state, asked_at = excluded.asked_at, next_at = excluded.next_at,
      supplier = excluded.supplier, find_by = excluded.find_by, supplier_id = excluded.supplier_id,
      serial_number = excluded.serial_number, reason = excluded.reason, failure_kind = excluded.failure_kind,
      contradiction = excluded.contradiction, cost = excluded.cost, cost_source = excluded.cost_source,
      waits_for = excluded.waits_for`;

/** Keeps by what the supplier of an attempt may still name it. */
const keepAttempt = (orderId: string, { unit, attempt, supplierId }: EarlierAttempt): Statement[] =>
  supplierId === null
    ? []
    : [
        sql`
          INSERT INTO earlier_attempts (supplier_id, order_id, unit, attempt)
          VALUES (${supplierId}, ${orderId}, ${unit}, ${attempt}) ON CONFLICT DO NOTHING`,
      ];

/** Why no row of an order had the version that was expected. */
export function* rejectChanged(orderId: string): Command<Conflict<'order_missing' | 'order_changed'>> {
  const isPlaced = yield* exists(sql`SELECT 1 FROM orders WHERE order_id = ${orderId} AND reserved = 0`);
  return { conflict: isPlaced ? 'order_changed' : 'order_missing' };
}

export function* changeOrder(
  order: ChangeOrder,
): Command<Done | Conflict<'order_missing' | 'order_changed'>> {
  const { orderId, version, to, entry, promo, units, serialNumber, settles, refunds } = order;
  // Alone, because it waits for other changes of the order, and decides about what follows.
  const changed = yield* change(sql`
    UPDATE orders SET payment_status = ${to.paymentStatus}, buy_status = ${to.buyStatus},
      serial_number = ${serialNumber}, version = version + 1
    WHERE order_id = ${orderId} AND version = ${version} AND reserved = 0`);
  if (changed === 0) return yield* rejectChanged(orderId);
  const outcomes = yield [
    ...settles.map((settled) => settle(settled, orderId, entry)),
    ...(entry
      ? [
          sql`INSERT INTO history (order_id, version, entry) VALUES (${orderId}, ${version + 1}, ${JSON.stringify(entry)})`,
        ]
      : []),
    ...units.map((unit) => putUnit(orderId, unit)),
    ...(entry?.attempts ?? []).flatMap((attempt) => keepAttempt(orderId, attempt)),
    ...refunds.map(insertRefund),
    ...(promo === 'reclaim' ? [findReleased(orderId)] : []),
  ];
  if (settles.some((_, index) => outcomes[index]?.count === 0)) return { conflict: 'order_changed' };
  if (promo === 'release') yield* releaseUse(orderId);
  const claim = promo === 'reclaim' && outcomes.at(-1)?.rows[0];
  if (claim) yield* reclaimUse(orderId, claim);
  return done;
}

/** Orders last, because the others refer to them. */
const cleared = [
  ...[
    'sales',
    'sales_due',
    'idempotent_responses',
    'used_keys',
    'reconciliations',
    'refunds',
    'callbacks',
    'units',
    'history',
  ],
  ...[
    'earlier_attempts',
    'promo_claims',
    'order_terms',
    'webhook_deliveries',
    'webhook_events',
    'placed_orders',
    'orders',
  ],
];

/** Deletes all orders and what belongs to them, and sets world time to real time. */
export function* clearOrders(): Command<Done> {
  // In PostgreSQL, to delete many orders one by one would take too long.
  const truncated = {
    sqlite: () => text(''),
    postgres: () => text(`TRUNCATE order_counts, ${cleared.join(', ')}`),
  };
  yield [
    sql`${truncated}`,
    ...cleared.map((table) => text(`DELETE FROM ${table}`)),
    sql`UPDATE promos SET used = 0`,
    sql`UPDATE world SET ahead = 0`,
    // Nothing is left that a backup had.
    sql`DELETE FROM revisions WHERE name = 'restored_at'`,
  ];
  return done;
}
