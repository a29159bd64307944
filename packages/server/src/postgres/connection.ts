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

/** Maximum number of a server's connections. More connections make a database slower, not faster. */
const maxConnections = 10;

/** Maximum duration of a statement, and of its wait for a lock, in milliseconds. */
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 2_000;

/**
 * Maximum time for a response of the database, in milliseconds; longer than the maximum time of a statement. The connections are then
 * dropped, because connections to a lost machine would stay silent for a quarter of an hour.
 */
const silenceMs = 15_000;

/**
 * Maximum time for one command while others get results, as a multiple of {@link silenceMs}. A single connection can fall silent, too, but
 * a command with many statements must not be mistaken for it.
 */
const maxSilences = 4;

/**
 * Maximum number of attempts for a command after an interference or a lost connection; the longest pause before an attempt, and the total
 * time, in milliseconds.
 */
const maxAttempts = 8;
const maxAttemptsIfLost = 3;
const longestPauseMs = 50;
const retryMs = 2_000;

/** Returns the name to show instead of the URL, which contains the password: the host and name of the database. */
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
  /** True if the command has no timeout. */
  isLong?: boolean;
}

export interface PostgresPool {
  /** Runs queries outside of a transaction. Throws PostgresError if the database can't be used. */
  read<Result>(query: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs a command in a transaction. If the promise resolves without a conflict, its changes are stored durably; otherwise nothing is
   * stored. After an interference, or a connection lost before the commit, the command runs again.
   *
   * @throws PostgresError; `outcome_unknown` if the connection was lost during the commit.
   */
  write<Result>(command: (sql: Transaction) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  close(): Promise<void>;
}

/** Loads the driver, which other stores don't need, and connects with the first query. */
async function openPool(url: string, connectTimeoutMs: number): Promise<Sql> {
  const { default: driver } = await import('postgres');
  return driver(url, {
    max: maxConnections,
    connect_timeout: connectTimeoutMs / 1_000,
    // After a restart of the database, the first requests reach it within half a second.
    backoff: (attempt) => Math.min(0.5, 0.05 * 2 ** attempt),
    fetch_types: false,
    onnotice: () => {},
    // Sums and identities are whole numbers far below 2^53: amounts are checked on input.
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
  /** Called before the first command, which fails if this fails. It is then called again before the next command. */
  prepare: (connection: PostgresPool, name: string) => Promise<void>;
  /** Called after each commit. */
  onCommit?: (() => void) | undefined;
  /** Called with the reason when the database becomes unreachable, and with null when it is reachable again. */
  onChange?: ((failure: PostgresError | null) => void) | undefined;
  /** Maximum time without a response, in milliseconds. Default: {@link silenceMs}. */
  maxSilenceMs?: number;
  /** Maximum time for a machine to accept a connection, in milliseconds. Default: five seconds. */
  connectTimeoutMs?: number;
}

/** Connects to a PostgreSQL database on first use, with a limited number of connections. */
export function connect(
  url: string,
  { prepare, onCommit, onChange, maxSilenceMs = silenceMs, connectTimeoutMs = 5_000 }: ConnectOptions,
): PostgresPool {
  const name = displayName(url);
  let pool: Promise<Sql> | undefined;
  let prepared: Promise<void> | undefined;
  let isClosed = false;
  /** State of the connection; `new` until the first success, because a failing start has its own error. */
  let state: 'new' | 'reached' | 'unreachable' = 'new';
  let heardAt = 0;

  async function usePool(): Promise<Sql> {
    if (isClosed) throw new PostgresError('closed', `${name} was closed.`);
    pool ??= openPool(url, connectTimeoutMs);
    return pool;
  }

  /**
   * Ends all connections if none has had a response for long, or if a command that was started has had none for very long. Waiting commands
   * then fail, and the next query opens new connections.
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
      // Safe: `begin` returns its function's result, and only unwraps arrays of queries.
      return result as Result;
    } catch (error) {
      // Safe: the error was thrown above with a result of this command.
      if (error instanceof RolledBack) return error.result as Result;
      if (isCommitting && isLost(error))
        throw new PostgresError(
          'outcome_unknown',
          `The connection to ${name} was lost during a commit (${codeOf(error)}), so it is unknown whether the data was stored.`,
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

  /** Repeats work until it succeeds or another attempt is useless. */
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
      // Maximum time that the driver waits for lost connections, in seconds.
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
