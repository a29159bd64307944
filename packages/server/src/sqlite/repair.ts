import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { text } from '../rows/columns.ts';

// The migrations up to format 8 were edited before their release, so files of the same format can have different tables. This code compares
// a file with the current migrations, and rebuilds what differs. No migration has changed since format 9, so this list never grows.

/** Last format with several forms. */
export const lastEditedFormat = 8;

/** Tables with a former name. */
const formerTables = { answers: 'idempotent_responses' } as const;

/** Indexes that were renamed or are no longer used. */
const formerIndexes = ['answers_expired', 'answers_in_flight', 'orders_in_state'];

/**
 * Values for columns of a rebuilt table, if neither the former values nor the defaults apply. Both tables are rebuilt only from their first
 * form, in which no order was reserved or changed, payments were part of the details, and responses did not name their orders.
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

/** Normalises a statement, so that statements that differ only in comments, spaces and quotes are equal. */
const plain = (sql: string): string =>
  sql.replaceAll(/--.*$/gm, '').replaceAll('"', '').replaceAll(/\s+/g, '');

/** Creates a missing table, with the migrations' rows. */
function addTable(db: DatabaseSync, { name, sql }: SchemaObject, intended: DatabaseSync): void {
  db.exec(sql);
  const columns = columnsOf(intended, name);
  const insert = db.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of intended.prepare(`SELECT * FROM ${name}`).all())
    insert.run(...columns.map((column): SQLInputValue => row[column] ?? null));
}

/** Rebuilds a table in its intended form, with its rows in order. Its indexes and triggers disappear with the old table. */
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
 * Brings the tables of an early format to the form that its migrations now create. A file in that form is not changed. Foreign keys must be
 * off, because referenced tables are rebuilt.
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
