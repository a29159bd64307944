import { DatabaseSync } from 'node:sqlite';

type Rows = Record<string, unknown>[];

const tablesOf = (db: DatabaseSync): string[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all()
    .map(({ name }) => String(name));

/** All rows of all tables of a file, in the order of their values. */
export function rowsOf(path: string): Record<string, Rows> {
  using db = new DatabaseSync(path, { readOnly: true });
  return Object.fromEntries(
    tablesOf(db).map((table) => {
      const rows = db.prepare(`SELECT * FROM ${table}`).all();
      return [table, rows.map((row) => ({ ...row })).toSorted(byText)];
    }),
  );
}

const byText = (one: object, other: object): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** What a file has besides rows: the statements that made it, in the order of their names, without comments, spaces and quotes. */
export function schemaOf(path: string): string[] {
  using db = new DatabaseSync(path, { readOnly: true });
  return db
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
    .all()
    .map(({ name, sql }) => `${name}: ${String(sql).replaceAll(/--.*$/gm, '').replaceAll(/["\s]/g, '')}`);
}

/** A payment had its own place among the details of an order, before it had columns. */
function withoutPayment(row: Record<string, unknown>): Record<string, unknown> {
  if (typeof row.details !== 'string') return row;
  const { payment, ...details } = JSON.parse(row.details);
  return payment === undefined ? row : { ...row, details: JSON.stringify(details) };
}

/** Responses that were to be replayed for a day, until there were used keys, are replayed for 30 days. */
const withLongReplay = (table: string, row: Record<string, unknown>): Record<string, unknown> =>
  table === 'idempotent_responses' ? { ...row, expires_at: Number(row.expires_at) + 29 * 86_400_000 } : row;

/** Rows of an older store and of the upgraded one, by the names of now, as far as the older one had their tables and columns. */
export function comparable(
  before: Record<string, Rows>,
  after: Record<string, Rows>,
): { before: Record<string, Rows>; after: Record<string, Rows> } {
  const compared: ReturnType<typeof comparable> = { before: {}, after: {} };
  for (const [formerName, rows] of Object.entries(before)) {
    const name = formerName === 'answers' ? 'idempotent_responses' : formerName;
    const columns = Object.keys(rows[0] ?? {});
    const upgraded = after[name] ?? [];
    const replayed = (row: Record<string, unknown>) =>
      'used_keys' in before ? row : withLongReplay(name, row);
    compared.before[name] = rows.map((row) => replayed(withoutPayment(row))).toSorted(byText);
    compared.after[name] = upgraded
      .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
      .toSorted(byText);
  }
  return compared;
}
