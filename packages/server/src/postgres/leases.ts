import type { StoreServer, WorkClaim } from '@topup-kit/core/store';
import { integer, type Row, text } from '../rows/columns.ts';
import type { PostgresPool } from './connection.ts';
import { pipelined } from './pipeline.ts';

/** How many claims that are over one command deletes. More than it adds, so that the table stays small. */
const maxDeleted = 1_000;

/**
 * How far from now a claim or a server's note may end, in milliseconds: longer than any of them lasts (the list of a supplier is claimed
 * for up to ten minutes), and clocks differ. One that ends later was made before the clock was set back, perhaps by a server that is
 * gone, and counts as over.
 */
const farthestEndMs = 20 * 60_000;

/** Claims work, and deletes claims that are over. In the order of their names, so that two servers don't wait for each other. */
export async function claimWork(
  { write }: PostgresPool,
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
        WHERE claims.claimed_until <= ${now} OR claims.claimed_until > ${now + farthestEndMs}
          OR claims.claimed_by = excluded.claimed_by
        RETURNING name`,
      sql`
        DELETE FROM claims WHERE name IN (
          SELECT name FROM claims WHERE claimed_until <= ${now} OR claimed_until > ${now + farthestEndMs} LIMIT ${maxDeleted} FOR UPDATE SKIP LOCKED)`,
    ]);
    return { rows: claimed };
  });
  return rows.map((row) => text(row, 'name'));
}

/** Notes that a server runs, forgets those that do not run any more, and counts the others. */
export async function noteServer(
  { write }: PostgresPool,
  { serverId, address, until }: StoreServer,
  now: number,
): Promise<number> {
  const latest = now + farthestEndMs;
  const { count } = await write(async (sql) => {
    const results = await pipelined([
      sql`
        INSERT INTO servers (server_id, address, seen_until) VALUES (${serverId}, ${address}, ${until})
        ON CONFLICT (server_id) DO UPDATE SET seen_until = excluded.seen_until`,
      sql`
        DELETE FROM servers WHERE server_id IN (
          SELECT server_id FROM servers WHERE seen_until <= ${now} OR seen_until > ${latest} FOR UPDATE SKIP LOCKED)`,
      sql<Row[]>`SELECT count(*) AS count FROM servers WHERE seen_until > ${now} AND seen_until <= ${latest}`,
    ]);
    return { count: integer(results.at(-1)?.[0] ?? {}, 'count') };
  });
  return count;
}

/** Where servers run; those that were killed within the last seconds count, too. */
export async function readServerAddresses({ read }: PostgresPool): Promise<string[]> {
  const now = Date.now();
  const rows = await read(
    (sql) => sql<Row[]>`
      SELECT address FROM servers WHERE seen_until > ${now} AND seen_until <= ${now + farthestEndMs} ORDER BY address`,
  );
  return rows.map((row) => text(row, 'address'));
}
