import type { DatabaseSync } from 'node:sqlite';
import { isBusy, lockedByOther } from './store-file-error.ts';

/** The steps of a transaction that contains many commands. Each throws when it fails. */
export interface Transaction {
  begin(): void;
  commit(): void;
  /** Never throws, because it is called after an error. */
  rollBack(): void;
  /** Called before each command. */
  savepoint(): void;
  /** Called after a command whose changes are kept. */
  keep(): void;
  /** Called after a command whose changes are undone. */
  undo(): void;
}

export interface GroupCommitOptions {
  transaction: Transaction;
  /** Whether the changes of a command with this result are kept. Changes of a conflict are undone. */
  keeps: (result: object) => boolean;
  /** Whether BEGIN failed only because another process is writing; later commands may then succeed. */
  isBusy: (error: unknown) => boolean;
  /** Whether an error affects only its own command, and not the other commands of the transaction. */
  concernsOneCommand: (error: unknown) => boolean;
  /** Called once, when the state of the file is unknown. Returns the error for this batch and for all later commands. */
  onFailure: (error: unknown) => Error;
}

export interface GroupCommit {
  /** Runs a command together with the others of the same turn of the event loop. Resolves after their common commit. */
  run<Result extends object>(command: () => Result): Promise<Result>;
  /** Runs the queued commands, then rejects all later ones with this error. */
  stop(reason: Error): void;
}

interface Outcome {
  keep: boolean;
  /** Resolves or rejects the caller's promise. Called only after the commit. */
  settle: () => void;
}

interface Queued {
  run: () => Outcome;
  reject: (error: unknown) => void;
}

/**
 * Runs all commands of one turn of the event loop in one transaction, because each commit waits for the disk. Every
 * command has its own savepoint and so remains atomic. Its promise resolves only after the commit.
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
      return { keep: false, settle: () => reject(error) };
    }
  }

  function runInSavepoint(queued: Queued): Outcome {
    transaction.savepoint();
    const outcome = attempt(queued);
    if (outcome.keep) transaction.keep();
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
      if (outcomes.some(({ keep }) => keep)) transaction.commit();
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
            return { keep: keeps(result), settle: () => resolve(result) };
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

/** Prepares the statements for the transactions of a connection. */
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
      // After some errors SQLite rolls back by itself.
      if (!db.isTransaction) return;
      try {
        db.exec('ROLLBACK');
      } catch {
        // Otherwise reads would still see changes that were never committed.
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
