import { connect, displayName, type PostgresPool } from '../postgres/connection.ts';
import { rejectNoStore } from '../postgres/inspect.ts';
import { readServerAddresses } from '../postgres/leases.ts';
import { newestFormat, prepareTables, readFormat } from '../postgres/migrate.ts';
import { codeOf } from '../postgres/postgres-error.ts';
import { withoutNul } from '../postgres/text.ts';
import { integer, json, type Row, text as textOf } from '../rows/columns.ts';
import { type Command, change, exists, first, run } from '../sql/command.ts';
import { joined, sql, text } from '../sql/statement.ts';
import { CopyError, type CopySide, type CopySource, type CopyTarget, type TableRows } from './side.ts';
import { added, type CopiedTable, smallTables } from './tables.ts';

const orderOf = ({ key }: CopiedTable): string[] =>
  key.map((column) => (column === added ? 'sequence' : column));

/** A part of a key. */
function keyValue(row: Row, column: string): string | number | null {
  const value = row[column] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`column ${column} of a key holds an unexpected ${typeof value}`);
}

function createSide({ read }: PostgresPool, url: string): Pick<CopySide, 'name' | 'count' | 'read'> {
  return {
    name: displayName(url),
    async count({ name }) {
      const count = await read(() =>
        first(text(`SELECT count(*) AS count FROM ${name}`), (row) => integer(row, 'count')),
      );
      return count ?? 0;
    },
    async read(table, after = null, limit) {
      const order = orderOf(table).join(', ');
      const columns = table.columns.join(', ');
      const place =
        after &&
        joined(
          table.key.map((column) => sql`${keyValue(after, column)}`),
          ', ',
        );
      const where = place ? sql`WHERE (${text(order)}) > (${place})` : text('');
      const end = limit === undefined ? '' : `LIMIT ${limit}`;
      const { rows } = await read(() =>
        run(
          sql`${text(`SELECT ${columns} FROM ${table.name}`)} ${where} ${text(`ORDER BY ${order} ${end}`)}`,
        ),
      );
      return [...rows];
    },
  };
}

async function rejectServed(connection: PostgresPool, name: string): Promise<void> {
  const servers = await connection.read(readServerAddresses);
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
function* insertRows({ table, rows }: TableRows): Command<void> {
  if (rows.length === 0) return;
  const complete = rows.map((row) => ({ ...row, ...derived(table, row) }));
  const columns = Object.keys(complete[0] ?? {});
  const document = JSON.stringify(
    complete.map((row: Row) => Object.fromEntries(columns.map((column) => [column, jsonValue(row[column])]))),
  );
  const list = columns.join(', ');
  yield* run(sql`
    ${text(`INSERT INTO ${table.name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table.name}, `)}
    ${document}::text::json)`);
}

/** The tables of a store that must be empty; the others hold nothing without them. */
const emptyTables = ['mode', 'catalog', 'keys', 'promos', 'orders', 'callbacks', 'reconciliations'];

/** Everything that a copy adds. */
const filledTables =
  'orders, units, history, promo_claims, refunds, order_counts, idempotent_responses, callbacks, reconciliations, promos, catalog, keys, mode, display, supplier_balance, supplier_lists, provider_problems';

/** The number of the format is negative while a database is an unfinished copy, so that no server of any version uses it. */
async function readCopySource({ read }: PostgresPool): Promise<string | null> {
  if ((await readFormat({ read })) >= 0) return null;
  return read(() => first(sql`SELECT name FROM copy_source`, (row) => textOf(row, 'name')));
}

function* clear(): Command<void> {
  for (const statement of [
    text(`TRUNCATE ${filledTables}`),
    sql`UPDATE world SET ahead = 0`,
    sql`DROP TABLE copy_source`,
    sql`UPDATE topup_format SET version = -version`,
  ])
    yield* run(statement);
}

async function rejectFilled({ read }: PostgresPool, name: string): Promise<void> {
  for (const table of emptyTables) {
    if (await read(() => exists(text(`SELECT 1 FROM ${table} LIMIT 1`))))
      throw new CopyError('not_empty', `${name} is not empty: there are rows in its table ${table}.`);
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
  if (begun !== null) await connection.write(clear);
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
  const write = async (begin: () => Command<void>): Promise<void> => {
    try {
      await connection.write(begin);
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
        write(function* () {
          const begun = yield* change(
            sql`UPDATE topup_format SET version = -version WHERE version = ${newestFormat}`,
          );
          if (begun === 0) throw new CopyError('in_use', `Another topup db copy is filling ${side.name}.`);
          yield* run(sql`CREATE TABLE copy_source (name TEXT NOT NULL)`);
          yield* run(sql`INSERT INTO copy_source (name) VALUES (${options.source})`);
          // The others are empty, or their rows are in the way of the inserts.
          for (const { name } of smallTables)
            if (!emptyTables.includes(name)) yield* run(text(`DELETE FROM ${name}`));
          for (const rows of small) yield* insertRows(rows);
        }),
      insert: (rows) => write(() => insertRows(rows)),
      async last({ name, key }) {
        const order = key.map((column) => `${column} DESC`).join(', ');
        return connection.read(() =>
          first(text(`SELECT ${key.join(', ')} FROM ${name} ORDER BY ${order} LIMIT 1`), (row) => row),
        );
      },
      finish: () =>
        write(function* () {
          // Otherwise PostgreSQL plans as if the tables were empty, until it finds out by itself. It reads a part of each table.
          yield* run(sql`SET LOCAL statement_timeout = 0`);
          yield* run(text(`ANALYZE ${filledTables}`));
          yield* run(sql`DROP TABLE copy_source`);
          yield* run(sql`UPDATE topup_format SET version = -version WHERE version < 0`);
        }),
      discard: () => write(clear),
      [Symbol.asyncDispose]: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
