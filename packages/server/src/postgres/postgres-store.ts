import type { Store } from '@topup-kit/core/store';
import { methodsOf, type RunCommand } from '../sql/command.ts';
import { announcedWrites, reads, writes } from '../sql/commands.ts';
import { createCallbacks } from './callbacks.ts';
import { connect } from './connection.ts';
import { createKeys } from './keys.ts';
import { claimWork, noteServer } from './leases.ts';
import { prepareTables } from './migrate.ts';
import {
  abandonOrder,
  changeOrder,
  clearOrders,
  finaliseOrder,
  findResponse,
  placeOrder,
  reserveOrder,
} from './order-commands.ts';
import { createOrderQueries } from './order-queries.ts';
import type { PostgresError } from './postgres-error.ts';
import {
  countPromoUses,
  putPromo,
  readCatalog,
  readOperatorPromos,
  replaceCatalog,
  seedCatalog,
} from './promos.ts';
import { createReconciliations } from './reconciliations.ts';
import { createRefunds } from './refunds.ts';
import { createRevision } from './revision.ts';
import { runCommand } from './run-command.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** Called after each commit with the number of its commands. */
  onCommit?: ((commands: number) => void) | undefined;
  /** Called when the database can't be reached any more, with the reason, and with null when it can be again. */
  onChange?: ((failure: PostgresError | null) => void) | undefined;
}

/**
 * Creates a store in a PostgreSQL database. It connects, and creates its tables, when it is first used. Any number of processes may use
 * it at once. Its methods throw PostgresError when the database can't be used, or has tables of an older format.
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
  const revision = createRevision(connection);
  const keys = createKeys(connection);

  const write: RunCommand = (begin) => connection.write((sql) => runCommand(sql, begin()));

  /** After a change of the catalogue or the keys, this process sees it at once. */
  const withNewRevision = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change;
    revision.forget();
    return result;
  };

  return {
    ...methodsOf(reads, (begin) => connection.read((sql) => runCommand(sql, begin()))),
    ...methodsOf(writes, write),
    ...methodsOf(announcedWrites, (begin) => withNewRevision(write(begin))),
    ...createOrderQueries(connection),
    ...createCallbacks(connection),
    ...createRefunds(connection),
    ...createReconciliations(connection),

    revision: revision.read,
    readCatalog: () => readCatalog(connection),
    replaceCatalog: (catalog) => withNewRevision(replaceCatalog(connection, catalog)),
    seedCatalog: (catalog) => withNewRevision(seedCatalog(connection, catalog)),
    readOperatorPromos: () => readOperatorPromos(connection),
    putPromo: (promo) => withNewRevision(putPromo(connection, promo)),
    countPromoUses: (code, customer) => countPromoUses(connection, code, customer),

    ...keys,
    createKey: (key) => withNewRevision(keys.createKey(key)),
    revokeKey: (keyId, revokedAt) => withNewRevision(keys.revokeKey(keyId, revokedAt)),
    rotateKey: (keyId, next, until) => withNewRevision(keys.rotateKey(keyId, next, until)),

    placeOrder: (command) => placeOrder(connection, command),
    reserveOrder: (command) => reserveOrder(connection, command),
    finaliseOrder: (command) => finaliseOrder(connection, command),
    abandonOrder: (orderId) => abandonOrder(connection, orderId),
    changeOrder: (command) => changeOrder(connection, command),
    clearOrders: () => clearOrders(connection),

    claimWork: (...claim) => claimWork(connection, ...claim),
    noteServer: (server, now) => noteServer(connection, server, now),

    findIdempotentResponse: (accountId, key, now) => findResponse(connection, accountId, key, now),
    purgeIdempotentResponses: async (now, limit) => {
      const { count } = await connection.read(
        (sql) => sql`
          DELETE FROM idempotent_responses WHERE (account_id, key) IN (
            SELECT account_id, key FROM idempotent_responses WHERE expires_at <= ${now}
            ORDER BY expires_at LIMIT ${limit})
          AND expires_at <= ${now}`,
      );
      return count;
    },

    close: () => connection.close(),
  };
}
