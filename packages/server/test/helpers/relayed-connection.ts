import { connect } from '../../src/postgres/connection.ts';
import { startTcpRelay } from './tcp-relay.ts';

/** A connection to a database with a counter, through a relay that can be cut or frozen. */
export async function relayedConnection(url: string, maxSilenceMs = 10_000) {
  const resources = new AsyncDisposableStack();
  const direct = new URL(url);
  const relay = resources.use(await startTcpRelay(Number(direct.port)));
  direct.port = String(relay.port);
  const changes: (string | null)[] = [];
  const connection = connect(direct.href, {
    prepare: async ({ read }) => {
      await read((sql) => sql`CREATE TABLE IF NOT EXISTS counter (value BIGINT)`);
      await read((sql) => sql`DELETE FROM counter`);
      await read((sql) => sql`INSERT INTO counter VALUES (0)`);
    },
    onChange: (failure) => changes.push(failure ? failure.problem : null),
    maxSilenceMs,
  });
  resources.defer(() => connection.close());
  const increment = () =>
    connection.write(async (sql) => {
      await sql`UPDATE counter SET value = value + 1`;
      return {};
    });
  const value = async () => (await connection.read((sql) => sql`SELECT value FROM counter`))[0]?.value;
  const values = (count: number) => Promise.all(Array.from({ length: count }, value));
  return {
    relay,
    changes,
    connection,
    increment,
    value,
    values,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
