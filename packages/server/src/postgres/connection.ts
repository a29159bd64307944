import { setTimeout as wait } from 'node:timers/promises';
import { type Command, isConflict, type Outcome } from '../sql/command.ts';
import { text } from '../sql/statement.ts';
import { type Connection, type Driver, openDriver } from './driver.ts';
import { codeOf, explainPostgresError, isInterference, isLost, PostgresError } from './postgres-error.ts';

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

interface WriteOptions {
  /** Whether it may take as long as it takes. */
  isLong?: boolean;
}

/** Commands are called with what begins them, because they may have to be run again. */
export interface PostgresPool {
  /** Runs a command outside of a transaction. Throws PostgresError when the database can't be used. */
  read<Result>(begin: () => Command<Result>): Promise<Result>;
  /**
   * Runs a command in a transaction. Its changes are stored, durably, when the promise resolves with a result without a
   * conflict; otherwise nothing is stored. A command that another one got in the way of, or that lost its connection before its
   * commit, is run again.
   *
   * @throws PostgresError; `outcome_unknown` when the connection was lost during the commit.
   */
  write<Result>(begin: () => Command<Result>, options?: WriteOptions): Promise<Result>;
  close(): Promise<void>;
}

/** Runs a command: the next step when all statements of the one before have their outcomes. */
async function runCommand<Result>({ run }: Connection, command: Command<Result>): Promise<Result> {
  let step = command.next([]);
  while (!step.done) {
    let outcomes: Outcome[];
    try {
      outcomes = await run(step.value);
    } catch (error) {
      step = command.throw(error);
      continue;
    }
    step = command.next(outcomes);
  }
  return step.value;
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
  let driver: Promise<Driver> | undefined;
  let prepared: Promise<void> | undefined;
  let isClosed = false;
  /** New until it was first reached: a start that fails has its own error. */
  let state: 'new' | 'reached' | 'unreachable' = 'new';
  let heardAt = 0;

  async function use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new PostgresError('closed', `${name} was closed.`);
    driver ??= openDriver(url, connectTimeoutMs);
    return (await driver).use(work);
  }

  /** Cuts all connections, if none had a response for long, or a command that has begun then has none for very long. */
  async function giveUpIfSilent(begunAt: number): Promise<void> {
    const now = performance.now();
    if (now - heardAt < maxSilenceMs && now - begunAt < maxSilenceMs * maxSilences) return;
    (await driver)?.cut();
  }

  async function commit(connection: Connection): Promise<void> {
    // Then it was not sent.
    if (connection.loss() !== null) throw connection.loss();
    try {
      await connection.run([text('COMMIT')]);
    } catch (error) {
      if (!isLost(error)) throw error;
      throw new PostgresError(
        'outcome_unknown',
        `The connection to ${name} was lost during a commit (${codeOf(error)}): whether it was stored is not known.`,
        { cause: error },
      );
    }
    onCommit?.();
  }

  async function transact<Result>(connection: Connection, command: Command<Result>): Promise<Result> {
    await connection.run([text('BEGIN')]);
    let result: Result;
    try {
      result = await runCommand(connection, command);
    } catch (error) {
      // If it fails, too, the connection is lost or closed, which rolls back.
      await connection.run([text('ROLLBACK')]).catch(() => {});
      throw error;
    }
    if (isConflict(result)) await connection.run([text('ROLLBACK')]);
    else await commit(connection);
    return result;
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
    read: (begin) => retried(() => use((connection) => runCommand(connection, begin()))),
    write: (begin, options) => retried(() => use((connection) => transact(connection, begin())), options),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await driver)?.close();
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
    async read(begin) {
      await whenPrepared();
      return direct.read(begin);
    },
    async write(begin, options) {
      await whenPrepared();
      return direct.write(begin, options);
    },
    close: direct.close,
  };
}
