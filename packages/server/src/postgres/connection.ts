import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { codeOf, explainPostgresError, isInterference, isLost, PostgresError } from './postgres-error.ts';

interface Types extends Record<string, unknown> {
  bigint: number;
  bytea: Uint8Array<ArrayBuffer>;
}
export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;

/** The most connections of one server. More of them make a database slower, not faster. */
const maxConnections = 10;

/** How long a statement may take, and wait for a lock, in milliseconds. */
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 2_000;

/** How often a command is tried again that another one got in the way of, and the longest pause before, in milliseconds. */
const maxAttempts = 8;
const longestPauseMs = 50;

/** Shown instead of the URL, which holds the password: the host and the name of the database. */
export function displayName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname || 'localhost'}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Thrown within a transaction to roll it back. */
class RolledBack extends Error {
  readonly result: object;
  constructor(result: object) {
    super('rolled back');
    this.result = result;
  }
}

export interface Connection {
  /** Runs queries outside of a transaction. Throws PostgresError when the database can't be used. */
  read<Result>(query: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs a command in a transaction. Its changes are stored, durably, when the promise resolves with a result without a
   * conflict; otherwise nothing is stored. A command that another one got in the way of, or that lost its connection before its
   * commit, is run again.
   *
   * @throws PostgresError; `outcome_unknown` when the connection was lost during the commit.
   */
  write<Result extends object>(command: (sql: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Loads the driver, which nobody else needs, and connects with the first query. */
async function openPool(url: string): Promise<Sql> {
  const { default: driver } = await import('postgres');
  return driver(url, {
    max: maxConnections,
    connect_timeout: 5,
    // After a restart of the database, the first requests find it within half a second.
    backoff: (attempt) => Math.min(0.5, 0.05 * 2 ** attempt),
    fetch_types: false,
    onnotice: () => {},
    // Sums and identities are whole numbers far below 2^53: money is checked when it comes in.
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      bytea: {
        to: 17,
        from: [17],
        parse: (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex')),
        serialize: (bytes: Uint8Array<ArrayBuffer>) => `\\x${Buffer.from(bytes).toString('hex')}`,
      },
    },
    connection: {
      application_name: 'topup',
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    },
  });
}

export interface ConnectOptions {
  /** Called before the first command; its error is that of the command, and it is then called again before the next one. */
  prepare: (connection: Connection, name: string) => Promise<void>;
  /** Called after each commit. */
  onCommit?: (() => void) | undefined;
}

/** Connects to a PostgreSQL database when it is first used, with a bounded number of connections. */
export function connect(url: string, { prepare, onCommit }: ConnectOptions): Connection {
  const name = displayName(url);
  let pool: Promise<Sql> | undefined;
  let prepared: Promise<void> | undefined;
  let isClosed = false;

  async function usePool(): Promise<Sql> {
    if (isClosed) throw new PostgresError('closed', `${name} was closed.`);
    pool ??= openPool(url);
    return pool;
  }

  async function attempt<Result extends object>(
    command: (sql: Transaction) => Promise<Result>,
  ): Promise<{ result: Result; stored: boolean }> {
    let isCommitting = false;
    try {
      const sql = await usePool();
      const result = await sql.begin(async (transaction) => {
        const outcome = await command(transaction);
        if ('conflict' in outcome) throw new RolledBack(outcome);
        isCommitting = true;
        return outcome;
      });
      // Safe: `begin` returns what its function returned; it only unwraps arrays of queries.
      return { result: result as Result, stored: true };
    } catch (error) {
      // Safe: thrown above with a result of this command.
      if (error instanceof RolledBack) return { result: error.result as Result, stored: false };
      if (isCommitting && isLost(error))
        throw new PostgresError(
          'outcome_unknown',
          `The connection to ${name} was lost during a commit (${codeOf(error)}): whether it was stored is not known.`,
          { cause: error },
        );
      throw error;
    }
  }

  const direct: Connection = {
    async read(query) {
      for (let count = 1; ; count += 1) {
        try {
          return await query(await usePool());
        } catch (error) {
          // A pooled connection may have been lost while nobody used it.
          if (count > 2 || !isLost(error)) throw explainPostgresError(error, name);
          await wait(longestPauseMs);
        }
      }
    },
    async write(command) {
      for (let count = 1; ; count += 1) {
        try {
          const { result, stored } = await attempt(command);
          if (stored) onCommit?.();
          return result;
        } catch (error) {
          const isWorthwhile = isInterference(error) ? count < maxAttempts : isLost(error) && count <= 2;
          if (!isWorthwhile) throw explainPostgresError(error, name);
          await wait(Math.random() * longestPauseMs);
        }
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await pool)?.end({ timeout: 5 });
    },
  };

  function whenPrepared(): Promise<void> {
    prepared ??= prepare(direct, name).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  }

  return {
    async read(query) {
      await whenPrepared();
      return direct.read(query);
    },
    async write(command) {
      await whenPrepared();
      return direct.write(command);
    },
    close: direct.close,
  };
}
