import { normalPhone } from '@topup-kit/core/contract';
import { integer, json, type Row, text as textOf } from '../rows/columns.ts';
import { added } from '../sql/dialect.ts';
import {
  all,
  type Command,
  exists,
  first,
  joined,
  run,
  type Statement,
  sql,
  text,
} from '../sql/statement.ts';
import { allTables, type CopiedTable, emptyTables } from './tables.ts';

/** Number of rows per INSERT. SQLite is slower with many rows, PostgreSQL with few. */
const partSize = 25;

interface Details {
  contact: { whatsapp: string };
  target: { id: string };
  gateway?: string | null;
}

/** Tells whether only one kind of store has a column; `sequence` is the order in which rows were added. */
const isOwn = (table: CopiedTable, column: string): boolean =>
  table.name === 'orders' ? ['customer', 'target_id', 'gateway'].includes(column) : column === 'sequence';

/** Returns the columns of a row that both kinds of stores have, in the same order. */
const commonOf = (table: CopiedTable, row: Row): Row =>
  Object.fromEntries(
    Object.keys(row)
      .filter((column) => !isOwn(table, column))
      .toSorted()
      .map((column) => [column, row[column] ?? null]),
  );

const orderOf = ({ key }: CopiedTable, direction = ''): Statement =>
  joined(
    key.map((column) => sql`${column === 'added' ? added : text(column)}${text(direction)}`),
    ', ',
  );

const valuesOf = (row: Row, columns: readonly string[]): Statement =>
  joined(
    columns.map((column) => sql`${row[column] ?? null}`),
    ', ',
  );

/** Reads the rows of a table in the order of its key, starting after a given row. */
export const readRows = (table: CopiedTable, after: Row | null, limit: number): Command<Row[]> =>
  all(
    sql`
      SELECT * FROM ${text(table.name)}
      ${after ? sql`WHERE (${orderOf(table)}) > (${valuesOf(after, table.key)})` : text('')}
      ORDER BY ${orderOf(table)} LIMIT ${limit}`,
    (row) => commonOf(table, row),
  );

export const readLast = (table: CopiedTable): Command<Row | null> =>
  first(sql`SELECT * FROM ${text(table.name)} ORDER BY ${orderOf(table, ' DESC')} LIMIT 1`, (row) =>
    commonOf(table, row),
  );

export function* countRows(): Command<number> {
  const outcomes = yield allTables.map(({ name }) => sql`SELECT count(*) AS count FROM ${text(name)}`);
  return outcomes.reduce((sum, { rows }) => sum + integer(rows[0] ?? {}, 'count'), 0);
}

function insertPart(table: CopiedTable, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${valuesOf(row, columns)})`);
  return sql`INSERT INTO ${text(table.name)} (${text(columns.join(', '))}) VALUES ${joined(values, ', ')}`;
}

/** Moves values between the columns of one kind of store and the order details of the other. */
function insertOrders(table: CopiedTable, rows: readonly Row[]): Statement {
  const withOwn = (own: (details: Details) => Row) =>
    insertPart(
      table,
      rows.map((row) => ({ ...row, ...own(json(row, 'details')) })),
    );
  const twin = {
    sqlite: () => withOwn(({ contact }) => ({ customer: normalPhone(contact.whatsapp) })),
    postgres: () => withOwn(({ target, gateway = null }) => ({ target_id: target.id, gateway })),
  };
  return sql`${twin}`;
}

export function* insertRows(table: CopiedTable, rows: readonly Row[]): Command<void> {
  const insert = table.name === 'orders' ? insertOrders : insertPart;
  const parts: Statement[] = [];
  for (let start = 0; start < rows.length; start += partSize)
    parts.push(insert(table, rows.slice(start, start + partSize)));
  yield parts;
}

const hasSource = {
  sqlite: () => sql`SELECT 1 FROM sqlite_schema WHERE name = 'copy_source'`,
  postgres: () => sql`SELECT 1 WHERE to_regclass('copy_source') IS NOT NULL`,
};

/** Reads the source of a store's unfinished copy; null for any other store. */
export function* readCopySource(): Command<string | null> {
  if (!(yield* exists(sql`${hasSource}`))) return null;
  return yield* first(sql`SELECT name FROM copy_source`, (row) => textOf(row, 'name'));
}

/** Records the source in an empty store, and deletes the rows that every empty store has. */
export function* noteCopySource(source: string): Command<void> {
  yield* run(sql`CREATE TABLE copy_source (name TEXT NOT NULL)`);
  yield* run(sql`INSERT INTO copy_source (name) VALUES (${source})`);
  yield allTables
    .filter(({ name }) => !emptyTables.includes(name))
    .map(({ name }) => sql`DELETE FROM ${text(name)}`)
    .toReversed();
}
