import { integer } from '../rows/columns.ts';
import { type Command, run } from './command.ts';
import { sql } from './statement.ts';

export function* readRevision(): Command<number> {
  const [row = {}] = (yield* run(sql`SELECT value FROM revisions WHERE name = 'catalog_and_keys'`)).rows;
  return integer(row, 'value');
}

/** Tells every process of a change. Changes of the catalogue, a list of a supplier and the keys also wait for each other here. */
export const growRevision = sql`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys'`;
