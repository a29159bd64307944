import { connect, displayName, type PostgresPool, type Transaction } from '../postgres/connection.ts';
import { rejectNoStore } from '../postgres/inspect.ts';
import { readServerAddresses } from '../postgres/leases.ts';
import { newestFormat, prepareTables } from '../postgres/migrate.ts';
import { codeOf } from '../postgres/postgres-error.ts';
import { runCommand, withoutNul } from '../postgres/run-command.ts';
import { json, type Row, text } from '../rows/columns.ts';
import { CopyError, type CopySide, type CopySource, type CopyTarget, type TableRows } from './side.ts';
import { added, type CopiedTable, smallTables } from './tables.ts';

const orderOf = ({ key }: CopiedTable): string[] =>
  key.map((column) => (column === added ? 'sequence' : column));

function createSide({ read }: PostgresPool, url: string): Pick<CopySide, 'name' | 'count' | 'read'> {
  return {
    name: displayName(url),
    async count({ name }) {
      const [row] = await read((sql) => sql`SELECT count(*)::int AS count FROM ${sql(name)}`);
      return row?.count ?? 0;
    },
    async read(table, after = null, limit) {
      const order = orderOf(table).join(', ');
      const columns = table.columns.join(', ');
      const values = after ? table.key.map((column) => after[column] ?? null) : [];
      const where = after
        ? `WHERE (${order}) > (${values.map((_, index) => `$${index + 1}`).join(', ')})`
        : '';
      const end = limit === undefined ? '' : `LIMIT ${limit}`;
      const query = `SELECT ${columns} FROM ${table.name} ${where} ORDER BY ${order} ${end}`;
      return [...(await read((sql) => sql.unsafe<Row[]>(query, values, { prepare: true })))];
    },
  };
}

async function rejectServed({ read }: PostgresPool, name: string): Promise<void> {
  const servers = await read((sql) => runCommand(sql, readServerAddresses()));
  if (servers.length === 0) return;
  const who = servers.join('; ');
  throw new CopyError(
    'served',
    `${servers.length === 1 ? 'A server runs' : 'Servers run'} on ${name} (${who}).`,
  );
}

