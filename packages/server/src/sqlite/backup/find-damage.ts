import { text } from '../columns.ts';
import { sqliteCode, sqliteCodes } from '../sqlite-codes.ts';
import { queryApart } from './query-apart.ts';

/** `quick` looks at the structure; `full` also compares indexes with their tables, and rows with those they name. */
export type CheckDepth = 'quick' | 'full';

/** More lines would not tell more: the file is damaged. */
const mostLines = 10;

/** SQLite opens its list with a headline of its own. */
const isHeadline = (line: string): boolean => line.startsWith('***');

async function structureDamage(location: string, depth: CheckDepth, signal?: AbortSignal): Promise<string[]> {
  const pragma = depth === 'full' ? 'integrity_check' : 'quick_check';
  const rows = await queryApart(location, `PRAGMA ${pragma}(${mostLines})`, signal);
  return rows
    .flatMap((row) => text(row, pragma).split('\n'))
    .filter((line) => line !== 'ok' && !isHeadline(line));
}

async function orphans(location: string, signal?: AbortSignal): Promise<string[]> {
  const rows = await queryApart(
    location,
    'SELECT "table", parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2',
    signal,
  );
  return rows.map(({ table, parent, rows }) => `${table}: ${rows} rows name what is not in ${parent}`);
}

/** What is wrong with a database, in SQLite's words; nothing when it is whole. */
export async function findDamage(
  location: string,
  depth: CheckDepth,
  signal?: AbortSignal,
): Promise<string[]> {
  try {
    const damage = await structureDamage(location, depth, signal);
    return damage.length === 0 && depth === 'full' ? await orphans(location, signal) : damage;
  } catch (error) {
    if (sqliteCode(error) === sqliteCodes.corrupt && error instanceof Error) return [error.message];
    throw error;
  }
}
