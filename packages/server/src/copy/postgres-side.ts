import { type ConnectOptions, connect, displayName, type PostgresPool } from '../postgres/connection.ts';
import { assertStoreExists } from '../postgres/inspect.ts';
import { readServerAddresses } from '../postgres/leases.ts';
import {
  migrations,
  newestFormat,
  prepareTables,
  readFormat,
  rejectUnknownFormat,
} from '../postgres/migrate.ts';
import { codeOf } from '../postgres/postgres-error.ts';
import { runCommand } from '../postgres/run-command.ts';
import { type Command, change, exists, type RunCommand, run, sql, text } from '../sql/statement.ts';
import { readCopySource } from './rows.ts';
import { CopyError, type CopySource, type CopyTarget } from './side.ts';
import { allTables, emptyTables } from './tables.ts';

function open(url: string, prepare: ConnectOptions['prepare'], resources: AsyncDisposableStack) {
  const connection = resources.adopt(connect(url, { prepare }), (pool) => pool.close());
  const read: RunCommand = (begin) => connection.read((pool) => runCommand(pool, begin()));
  return { connection, read, name: displayName(url) };
}

async function rejectServed(read: RunCommand, name: string): Promise<void> {
  const servers = await read(readServerAddresses);
  if (servers.length === 0) return;
  const who = servers.join('; ');
  throw new CopyError(
    'served',
    `${servers.length === 1 ? 'A server runs' : 'Servers run'} on ${name} (${who}).`,
  );
}

export async function openPostgresSource(url: string, resources: AsyncDisposableStack): Promise<CopySource> {
  await assertStoreExists(url);
  const { read, name } = open(url, prepareTables, resources);
  await rejectServed(read, name);
  return { name, read, rejectServed: () => rejectServed(read, name) };
}

/** Tables that only a PostgreSQL store has, in addition to the table of its format number. */
export const ownTables = [
  'order_counts',
  'store_identity',
  'claims',
  'servers',
  'supplier_balance',
  'copy_source',
];
const ownFunctions = ['count_order', 'note_due_sale', 'note_due_sale_of_reference'];

/** Deletes an unfinished copy of any format. */
const discard = ({ write }: PostgresPool): Promise<unknown> =>
  write(
    async (transaction) => {
      const tables = [...allTables.map(({ name }) => name), ...ownTables];
      // A table that is missing in this store may exist in the next schema of the path, which belongs to another store.
      await transaction`SELECT set_config('search_path', quote_ident(current_schema()), true)`;
      await transaction.unsafe(`DROP TABLE IF EXISTS ${tables.join(', ')}`);
      await transaction.unsafe(`DROP FUNCTION IF EXISTS ${ownFunctions.join(', ')}`);
      for (const migration of migrations) await transaction.unsafe(migration);
      await transaction`UPDATE topup_format SET version = ${newestFormat}`;
      return {};
    },
    { isLong: true },
  );

async function rejectFilled(read: RunCommand, name: string): Promise<void> {
  for (const table of emptyTables)
    if (await read(() => exists(sql`SELECT 1 FROM ${text(table)} LIMIT 1`)))
      throw new CopyError('not_empty', `${name} is not empty: there are rows in its table ${table}.`);
}

const inUse = (name: string, options?: ErrorOptions): CopyError =>
  new CopyError('in_use', `Another topup db copy is filling ${name}.`, options);

/** Opens a database as the target. Its format number is negative while its copy is unfinished, so that no server of any version uses it. */
export async function openPostgresTarget(
  url: string,
  restart: boolean,
  resources: AsyncDisposableStack,
): Promise<CopyTarget> {
  // Each command prepares its own connection, because a store that is being filled can't be opened.
  const { connection, read, name } = open(url, async () => {}, resources);
  const write = (begin: () => Command<void>, isLong = false): Promise<void> =>
    connection
      .write((transaction) => runCommand(transaction, begin()), { isLong })
      .catch((error: unknown) => {
        // Another copy of the same store added the rows first.
        throw codeOf(error) === '23505' ? inUse(name, { cause: error }) : error;
      });
  const format = await readFormat(connection);
  rejectUnknownFormat(Math.abs(format), name);
  const isBegun = format < 0 && !restart;
  if (isBegun && format !== -newestFormat)
    throw new CopyError('other_copy', `${name} is an unfinished copy by an older version.`);
  if (!isBegun) {
    if (format < 0) await discard(connection);
    await prepareTables(connection, name);
    await rejectServed(read, name);
    await rejectFilled(read, name);
  }
  return {
    name,
    begun: isBegun ? await read(readCopySource) : null,
    read,
    write: (begin) => write(begin),
    *hide() {
      const hidden = sql`UPDATE topup_format SET version = -version WHERE version = ${newestFormat}`;
      if ((yield* change(hidden)) === 0) throw inUse(name);
    },
    finish: () =>
      // PostgreSQL plans queries as for empty tables until it has sampled each table, which may take minutes.
      write(function* () {
        yield* run(sql`SET LOCAL statement_timeout = 0`);
        // Each copied order leaves an old version of its count, which a later count would read past.
        yield* run(sql`TRUNCATE order_counts`);
        yield* run(sql`
          INSERT INTO order_counts SELECT 0, payment_status, buy_status, count(*) FROM orders
          WHERE reserved = 0 GROUP BY payment_status, buy_status`);
        yield* run(text(`ANALYZE ${allTables.map((table) => table.name).join(', ')}, order_counts`));
        yield* run(sql`DROP TABLE copy_source`);
        yield* run(sql`UPDATE topup_format SET version = -version WHERE version < 0`);
      }, true),
    discard: async () => void (await discard(connection)),
  };
}
