import { Socket } from 'node:net';
import type { ClientConfig, PoolClient, PoolConfig } from 'pg';
import type { Row } from '../rows/columns.ts';
import type { Outcome } from '../sql/command.ts';
import { type Statement, type Value, written } from '../sql/statement.ts';
import { codeOf } from './postgres-error.ts';
import { withoutNul } from './text.ts';

/** The most connections of one server. More of them make a database slower, not faster. */
const maxConnections = 10;

/** How long a statement may take, and wait for a lock, in milliseconds. */
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 2_000;

/** A connection to a database, which is never made again: what was sent on it is lost with it. */
export interface Connection {
  /**
   * Sends statements together, instead of waiting for each response. Resolves with their outcomes when all of them have one; rejects with
   * the error of the first that failed. Within a transaction, PostgreSQL then rejects those after it.
   */
  run(statements: readonly Statement[]): Promise<Outcome[]>;
  /** Why nothing can be sent any more; null while it can. */
  loss(): unknown;
}

export interface Driver {
  /** Has a connection for the time of the work, after which others get it. One that was lost is not used again. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Cuts all connections at once: what waits for one fails, and new ones are made when they are needed. */
  cut(): void;
  close(): Promise<void>;
}

/** The connection was lost, or there is none. */
class LostConnectionError extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

/** The driver's own errors have no code, and all of them are about the connection. */
const coded = (error: unknown): unknown =>
  codeOf(error) === '' && error instanceof Error
    ? new LostConnectionError(error.message, { cause: error })
    : error;

/** Statements are prepared by a name, which stands for their text. There are as many as the code has. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `topup_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const storable = (value: Value): Value => (typeof value === 'string' ? withoutNul(value) : value);

async function runOn(client: PoolClient, statement: Statement): Promise<Outcome> {
  const { text, values } = written(statement, 'postgres');
  // A migration is several statements in one, which can't be prepared.
  const query = text.includes(';') ? text : { name: nameOf(text), text, values: values.map(storable) };
  try {
    const { rows, rowCount } = await client.query<Row>(query);
    return { rows, count: rowCount ?? 0 };
  } catch (error) {
    throw coded(error);
  }
}

const connectionOn = (client: PoolClient, loss: () => unknown): Connection => ({
  async run(statements) {
    const settled = await Promise.allSettled(statements.map((statement) => runOn(client, statement)));
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  },
  loss,
});

/** What `sslmode` in the address means; without it, and with `disable`, nothing is encrypted. */
const encryption = (mode: string | undefined): ClientConfig['ssl'] =>
  mode === undefined || mode === 'disable' ? false : mode === 'verify-full' || { rejectUnauthorized: false };

/** What the address says. All parts after the question mark but `sslmode` are settings of PostgreSQL, as `search_path`. */
function configOf(url: string): ClientConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const { sslmode, ...settings } = Object.fromEntries(searchParams);
  const escaped = (value: string): string => value.replaceAll(/[\\\s]/g, '\\$&');
  return {
    ...(hostname !== '' && { host: decodeURIComponent(hostname).replaceAll(/[[\]]/g, '') }),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { user: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { database: decodeURIComponent(pathname.slice(1)) }),
    ssl: encryption(sslmode),
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${escaped(value)}`)
      .join(' '),
  };
}

/** Object identifiers of types: whole numbers of 8 bytes, and bytes. */
const bigintType = 20;
const byteaType = 17;

/** Loads the driver, which nobody else needs. It connects with the first statement, with a bounded number of connections. */
export async function openDriver(url: string, connectionTimeoutMillis: number): Promise<Driver> {
  const { default: pg } = await import('pg');
  const sockets = new Set<Socket>();
  const parserOf = (type: number): ((text: string) => unknown) => {
    // Sums and identities are whole numbers far below 2^53: money is checked when it comes in.
    if (type === bigintType) return Number;
    if (type === byteaType) return (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
    return pg.types.getTypeParser(type, 'text');
  };
  // The pool would take this time-out for that of waiting for one of its connections, too.
  class Client extends pg.Client {
    constructor(config: ClientConfig) {
      super(Object.create(config, { connectionTimeoutMillis: { value: connectionTimeoutMillis } }));
    }
  }
  const config: PoolConfig = {
    ...configOf(url),
    max: maxConnections,
    idleTimeoutMillis: 0,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    application_name: 'topup',
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // Safe: the driver asks for texts only, because nothing here asks for binary results.
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    // Safe: the pool calls it with its configuration.
    Client: Client as unknown as NonNullable<PoolConfig['Client']>,
  };
  const pool = new pg.Pool(config);
  // Of connections that nobody uses; others are made.
  pool.on('error', () => {});

  const cut = (): void => {
    for (const socket of sockets) socket.destroy(new LostConnectionError('it stayed silent'));
  };

  return {
    async use(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw coded(error);
      });
      let loss: unknown = null;
      const noteLoss = (error: unknown): void => {
        loss ??= coded(error);
      };
      client.on('error', noteLoss);
      try {
        return await work(connectionOn(client, () => loss));
      } finally {
        client.removeListener('error', noteLoss);
        client.release(loss !== null || client.getTransactionStatus() !== 'I');
      }
    },
    cut,
    async close() {
      // A connection to a machine that is gone would never end.
      const timer = setTimeout(cut, 1_000);
      await pool.end();
      clearTimeout(timer);
    },
  };
}
