import type { HistoryEntry, OrderChange } from '@topup-kit/core/store';
import { integer, json, text } from '../rows/columns.ts';
import { added } from './dialect.ts';
import {
  all,
  type Command,
  exists,
  first,
  text as plain,
  type Statement,
  sql,
  type Twin,
} from './statement.ts';

/** Maximum number of changes that get positions in one command. */
const mostPlaces = 1_000;

/** The version of a new order. */
export const placedVersion = 1;

const unpaid = '{"paymentStatus":"UNPAID","buyStatus":"Pending"}';

/** Excludes the creation of an order, which servers of earlier formats would read as a history entry. */
const placedEntry: Statement = plain(
  `'{"at":' || CAST(orders.created_at AS TEXT) || ',"event":"placed","by":"shop","from":${unpaid},"to":${unpaid}}'`,
);

/** Creates the rows of a list of changes with their positions: `id`, `version`, `place`. */
function placedAt(changes: readonly { orderId: string; version: number }[], after: number): Twin {
  const list = JSON.stringify(
    changes.map(({ orderId, version }, index) => ({ id: orderId, version, place: after + index + 1 })),
  );
  return {
    sqlite: () =>
      sql`SELECT value ->> 'id' AS id, value ->> 'version' AS version, value ->> 'place' AS place FROM json_each(${list})`,
    postgres: () =>
      sql`
        SELECT value ->> 'id' AS id, (value ->> 'version')::bigint AS version, (value ->> 'place')::bigint AS place
        FROM json_array_elements(CAST(${list} AS TEXT)::json)`,
  };
}

/**
 * Gives positions to changes without a position. This happens on read, not on write: otherwise a reader could skip a position while another
 * change is being committed, and orders would wait for each other. The changes of an order keep their order.
 */
function* givePlaces(most: number): Command<void> {
  // PostgreSQL locks the row until the end of the command, so that two readers never assign the same position.
  const last = yield* first(sql`UPDATE last_change SET position = position RETURNING position`, (row) =>
    integer(row, 'position'),
  );
  const start = last ?? integer({}, 'position');
  // Read before new orders, so that no change comes before the creation of its order.
  const changed = yield* all(
    sql`SELECT order_id, version FROM history WHERE position IS NULL ORDER BY order_id, version LIMIT ${most}`,
    (row) => ({ orderId: text(row, 'order_id'), version: integer(row, 'version') }),
  );
  const placed = yield* all(
    sql`
      DELETE FROM placed_orders WHERE ${added} IN (
        SELECT ${added} FROM placed_orders ORDER BY ${added} LIMIT ${most})
      RETURNING order_id`,
    (row) => ({ orderId: text(row, 'order_id'), version: placedVersion }),
  );
  // If there are more new orders, changes wait, because a change may belong to such an order.
  const later = placed.length === most ? [] : changed;
  yield [
    sql`
      INSERT INTO history (order_id, version, entry, position)
      SELECT orders.order_id, placed.version, ${placedEntry}, placed.place
      FROM (${placedAt(placed, start)}) AS placed JOIN orders ON orders.order_id = placed.id
      WHERE true ON CONFLICT DO NOTHING`,
    sql`
      UPDATE history SET position = placed.place FROM (${placedAt(later, start + placed.length)}) AS placed
      WHERE history.order_id = placed.id AND history.version = placed.version`,
    sql`UPDATE last_change SET position = ${start + placed.length + later.length}`,
  ];
}

const withoutPlace = sql`
  SELECT 1 FROM history WHERE position IS NULL
  UNION ALL SELECT 1 FROM placed_orders LIMIT 1`;

export function* findChanges(after: number, limit: number): Command<OrderChange[]> {
  if (yield* exists(withoutPlace)) yield* givePlaces(Math.min(limit, mostPlaces));
  return yield* all(
    sql`
      SELECT position, order_id, version, entry FROM history
      WHERE position > ${after} ORDER BY position LIMIT ${limit}`,
    (row) => ({
      position: integer(row, 'position'),
      orderId: text(row, 'order_id'),
      version: integer(row, 'version'),
      entry: integer(row, 'version') === placedVersion ? null : json<HistoryEntry>(row, 'entry'),
    }),
  );
}

export function* lastPosition(): Command<number> {
  return (
    (yield* first(sql`SELECT position FROM last_change`, (row) => integer(row, 'position'))) ??
    integer({}, 'position')
  );
}
