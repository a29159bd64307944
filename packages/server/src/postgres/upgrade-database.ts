import { readMode } from '../sql/state.ts';
import type { StoreUpgrade, UpgradeOptions } from '../sqlite/index.ts';
import { connect, displayName } from './connection.ts';
import { migrate, newestFormat, readFormat, rejectUnknownFormat } from './migrate.ts';
import { runCommand } from './run-command.ts';

/**
 * Brings a database's store to the newest format, in one transaction, while servers of the previous format may run on it. Resolves with
 * null if there is nothing to do: the store already has that format, or the database has no store.
 *
 * @throws PostgresError if the database can't be reached, or is of a newer version. The database is then unchanged.
 */
export async function upgradeDatabase(
  url: string,
  { checkMode, onStart }: Pick<UpgradeOptions, 'checkMode' | 'onStart'> = {},
): Promise<StoreUpgrade | null> {
  const name = displayName(url);
  const connection = connect(url, { prepare: async () => {} });
  try {
    const version = await readFormat(connection);
    rejectUnknownFormat(version, name);
    if (version === 0 || version === newestFormat) return null;
    const mode = await connection.read((sql) => runCommand(sql, readMode()));
    if (mode !== null) checkMode?.(mode);
    const planned = { from: version, to: newestFormat, copy: null };
    onStart?.(planned);
    const from = await migrate(connection, (found) => rejectUnknownFormat(found, name));
    // Another server upgraded the store first.
    return from === newestFormat ? null : planned;
  } finally {
    await connection.close();
  }
}
