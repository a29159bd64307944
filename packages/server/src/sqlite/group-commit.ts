import type { DatabaseSync } from 'node:sqlite';

/** Steps of a transaction with many commands. Each step throws if it fails. */
export interface Transaction {
  begin(): void;
  commit(): void;
  /** Rolls back. Never throws, because it runs after an error. */
  rollBack(): void;
  /** Called before each command. */
  savepoint(): void;
  /** Called after a command whose changes stay. */
  keep(): void;
  /** Called after a command whose changes are undone. */
  undo(): void;
}

/** Decides whether transactions are possible, and explains their errors. */
export interface WriteGate {
  /** Returns the reason why writing is impossible now; null if it may succeed. Called before each transaction. */
  obstacle(): Error | null;
  /** Called after a transaction has begun, which shows that no other process has locked the file. */
  begun(): void;
  /** Called if another process writes for too long. Returns the error for the waiting commands. */
  busy(error: unknown): Error;
  /** Called after a transaction failed and was rolled back, or could not begin. Returns the error for its commands. */
  failed(error: unknown): Error;
}

export interface GroupCommitOptions {
  transaction: Transaction;
  gate: WriteGate;
  /** Tells whether the changes of a command with this result stay. Changes of a conflict are undone. */
  keeps: (result: unknown) => boolean;
  /** Tells whether BEGIN failed only because another process is writing; it is then tried again. */
  isBusy: (error: unknown) => boolean;
  /** Tells whether an error affects only its own command, and no others in the transaction. */
  concernsOneCommand: (error: unknown) => boolean;
  /** Called after each commit with the number of its commands. */
  onCommit?: ((commands: number) => void) | undefined;
}

interface GroupCommit {
  /** Runs a command together with the others in the same turn of the event loop. Resolves after their common commit. */
  run<Result>(command: () => Result): Promise<Result>;
  /** Rejects all later commands with this error. Resolves after the queued commands have run. */
  stop(reason: Error): Promise<void>;
}

/** Maximum time that a command waits while another process writes, in milliseconds. */
export const maxWaitMs = 2_000;

/** First and longest pause between two attempts to begin while another process writes, in milliseconds. */
const firstPauseMs = 5;
const longestPauseMs = 100;

interface Outcome {
  keep: boolean;
  /** Settles the caller's promise. Called only after the commit. */
  settle: () => void;
}

interface Queued {
  /** Time when the command was called, by `performance.now()`. */
  since: number;
  run: () => Outcome;
  reject: (error: unknown) => void;
}

/**
 * Runs all commands of one turn of the event loop in one transaction, because each commit waits for the disk. Every command has its own
 * savepoint, so it remains atomic. Its promise resolves only after the commit.
 *
 * While another process writes, commands wait in the queue and the event loop continues, so that reads are served.
 *
 * @example
 * const placed = await commits.run(() => insertOrder(order));
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { transaction, gate, keeps, isBusy, concernsOneCommand, onCommit } = options;
  let queue: Queued[] = [];
  let isScheduled = false;
  let pauseMs = firstPauseMs;
  let closed: Error | null = null;
  const emptied = new Set<() => void>();

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

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  /** Rejects commands that have waited too long; the others keep waiting. */
  function waitOn(batch: Queued[], error: unknown): void {
    const earliest = performance.now() - maxWaitMs;
    const late = batch.filter(({ since }) => since <= earliest);
    queue = batch.filter(({ since }) => since > earliest);
    if (late.length > 0) rejectAll(late, gate.busy(error));
    if (queue.length === 0) return;
    isScheduled = true;
    setTimeout(flush, pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }

  function begin(batch: Queued[]): boolean {
    try {
      transaction.begin();
    } catch (error) {
      if (isBusy(error)) waitOn(batch, error);
      else rejectAll(batch, gate.failed(error));
      return false;
    }
    pauseMs = firstPauseMs;
    gate.begun();
    return true;
  }

  function runAndCommit(batch: Queued[]): Outcome[] {
    try {
      const outcomes = batch.map(runInSavepoint);
      const kept = outcomes.filter(({ keep }) => keep).length;
      if (kept > 0) {
        transaction.commit();
        onCommit?.(kept);
      } else transaction.rollBack();
      return outcomes;
    } catch (error) {
      transaction.rollBack();
      rejectAll(batch, gate.failed(error));
      return [];
    }
  }

  function runBatch(batch: Queued[]): void {
    const obstacle = gate.obstacle();
    if (obstacle) rejectAll(batch, obstacle);
    else if (begin(batch)) for (const { settle } of runAndCommit(batch)) settle();
  }

  function flush(): void {
    isScheduled = false;
    const batch = queue;
    queue = [];
    runBatch(batch);
    if (queue.length > 0) return;
    for (const resolve of emptied) resolve();
    emptied.clear();
  }

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closed);
        queue.push({
          since: performance.now(),
          run() {
            const result = command();
            return { keep: keeps(result), settle: () => resolve(result) };
          },
          reject,
        });
        schedule();
      }),
    async stop(reason) {
      closed ??= reason;
      if (queue.length > 0) await new Promise<void>((resolve) => emptied.add(resolve));
    },
  };
}

/** Prepares a connection's statements for transactions. */
export function prepareTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT command');
  const release = db.prepare('RELEASE command');
  const rollBackTo = db.prepare('ROLLBACK TO command');

  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollBack() {
      // After some errors, SQLite rolls back automatically.
      if (!db.isTransaction) return;
      try {
        db.exec('ROLLBACK');
      } catch {
        // Closes the database, because reads would still see uncommitted changes.
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
