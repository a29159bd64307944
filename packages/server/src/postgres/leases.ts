import type { WorkClaim } from '@topup-kit/core/store';
import { type Row, text } from '../rows/columns.ts';
import type { Connection } from './connection.ts';
import { pipelined } from './pipeline.ts';

/** How many claims that are over one command deletes. More than it adds, so that the table stays small. */
const maxDeleted = 1_000;

/** Claims work, and deletes claims that are over. In the order of their names, so that two servers don't wait for each other. */
export async function claimWork(
  { write }: Connection,
  names: readonly string[],
  { by, until }: WorkClaim,
  now: number,
): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await write(async (sql) => {
    const [claimed = []] = await pipelined([
      sql<Row[]>`
        INSERT INTO claims (name, claimed_by, claimed_until)
        SELECT DISTINCT name COLLATE "C", ${by}, ${until}::bigint
        FROM json_array_elements_text(${JSON.stringify(names)}::text::json) AS name ORDER BY 1
        ON CONFLICT (name) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
        WHERE claims.claimed_until <= ${now} OR claims.claimed_by = excluded.claimed_by
        RETURNING name`,
      sql`
        DELETE FROM claims WHERE name IN (
          SELECT name FROM claims WHERE claimed_until <= ${now} LIMIT ${maxDeleted} FOR UPDATE SKIP LOCKED)`,
    ]);
    return { rows: claimed };
  });
  return rows.map((row) => text(row, 'name'));
}
