import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { text } from '../rows/columns.ts';

// The migrations up to format 8 were edited while they landed, so that files of one number have different tables. A file is compared
// with what the migrations say now, and what differs is made anew. From format 9 on no migration changes any more, so that this list of
// what stores may look like never grows.

/** The last format of which there are several forms. */
export const lastEditedFormat = 8;

/** Tables that had another name. */
const formerTables = { answers: 'idempotent_responses' } as const;

/** Indexes that had another name, or are not needed. */
const formerIndexes = ['answers_expired', 'answers_in_flight', 'orders_in_state'];

/**
 * What the columns of a table hold when it is made anew, if not what they held before, or their default. Both tables are made anew only
 * from their first form: no order was reserved or changed, payments were among the details, and responses did not name their orders.
 */
const values: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'orders',
    new Map([
      ['game_id', `json_extract(details, '$.game.id')`],
      ['reserved', '0'],
      ['version', '1'],
      ['payment_code', `json_extract(details, '$.payment.code')`],
      ['payment_url', `json_extract(details, '$.payment.url')`],
      ['payment_qr_string', `json_extract(details, '$.payment.qrString')`],
      ['details', `json_remove(details, '$.payment')`],
    ]),
  ],
  ['idempotent_responses', new Map([['order_id', `json_extract(body, '$.orderId')`]])],
]);

interface SchemaObject {
  type: string;
  name: string;
  table: string;
  sql: string;
}

const schemaOf = (db: DatabaseSync): SchemaObject[] =>
  db
    .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`)
    .all()
    .map((row) => ({
      type: text(row, 'type'),
      name: text(row, 'name'),
      table: text(row, 'tbl_name'),
      sql: text(row, 'sql'),
    }));

const columnsOf = (db: DatabaseSync, table: string): string[] =>
  db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map((row) => text(row, 'name'));

/** The same for two statements that differ only in comments, spaces and quotes. */
const plain = (sql: string): string =>
  sql.replaceAll(/--.*$/gm, '').replaceAll('"', '').replaceAll(/\s+/g, '');

/** Makes a table that is missing, with the rows that the migrations put into it. */
function addTable(db: DatabaseSync, { name, sql }: SchemaObject, intended: DatabaseSync): void {
  db.exec(sql);
  const columns = columnsOf(intended, name);
  const insert = db.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of intended.prepare(`SELECT * FROM ${name}`).all())
    insert.run(...columns.map((column): SQLInputValue => row[column] ?? null));
}

/** Makes a table anew as it is meant to be, with its rows in their order. Its indexes and triggers go with the old one. */
function remakeTable(db: DatabaseSync, { name, sql }: SchemaObject, intended: DatabaseSync): void {
  const before = columnsOf(db, name);
  const filled = columnsOf(intended, name).flatMap((column) => {
    const value = values.get(name)?.get(column) ?? (before.includes(column) ? column : undefined);
    return value === undefined ? [] : [{ column, value }];
  });
  const remade = `remade_${name}`;
  db.exec(sql.replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE ${remade}`));
  const order = /WITHOUT ROWID/.test(sql) ? '' : 'ORDER BY rowid';
  db.exec(`
    INSERT INTO ${remade} (${filled.map(({ column }) => column).join(', ')})
      SELECT ${filled.map(({ value }) => value).join(', ')} FROM ${name} ${order};
    DROP TABLE ${name};
    ALTER TABLE ${remade} RENAME TO ${name};`);
}

/**
 * Makes the tables of an early format what its migrations say now. A file that is as they say is not changed. Foreign keys must be off,
 * because tables that others refer to are made anew.
 */
export function repairEditedFormat(db: DatabaseSync, migrations: readonly string[]): void {
  using intended = new DatabaseSync(':memory:');
  for (const sql of migrations) intended.exec(sql);
  const find = (type: string, name: string): SchemaObject | undefined =>
    schemaOf(db).find((object) => object.type === type && object.name === name);

  for (const [former, name] of Object.entries(formerTables))
    if (find('table', former) && !find('table', name)) db.exec(`ALTER TABLE ${former} RENAME TO ${name}`);
  for (const name of formerIndexes) db.exec(`DROP INDEX IF EXISTS ${name}`);

  const objects = schemaOf(intended);
  for (const table of objects.filter(({ type }) => type === 'table')) {
    const present = find('table', table.name);
    if (!present) addTable(db, table, intended);
    else if (plain(present.sql) !== plain(table.sql)) remakeTable(db, table, intended);
  }
  for (const { type, name, sql } of objects.filter(({ type }) => type !== 'table')) {
    const present = find(type, name);
    if (present && plain(present.sql) === plain(sql)) continue;
    if (present) db.exec(`DROP ${type} ${name}`);
    db.exec(sql);
  }
}