export async function openPostgresSource(url: string): Promise<CopySource> {
  await rejectNoStore(url);
  const connection = connect(url, { prepare: prepareTables });
  const side = createSide(connection, url);
  const source: CopySource = {
    ...side,
    rejectServed: () => rejectServed(connection, side.name),
    [Symbol.asyncDispose]: () => connection.close(),
  };
  try {
    await source.rejectServed();
    return source;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** What PostgreSQL has in columns of their own, and a file in the details of an order. */
function derived({ name }: CopiedTable, row: Row): Row {
  if (name !== 'orders') return {};
  const { target, gateway = null } = json<{ target: { id: string }; gateway?: string | null }>(
    row,
    'details',
  );
  return { target_id: withoutNul(target.id), gateway };
}

const jsonValue = (value: Row[string] | undefined): unknown => {
  if (typeof value === 'string') return withoutNul(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
};

/** Inserts rows by one parameter, which holds all of them. */
async function insertRows(sql: Transaction, { table, rows }: TableRows): Promise<void> {
  if (rows.length === 0) return;
  const complete = rows.map((row) => ({ ...row, ...derived(table, row) }));
  const columns = Object.keys(complete[0] ?? {});
  const document = JSON.stringify(
    complete.map((row: Row) => Object.fromEntries(columns.map((column) => [column, jsonValue(row[column])]))),
  );
  const list = columns.join(', ');
  await sql.unsafe(
    `INSERT INTO ${table.name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table.name}, $1::text::json)`,
    [document],
  );
}

/** The tables of a store that must be empty; the others hold nothing without them. */
const emptyTables = ['mode', 'catalog', 'keys', 'promos', 'orders', 'callbacks', 'reconciliations'];

/** Everything that a copy adds. */
const filledTables =
  'orders, sales, sales_due, units, history, earlier_attempts, promo_claims, refunds, order_counts, idempotent_responses, used_keys, callbacks, reconciliations, promos, catalog, margins, catalog_edits, keys, mode, display, supplier_balances, supplier_lists, provider_problems, erasures, customer_secret';

/** The number of the format is negative while a database is an unfinished copy, so that no server of any version uses it. */
async function readCopySource({ read }: PostgresPool): Promise<string | null> {
  const format = await read((sql) => sql<Row[]>`SELECT version FROM topup_format`).catch((error: unknown) => {
    if (codeOf(error) === '42P01') return [];
    throw error;
  });
  if (Number(format[0]?.version ?? 0) >= 0) return null;
  const [row = {}] = await read((sql) => sql<Row[]>`SELECT name FROM copy_source`);
  return text(row, 'name');
}

const clear = async (sql: Transaction): Promise<void> => {
  await sql.unsafe(`TRUNCATE ${filledTables}`);
  await sql`UPDATE world SET ahead = 0`;
  await sql`DELETE FROM revisions WHERE name IN ('defaults', 'restored_at')`;
  await sql`DROP TABLE copy_source`;
  await sql`UPDATE topup_format SET version = -version`;
};

async function rejectFilled({ read }: PostgresPool, name: string): Promise<void> {
  for (const table of emptyTables) {
    const [row] = await read((sql) => sql`SELECT 1 FROM ${sql(table)} LIMIT 1`);
    if (row) throw new CopyError('not_empty', `${name} is not empty: there are rows in its table ${table}.`);
  }
}

/** Continues an unfinished copy of this source, or makes sure that the database is an empty store. Resolves with which it is. */
async function prepare(
  connection: PostgresPool,
  name: string,
  { source, restart }: { source: string; restart: boolean },
): Promise<boolean> {
  const begun = await readCopySource(connection);
  if (begun !== null && !restart) {
    if (begun !== source)
      throw new CopyError('other_copy', `${name} is an unfinished copy of ${begun}, not of ${source}.`);
    return true;
  }
  if (begun !== null)
    await connection.write(async (sql) => {
      await clear(sql);
      return {};
    });
  await prepareTables(connection, name);
  await rejectServed(connection, name);
  await rejectFilled(connection, name);
  return false;
}

/** Another copy of the same store added the same rows first. */
const explainRace = (error: unknown, name: string): unknown =>
  codeOf(error) === '23505'
    ? new CopyError('in_use', `Another topup db copy is filling ${name}.`, { cause: error })
    : error;

export async function openPostgresTarget(
  url: string,
  options: { source: string; restart: boolean },
): Promise<CopyTarget> {
  // Each command of a copy is prepared by itself: a store that is being filled can't be opened.
  const connection = connect(url, { prepare: async () => {} });
  const side = createSide(connection, url);
  const write = async (work: (sql: Transaction) => Promise<unknown>): Promise<void> => {
    try {
      await connection.write(async (sql) => {
        await work(sql);
        return {};
      });
    } catch (error) {
      throw explainRace(error, side.name);
    }
  };
  try {
    const isBegun = await prepare(connection, side.name, options);
    return {
      ...side,
      isBegun,
      begin: (small) =>
        write(async (sql) => {
          const { count } =
            await sql`UPDATE topup_format SET version = -version WHERE version = ${newestFormat}`;
          if (count === 0) throw new CopyError('in_use', `Another topup db copy is filling ${side.name}.`);
          await sql`CREATE TABLE copy_source (name TEXT NOT NULL)`;
          await sql`INSERT INTO copy_source (name) VALUES (${options.source})`;
          // The others are empty, or their rows are in the way of the inserts.
          for (const { name } of smallTables)
            if (!emptyTables.includes(name)) await sql`DELETE FROM ${sql(name)}`;
          for (const rows of small) await insertRows(sql, rows);
        }),
      insert: (rows) => write((sql) => insertRows(sql, rows)),
      async last({ name, key }) {
        const order = key.map((column) => `${column} DESC`).join(', ');
        const [row] = await connection.read((sql) =>
          sql.unsafe<Row[]>(`SELECT ${key.join(', ')} FROM ${name} ORDER BY ${order} LIMIT 1`),
        );
        return row ?? null;
      },
      finish: () =>
        write(async (sql) => {
          // Otherwise PostgreSQL plans as if the tables were empty, until it finds out by itself. It reads a part of each table.
          await sql`SET LOCAL statement_timeout = 0`;
          await sql.unsafe(`ANALYZE ${filledTables}`);
          await sql`DROP TABLE copy_source`;
          await sql`UPDATE topup_format SET version = -version WHERE version < 0`;
        }),
      discard: () => write(clear),
      [Symbol.asyncDispose]: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
