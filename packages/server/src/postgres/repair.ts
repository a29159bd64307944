import { type Command, exists, run } from '../sql/command.ts';
import { sql, text } from '../sql/statement.ts';
import { orderLists } from './migrations/003-order-lists.ts';

// The migrations up to format 3 were edited while they landed, so that databases of one number have different tables. From format 4 on no
// migration changes any more, so that this list never grows.

/** The last format of which there are several forms. */
export const lastEditedFormat = 3;

const has = (table: string, column: string): Command<boolean> =>
  exists(sql`
    SELECT 1 FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name = ${column}`);

/** Adds to the tables of an early format what its migrations say now. Nothing is locked that is not changed. */
export function* repairEditedFormat(version: number): Command<void> {
  if (!(yield* has('keys', 'expires_at')))
    yield* run(
      sql`ALTER TABLE keys ADD COLUMN expires_at BIGINT, ADD COLUMN replaced_by TEXT, ADD COLUMN last_used_at BIGINT`,
    );
  if (version >= 2 && !(yield* has('servers', 'server_id')))
    yield* run(sql`
      CREATE TABLE servers (server_id TEXT COLLATE "C" PRIMARY KEY, address TEXT NOT NULL, seen_until BIGINT NOT NULL)`);
  const isIndexed = yield* exists(sql`
    SELECT 1 FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'orders_in_state'`);
  if (!isIndexed) return;
  yield* run(sql`DROP INDEX orders_in_state`);
  yield* run(text(orderLists));
}
