import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Row, text } from '../../rows/columns.ts';
import { DatabaseSync } from '../node-sqlite.ts';
import { busyTimeout } from '../open-database.ts';
import { logOf, sizeOf } from '../store-file.ts';
import { sqliteCode, sqliteCodes } from '../store-file-error.ts';

/** Returns a database's URL for SQLite. With `atRest`, SQLite creates no file next to the database, and nothing may write to it. */
export function databaseUrl(path: string, { atRest }: { atRest: boolean }): string {
  const url = pathToFileURL(path);
  if (atRest) url.searchParams.set('immutable', '1');
  return url.href;
}

/** Source text for `node --eval`, which works from any bundle, unlike a separate file. */
const script = `
  const [location, sql] = process.argv.slice(1);
  try {
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(location, { readOnly: true, timeout: ${busyTimeout} });
    process.stdout.write(JSON.stringify({ rows: db.prepare(sql).all() }));
  } catch ({ message, errcode }) {
    process.stdout.write(JSON.stringify({ message, errcode }));
  }`;

type QueryResult = { rows: Row[] } | { message: string; errcode: number };

const execute = promisify(execFile);

async function runQuery(
  location: string,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<QueryResult> {
  try {
    const { stdout } = await execute(process.execPath, ['--eval', script, location, sql], {
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    return JSON.parse(stdout) as QueryResult; // Safe: the script writes nothing else.
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Maximum size of a small store, in bytes: SQLite reads it faster than a process starts. */
const smallBytes = 4 * 1_024 ** 2;

function isSmall(location: string): boolean {
  const path = fileURLToPath(location);
  return sizeOf(path) + sizeOf(logOf(path)) <= smallBytes;
}

/**
 * Runs a query that reads a whole file, which may take minutes on a slow disk. A large file is read in a subprocess, because SQLite can't
 * interrupt a query and a thread can't end before it.
 */
async function queryFile(location: string, sql: string, signal?: AbortSignal): Promise<Row[]> {
  signal?.throwIfAborted();
  if (isSmall(location)) {
    using db = new DatabaseSync(location, { readOnly: true, timeout: busyTimeout });
    return db.prepare(sql).all();
  }
  const result = await runQuery(location, sql, signal);
  if ('rows' in result) return result.rows;
  throw Object.assign(new Error(result.message), { errcode: result.errcode });
}

/** Level of a check. `quick` checks the structure. `full` also compares indexes with their tables, and foreign keys with their rows. */
export type CheckLevel = 'quick' | 'full';

/** Maximum number of errors to read; a damaged file may have millions. */
const maxLines = 10;

/** Tells whether a line is the headline with which SQLite's list starts. */
const isHeadline = (line: string): boolean => line.startsWith('***');

async function structureDamage(location: string, depth: CheckLevel, signal?: AbortSignal): Promise<string[]> {
  const pragma = depth === 'full' ? 'integrity_check' : 'quick_check';
  const rows = await queryFile(location, `PRAGMA ${pragma}(${maxLines})`, signal);
  return rows
    .flatMap((row) => text(row, pragma).split('\n'))
    .filter((line) => line !== 'ok' && !isHeadline(line));
}

async function orphans(location: string, signal?: AbortSignal): Promise<string[]> {
  const rows = await queryFile(
    location,
    'SELECT "table", parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2',
    signal,
  );
  return rows.map(({ table, parent, rows }) => `${table}: ${rows} rows refer to missing rows of ${parent}`);
}

/** Checks a database for damage. Returns SQLite's error messages; empty for an intact database. */
export async function findDamage(
  location: string,
  depth: CheckLevel,
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
