import type { Transaction } from './connection.ts';

/** Tells every process of a change. Changes of the catalogue, a list of a supplier and the keys also wait for each other here. */
export const growRevision = (sql: Transaction): Promise<unknown> =>
  sql`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys'`;
