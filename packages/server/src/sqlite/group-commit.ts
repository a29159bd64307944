import type { DatabaseSync } from 'node:sqlite';
import { isBusy, lockedByOther } from './store-file-error.ts';

/** The steps of one transaction that holds many commands; each throws when it fails. */
export interface Transaction {
  begin(): void;
  commit(): void;
  /** Never throws, because it runs after an error. */
  rollBack(): void;
  /** Before each command. */
  savepoint(): void;
  /** After a command whose changes stay. */
  keep(): void;
  /** After a command whose changes don't. */
  undo(): void;
}

export interface GroupCommitOptions {
  transaction: Transaction;
  /** Whether the changes of a command with this result stay; those of a conflict don't. */
  keeps: (result: object) => boolean;
  /** Whether a begin failed only because somebody else writes: then later commands may well succeed. */
  isBusy: (error: unknown) => boolean;
  /** Whether the error of a command leaves the other commands of its transaction whole. */
  concernsOneCommand: (error: unknown) => boolean;
  /** Called once, when it is unknown what is on disk; returns what this batch and all later commands reject with. */
  onFailure: (error: unknown) => Error;
}

export interface GroupCommit {
  /** Runs a command together with the others of this turn of the event loop; resolves after their commit. */
  run<Result extends object>(command: () => Result): Promise<Result>;
  /** Runs what is queued, then rejects all later commands with this error. */
  stop(reason: Error): void;
}

interface Outcome {
  stays: boolean;
  /** Resolves or rejects the caller's promise; only after the commit. */
  settle: () => void;
}

interface Queued {
  run: () => Outcome;
  reject: (error: unknown) => void;
}

/**
 * Shares one commit, which waits for the disk, among all commands of one turn of the event loop. Each command still
 * happens whole or not at all, by a savepoint of its own, and none is answered before the commit returned.
 *
 * @example
 * const placed = await commits.run(() => insertOrder(order));
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { transaction, keeps, isBusy, concernsOneCommand, onFailure } = options;
  let queue: Queued[] = [];
  let stopped: Error | null = null;

  function attempt({ run, reject }: Queued): Outcome {
    try {
      return run();
    } catch (error) {
      if (!concernsOneCommand(error)) throw error;
      return { stays: false, settle: () => reject(error) };
    }
  }

  function runInSavepoint(queued: Queued): Outcome {
    transaction.savepoint();
    const outcome = attempt(queued);
    if (outcome.stays) transaction.keep();
    else transaction.undo();
    return outcome;
  }

  function rejectAll(batch: Queued[], error: unknown): void {
    for (const { reject } of batch) reject(error);
  }

  function fail(batch: Queued[], error: unknown): void {
    transaction.rollBack();
    stopped = onFailure(error);
    rejectAll(batch, stopped);
  }

  function begin(batch: Queued[]): boolean {
    try {
      transaction.begin();
      return true;
    } catch (error) {
      if (isBusy(error)) rejectAll(batch, error);
      else fail(batch, error);
      return false;
    }
  }

  function runAndCommit(batch: Queued[]): Outcome[] {
    try {
      const outcomes = batch.map(runInSavepoint);
      if (outcomes.some(({ stays }) => stays)) transaction.commit();
      else transaction.rollBack();
      return outcomes;
    } catch (error) {
      fail(batch, error);
      return [];
    }
  }

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 0 || !begin(batch)) return;
    for (const { settle } of runAndCommit(batch)) settle();
  }

  function enqueue(queued: Queued): void {
    if (queue.length === 0) setImmediate(flush);
    queue.push(queued);
  }

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(stopped);
        enqueue({
          run() {
            const result = command();
            return { stays: keeps(result), settle: () => resolve(result) };
          },
          reject,
        });
      }),
    stop(reason) {
      flush();
      stopped ??= reason;
    },
  };
}

/** The transaction of a connection, as prepared statements. */
export function prepareTransaction(db: DatabaseSync, path: string): Transaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT command');
  const release = db.prepare('RELEASE command');
  const rollBackTo = db.prepare('ROLLBACK TO command');

  return {
    begin() {
      try {
        begin.run();
      } catch (error) {
        throw isBusy(error) ? lockedByOther(path, error) : error;
      }
    },
    commit: () => void commit.run(),
    rollBack() {
      // After some errors SQLite has rolled back by itself.
      if (!db.isTransaction) return;
      try {
        db.exec('ROLLBACK');
      } catch {
        // Reads would go on to show what was never committed.
        db.close();
      }
    },
    savepoint: () => void savepoint.run(),
    keep: () => void release.run(),
    undo() {
      rollBackTo.run();
      release.run();
    },
  };
}
