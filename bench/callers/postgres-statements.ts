/**
 * Runs the statements in STATEMENTS against the database URL over CLIENTS connections, each in its own transaction. A message contains the
 * number of seconds; the response is the number of transactions per second.
 */
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { Statement } from '../postgres-statements.ts';

const { URL: url = '', STATEMENTS = '', UNIQUE = '', CLIENTS = '' } = process.env;
// Safe: bench/measures/postgres.ts wrote it.
const statements = JSON.parse(STATEMENTS) as Statement[];
const unique = UNIQUE.split(' ');
const clients = Number(CLIENTS);
const sql = postgres(url, { max: clients, fetch_types: false, onnotice: () => {} });

const runOnce = (): Promise<unknown> =>
  sql.begin((transaction) => {
    const other = randomUUID();
    const own = (parameter: string | null): string | null =>
      parameter !== null && unique.includes(parameter) ? other : parameter;
    return statements.map(({ text, parameters }) =>
      transaction.unsafe(text, parameters.map(own), { prepare: true }),
    );
  });

async function repeatUntil(end: number): Promise<number> {
  let count = 0;
  for (; performance.now() < end; count += 1) await runOnce();
  return count;
}

process.on('message', async (seconds: number) => {
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: clients }, () => repeatUntil(start + seconds * 1_000)),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  process.send?.((total * 1_000) / (performance.now() - start));
});
process.send?.('ready');
