import type { Transaction } from './connection.ts';
import { orderLists } from './migrations/003-order-lists.ts';

// The migrations up to format 3 were edited before their release, so databases of the same format can have different tables. No migration
// has changed since format 4, so this list never grows.

/** Last format with several forms. */
export const lastEditedFormat = 3;

async function has(sql: Transaction, table: string, column: string): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name = ${column}`;
  return found.length > 0;
}

/** Adds to the tables of an early format whatever its migrations contain now. Unchanged tables are not locked. */
export async function repairEditedFormat(sql: Transaction, version: number): Promise<void> {
  if (!(await has(sql, 'keys', 'expires_at')))
    await sql`ALTER TABLE keys ADD COLUMN expires_at BIGINT, ADD COLUMN replaced_by TEXT, ADD COLUMN last_used_at BIGINT`;
  if (version >= 2 && !(await has(sql, 'servers', 'server_id')))
    await sql`
      CREATE TABLE servers (server_id TEXT COLLATE "C" PRIMARY KEY, address TEXT NOT NULL, seen_until BIGINT NOT NULL)`;
  const [index] = await sql`
    SELECT 1 FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'orders_in_state'`;
  if (!index) return;
  await sql`DROP INDEX orders_in_state`;
  await sql.unsafe(orderLists);
}
