import type { DatabaseSync } from 'node:sqlite';

/** About as often as SQLite would do it by itself, which is after 1,000 pages. */
const commandsBetween = 400;

/**
 * Writes the log to the database after every `after` commands. SQLite would do so as a part of a commit, but say nothing of a
 * failure: the log would grow without end on a disk that is failing, and nobody would know.
 *
 * @returns the function to call after each commit, with the number of its commands.
 */
export function prepareCheckpoints(
  db: DatabaseSync,
  failed: (error: unknown) => void,
  after = commandsBetween,
): (commands: number) => void {
  db.exec('PRAGMA wal_autocheckpoint = 0');
  // Waits for nobody: what others still read stays in the log until the next time.
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let commandsSince = 0;

  function run(): void {
    if (!db.isOpen) return;
    try {
      checkpoint.get();
    } catch (error) {
      failed(error);
    }
  }

  return (commands) => {
    commandsSince += commands;
    if (commandsSince < after) return;
    commandsSince = 0;
    // Later, so that the responses don't wait for it.
    setImmediate(run);
  };
}
