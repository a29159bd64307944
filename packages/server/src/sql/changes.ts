import type { HistoryEntry, OrderChange } from '@topup-kit/core/store';
import { integer, json, text } from '../rows/columns.ts';
import { all, type Command, change, exists, first, run } from './command.ts';
import { sql } from './statement.ts';

/** The version that an order is placed with. */
export const placedVersion = 1;

/** How many changes get their places at once. */
const batchSize = 1_000;

/**
 * Gives places to changes that have none. They get them when they are read, not when they are stored: a place that is given while
 * another change is still being committed could be skipped by a reader, and orders would wait for each other. The changes of one
 * order are in their order.
 */
function* givePlaces(): Command<void> {
  // PostgreSQL holds the row until the end of the command, so that two readers give each place once.
  yield* run(sql`UPDATE last_change SET position = position`);
  const given = yield* change(sql`
    UPDATE history SET position = placed.place
    FROM (
      SELECT order_id, version,
        (SELECT position FROM last_change) + row_number() OVER (ORDER BY order_id, version) AS place
      FROM (
        SELECT order_id, version FROM history WHERE position IS NULL ORDER BY order_id, version LIMIT ${batchSize}
      ) AS without_place
    ) AS placed
    WHERE history.order_id = placed.order_id AND history.version = placed.version`);
  yield* run(sql`UPDATE last_change SET position = position + ${given}`);
}

export function* findChanges(after: number, limit: number): Command<OrderChange[]> {
  if (yield* exists(sql`SELECT 1 FROM history WHERE position IS NULL LIMIT 1`)) yield* givePlaces();
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
