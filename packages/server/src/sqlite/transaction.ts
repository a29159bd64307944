import type { DatabaseSync } from 'node:sqlite';
import type { Transaction } from './group-commit.ts';
import { isBusy } from './sqlite-codes.ts';
import { lockedByOther } from './store-file-error.ts';

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
