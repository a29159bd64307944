import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { isConflict } from '../sql/statement.ts';
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

/**
 * How long the database may leave a command without a response, in milliseconds; longer than a statement may take. The connections
 * are then given up, because those to a machine that is gone would stay silent for a quarter of an hour.
 */
const silenceMs = 15_000;

/**
 * How many times as long one command may go without its result while others get theirs. A single connection can fall silent, too, and
 * a command of many statements must not be taken for one on it.
 */
const maxSilences = 4;

/**
 * How often a command is tried again that another one got in the way of, and one whose connection was lost; the longest pause
 * before, and for how long, in milliseconds.
 */
const maxAttempts = 8;
const maxAttemptsIfLost = 3;
const longestPauseMs = 50;
const retryMs = 2_000;

/** Shown instead of the URL, which holds the password: the host and the name of the database. */
export function displayName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname || 'localhost'}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Thrown within a transaction to roll it back. */
class RolledBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('rolled back');
    this.result = result;
  }
}

interface WriteOptions {
  /** Whether it may take as long as it takes. */
  isLong?: boolean;
}

export interface PostgresPool {
  /** Runs queries outside of a transaction. Throws PostgresError when the database can't be used. */
  read<Result>(query: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs a command in a transaction. Its changes are stored, durably, when the promise resolves with a result without a
   * conflict; otherwise nothing is stored. A command that another one got in the way of, or that lost its connection before its
   * commit, is run again.
   *
   * @throws PostgresError; `outcome_unknown` when the connection was lost during the commit.
   */
  write<Result>(command: (sql: Transaction) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  close(): Promise<void>;
}

/** Loads the driver, which nobody else needs, and connects with the first query. */
async function openPool(url: string, connectTimeoutMs: number): Promise<Sql> {
  const { default: driver } = await import('postgres');
  return driver(url, {
    max: maxConnections,
    connect_timeout: connectTimeoutMs / 1_000,
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
  prepare: (connection: PostgresPool, name: string) => Promise<void>;
  /** Called after each commit. */
  onCommit?: (() => void) | undefined;
  /** Called when the database can't be reached any more, with the reason, and with null when it can be again. */
  onChange?: ((failure: PostgresError | null) => void) | undefined;
  /** Default: {@link silenceMs}. */
  maxSilenceMs?: number;
  /** How long a machine may take to accept a connection. Default: five seconds. */
  connectTimeoutMs?: number;
}

/** Connects to a PostgreSQL database when it is first used, with a bounded number of connections. */
export function connect(
  url: string,
  { prepare, onCommit, onChange, maxSilenceMs = silenceMs, connectTimeoutMs = 5_000 }: ConnectOptions,
): PostgresPool {
  const name = displayName(url);
  let pool: Promise<Sql> | undefined;
  let prepared: Promise<void> | undefined;
  let isClosed = false;
  /** New until it was first reached: a start that fails has its own error. */
  let state: 'new' | 'reached' | 'unreachable' = 'new';
  let heardAt = 0;

  async function usePool(): Promise<Sql> {
    if (isClosed) throw new PostgresError('closed', `${name} was closed.`);
    pool ??= openPool(url, connectTimeoutMs);
    return pool;
  }

  /**
   * Ends all connections at once, if none had a response for long, or a command that has begun then has none for very long: what
   * waits for one fails, and the next query opens new ones.
   */
  async function giveUpIfSilent(begunAt: number): Promise<void> {
    const now = performance.now();
    if (now - heardAt < maxSilenceMs && now - begunAt < maxSilenceMs * maxSilences) return;
    const silent = pool;
    pool = undefined;
    await (await silent)?.end({ timeout: 0 });
  }

  async function attempt<Result>(command: (sql: Transaction) => Promise<Result>): Promise<Result> {
    let isCommitting = false;
    try {
      const sql = await usePool();
      const result = await sql.begin(async (transaction) => {
        const outcome = await command(transaction);
        if (isConflict(outcome)) throw new RolledBack(outcome);
        isCommitting = true;
        return outcome;
      });
      onCommit?.();
      // Safe: `begin` returns what its function returned; it only unwraps arrays of queries.
      return result as Result;
    } catch (error) {
      // Safe: thrown above with a result of this command.
      if (error instanceof RolledBack) return error.result as Result;
      if (isCommitting && isLost(error))
        throw new PostgresError(
          'outcome_unknown',
          `The connection to ${name} was lost during a commit (${codeOf(error)}): whether it was stored is not known.`,
          { cause: error },
        );
      throw error;
    }
  }

  function note(failure: PostgresError | null): void {
    const before = state;
    if (failure === null) heardAt = performance.now();
    if (failure === null) state = 'reached';
    else if (state === 'reached') state = 'unreachable';
    if (before !== 'new' && state !== before) onChange?.(failure);
  }

  /** Runs work until it succeeds, or it is no use to try again. */
  async function retried<Result>(work: () => Promise<Result>, { isLong = false }: WriteOptions = {}) {
    const end = performance.now() + retryMs;
    for (let count = 1; ; count += 1) {
      const timer = isLong ? undefined : setInterval(giveUpIfSilent, maxSilenceMs, performance.now());
      try {
        const result = await work();
        note(null);
        return result;
      } catch (error) {
        const mayTry = isInterference(error) ? maxAttempts : isLost(error) ? maxAttemptsIfLost : 1;
        if (count >= mayTry || performance.now() > end) {
          const explained = explainPostgresError(error, name);
          if (explained instanceof PostgresError && explained.problem === 'unreachable') note(explained);
          throw explained;
        }
      } finally {
        clearInterval(timer);
      }
      await wait(Math.random() * longestPauseMs);
    }
  }

  const direct: PostgresPool = {
    read: (query) => retried(async () => query(await usePool())),
    write: (command, options) => retried(() => attempt(command), options),
    async close() {
      if (isClosed) return;
      isClosed = true;
      // The driver waits that long for connections that were lost.
      await (await pool)?.end({ timeout: 1 });
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
    async write(command, options) {
      await whenPrepared();
      return direct.write(command, options);
    },
    close: direct.close,
  };
}
