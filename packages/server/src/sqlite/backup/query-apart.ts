import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Row } from '../columns.ts';
import { busyTimeout } from '../open-database.ts';

/** A database as SQLite is told of it; one at rest is read without any file beside it. */
export function locationOf(path: string, { atRest }: { atRest: boolean }): string {
  const url = pathToFileURL(path);
  if (atRest) url.searchParams.set('immutable', '1');
  return url.href;
}

/** Written out for Node itself, which needs none of our files for it, wherever they were bundled to. */
const script = `
  const [location, sql] = process.argv.slice(1);
  try {
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(location, { readOnly: true, timeout: ${busyTimeout} });
    process.stdout.write(JSON.stringify({ rows: db.prepare(sql).all() }));
  } catch ({ message, errcode }) {
    process.stdout.write(JSON.stringify({ message, errcode }));
  }`;

type Answer = { rows: Row[] } | { message: string; errcode: number };

const run = promisify(execFile);

async function ask(location: string, sql: string, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    const { stdout } = await run(process.execPath, ['--eval', script, location, sql], {
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    return JSON.parse(stdout) as Answer; // safe: the script writes nothing else
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Asks a query that reads a whole file, which may take minutes on a slow disk, in a process of its own: SQLite can't be
 * stopped in the middle of one, and a thread can't end before it.
 */
export async function queryApart(location: string, sql: string, signal?: AbortSignal): Promise<Row[]> {
  const answer = await ask(location, sql, signal);
  if ('rows' in answer) return answer.rows;
  throw Object.assign(new Error(answer.message), { errcode: answer.errcode });
}
