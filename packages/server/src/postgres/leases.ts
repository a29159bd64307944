import type { StoreServer, WorkLease } from '@topup-kit/core/store';
import { integer, text } from '../rows/columns.ts';
import { all, type Command, sql } from '../sql/statement.ts';

/** Maximum number of expired claims that a command deletes. It is more than a command adds, so that the table stays small. */
const maxDeleted = 1_000;

/**
 * Latest possible end of a claim or a server's note, in milliseconds from now. It is longer than any of them lasts (up to ten minutes for a
 * supplier's list), because clocks differ. A later end was written before the clock was set back, perhaps by a stopped server, and counts
 * as expired.
 */
const farthestEndMs = 20 * 60_000;

/** Claims work, and deletes expired claims. Sorts the names, so that two servers don't wait for each other. */
export function* claimWork(
  names: readonly string[],
  { by, until }: WorkLease,
  now: number,
): Command<string[]> {
  if (names.length === 0) return [];
  const [claimed] = yield [
    sql`
      INSERT INTO claims (name, claimed_by, claimed_until)
      SELECT DISTINCT name COLLATE "C", ${by}::text, ${until}::bigint
      FROM json_array_elements_text(${JSON.stringify(names)}::text::json) AS name ORDER BY 1
      ON CONFLICT (name) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
      WHERE claims.claimed_until <= ${now} OR claims.claimed_until > ${now + farthestEndMs}
        OR claims.claimed_by = excluded.claimed_by
      RETURNING name`,
    sql`
      DELETE FROM claims WHERE name IN (
        SELECT name FROM claims WHERE claimed_until <= ${now} OR claimed_until > ${now + farthestEndMs} LIMIT ${maxDeleted} FOR UPDATE SKIP LOCKED)`,
  ];
  return claimed?.rows.map((row) => text(row, 'name')) ?? [];
}

/** Records that a server runs, forgets stopped servers, and counts the others. */
export function* noteServer({ serverId, address, until }: StoreServer, now: number): Command<number> {
  const latest = now + farthestEndMs;
  const outcomes = yield [
    sql`
      INSERT INTO servers (server_id, address, seen_until) VALUES (${serverId}, ${address}, ${until})
      ON CONFLICT (server_id) DO UPDATE SET seen_until = excluded.seen_until`,
    sql`
      DELETE FROM servers WHERE server_id IN (
        SELECT server_id FROM servers WHERE seen_until <= ${now} OR seen_until > ${latest} FOR UPDATE SKIP LOCKED)`,
    sql`SELECT count(*) AS count FROM servers WHERE seen_until > ${now} AND seen_until <= ${latest}`,
  ];
  return integer(outcomes.at(-1)?.rows[0] ?? {}, 'count');
}

/** Reads the addresses of servers, including servers that were killed within the last seconds. */
export function readServerAddresses(): Command<string[]> {
  const now = Date.now();
  return all(
    sql`SELECT address FROM servers WHERE seen_until > ${now} AND seen_until <= ${now + farthestEndMs} ORDER BY address`,
    (row) => text(row, 'address'),
  );
}
