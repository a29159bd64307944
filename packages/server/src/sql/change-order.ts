import {
  activityOfChange,
  type ChangeOrder,
  type Conflict,
  type Done,
  done,
  type EarlierAttempt,
  type StoredUnit,
} from '@topup-kit/core/store';
import { type Row, text as textOf } from '../rows/columns.ts';
import { insertActivities } from './activity.ts';
import { isReferredTo } from './dialect.ts';
import { addUse, completeKey } from './place-order.ts';
import { settle } from './reconciliations.ts';
import { insertRefund } from './refunds.ts';
import { type Command, change, exists, first, run, type Statement, sql, text } from './statement.ts';

function* releaseUse(orderId: string): Command<void> {
  const code = yield* first(
    sql`UPDATE promo_claims SET released = 1 WHERE order_id = ${orderId} AND released = 0 RETURNING code`,
    (row) => textOf(row, 'code'),
  );
  if (code !== null) yield* run(sql`UPDATE promos SET used = used - 1 WHERE code = ${code}`);
}

const findReleased = (orderId: string): Statement =>
  sql`SELECT code FROM promo_claims WHERE order_id = ${orderId} AND released = 1`;

/** Claims a use from {@link findReleased} again, if the quota allows it. */
function* reclaimUse(orderId: string, claim: Row): Command<void> {
  if ((yield* change(addUse(textOf(claim, 'code')))) > 0)
    yield* run(sql`UPDATE promo_claims SET released = 0 WHERE order_id = ${orderId}`);
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

/** Keeps the data of an attempt, because the supplier may still name it. */
const keepAttempt = (orderId: string, { unit, attempt, supplierId }: EarlierAttempt): Statement[] =>
  supplierId === null
    ? []
    : [
        sql`
          INSERT INTO earlier_attempts (supplier_id, order_id, unit, attempt)
          VALUES (${supplierId}, ${orderId}, ${unit}, ${attempt}) ON CONFLICT DO NOTHING`,
      ];

/** Finds the reason why no row of an order had the expected version. */
export function* rejectChanged(orderId: string): Command<Conflict<'order_missing' | 'order_changed'>> {
  const isPlaced = yield* exists(sql`SELECT 1 FROM orders WHERE order_id = ${orderId} AND reserved = 0`);
  return { conflict: isPlaced ? 'order_changed' : 'order_missing' };
}

export function* changeOrder(
  order: ChangeOrder,
): Command<Done | Conflict<'order_missing' | 'order_changed'>> {
  const { orderId, version, to, entry, promo, units, serialNumber, settles, refunds } = order;
  // Runs alone, because it waits for other changes of the order, and later statements depend on it.
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
    ...(entry?.by === 'operator' ? insertActivities([activityOfChange(orderId, entry)]) : []),
    ...(promo === 'reclaim' ? [findReleased(orderId)] : []),
  ];
  if (settles.some((_, index) => outcomes[index]?.count === 0)) return { conflict: 'order_changed' };
  if (promo === 'release') yield* releaseUse(orderId);
  const claim = promo === 'reclaim' && outcomes.at(-1)?.rows[0];
  if (claim) yield* reclaimUse(orderId, claim);
  return done;
}

export function* abandonOrder(orderId: string): Command<Done | Conflict<'order_missing'>> {
  yield* releaseUse(orderId);
  try {
    const [, deleted] = yield [
      // Deleted before the order, because a claim refers to it. If the order isn't reserved, the roll-back restores the claim.
      sql`DELETE FROM promo_claims WHERE order_id = ${orderId}`,
      sql`DELETE FROM orders WHERE order_id = ${orderId} AND reserved = 1`,
      completeKey(orderId, null),
    ];
    return deleted?.count === 0 ? { conflict: 'order_missing' } : done;
  } catch (error) {
    // Units or history of a placed order refer to the order.
    if (isReferredTo(error)) return { conflict: 'order_missing' };
    throw error;
  }
}

/** Tables to clear. Orders come last, because other rows refer to them. */
const cleared = [
  'idempotent_responses',
  'used_keys',
  'reconciliations',
  'refunds',
  'units',
  'history',
  'earlier_attempts',
  'promo_claims',
  'order_terms',
  'placed_orders',
  'activity',
  'orders',
];

/** Deletes all orders and their records, including rooms' tables, and resets world time to real time. */
export function* clearOrders(rooms: readonly string[]): Command<Done> {
  const tables = [...rooms, ...cleared];
  // In PostgreSQL, deleting many orders row by row would take too long.
  const truncated = {
    sqlite: () => text(''),
    postgres: () => text(`TRUNCATE order_counts, ${tables.join(', ')}`),
  };
  yield [
    sql`${truncated}`,
    ...tables.map((table) => text(`DELETE FROM ${table}`)),
    sql`UPDATE promos SET used = 0`,
    sql`UPDATE world SET ahead = 0`,
    // Deletes the record that the data comes from a backup.
    sql`DELETE FROM revisions WHERE name = 'restored_at'`,
  ];
  return done;
}
