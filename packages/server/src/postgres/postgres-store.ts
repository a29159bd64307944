import type { Store } from '@topup-kit/core/store';
import { announcedWrites, reads, writes } from '../features/commands.ts';
import { dropResponses, hasDueResponses } from '../sql/idempotency.ts';
import { readRevision } from '../sql/state.ts';
import { methodsOf, type RunCommand } from '../sql/statement.ts';
import { connect } from './connection.ts';
import { claimWork, noteServer } from './leases.ts';
import { prepareTables } from './migrate.ts';
import type { PostgresError } from './postgres-error.ts';
import { createRevision } from './revision.ts';
import { runCommand } from './run-command.ts';

export interface PostgresStoreOptions {
  /** Address of the database: `postgres://user:password@host:port/database`. */
  url: string;
  /** Called after each commit with the number of its commands. */
  onCommit?: ((commands: number) => void) | undefined;
  /** Called with the reason when the database becomes unreachable, and with null when it is reachable again. */
  onChange?: ((failure: PostgresError | null) => void) | undefined;
}

/**
 * Creates a store in a PostgreSQL database. It connects, and creates its tables, on first use. Any number of processes may use it. Its
 * methods throw PostgresError if the database can't be used, or has tables of an older format.
 *
 * @example
 * const store = createPostgresStore({ url: 'postgres://topup:secret@127.0.0.1/topup' });
 */
export function createPostgresStore({ url, onCommit, onChange }: PostgresStoreOptions): Store {
  const connection = connect(url, {
    prepare: prepareTables,
    onCommit: onCommit && (() => onCommit(1)),
    onChange,
  });
  const revision = createRevision(() => connection.read((sql) => runCommand(sql, readRevision())));

  const read: RunCommand = (begin) => connection.read((sql) => runCommand(sql, begin()));
  const write: RunCommand = (begin) => connection.write((sql) => runCommand(sql, begin()));

  return {
    ...methodsOf(reads, read),
    ...methodsOf(writes, write),
    // This process sees its own changes of catalogue and keys immediately.
    ...methodsOf(announcedWrites, async (begin) => {
      const result = await write(begin);
      revision.forget();
      return result;
    }),

    revision: revision.read,
    dropIdempotentResponses: async (now, limit) =>
      (await read(() => hasDueResponses(now))) ? write(() => dropResponses(now, limit)) : 0,

    claimWork: (...claim) => write(() => claimWork(...claim)),
    noteServer: (...note) => write(() => noteServer(...note)),

    close: () => connection.close(),
  };
}
