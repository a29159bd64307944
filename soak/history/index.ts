import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { startPostgres, type TestPostgres } from '../../packages/server/test/helpers/postgres.ts';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak, SoakOptions } from '../soak.ts';
import type { Verdict } from './check.ts';
import { recordAndCheck } from './run.ts';

const usual = 1_000_000;

/** Number of operations between two faults. */
const killEvery = 5_000;

/** Rejects a history with violations. @throws Error with the first violations. */
export function expectNone({ found, violations }: Verdict): void {
  if (found > 0)
    throw new Error(
      `the history can't be true in ${found} places:\n${violations.map(({ rule, about, sentence }) => `${rule}: ${about}: ${sentence}`).join('\n')}`,
    );
}

async function run(
  start: StartServerProcess,
  folder: string,
  { seed, count: operations = usual, progress }: SoakOptions,
  database?: TestPostgres,
): Promise<string> {
  const result = await recordAndCheck(start, {
    ...{ operations, folder, kills: Math.ceil(operations / killEvery) },
    ...(database && { database }),
    random: seededRandom(sha256Hex, String(seed)),
    progress: (done) => progress(done / operations, `${done} operations`),
  });
  expectNone(result);
  if (result.cuts >= 10 && result.rejected === 0) throw new Error('no request was rejected with 503');
  const { kills, cuts, unknown, rejected, orders, ranMs, checkedMs } = result;
  const rate = Math.round((result.operations * 1_000) / ranMs);
  return `${result.operations} operations on ${orders} orders, ${rate} a second, ${unknown} without a response, ${rejected} more rejected with 503, ${kills} kills, ${cuts} cuts of all connections to the database: one legal sequence of states an order, one order a key, no old state. Checked in ${Math.round(checkedMs / 1_000)} s.`;
}

const about = `Records what clients are told in ${usual.toLocaleString('en')} operations, while servers are killed and connections cut, and proves that it can be true: one legal sequence of states an order, one order a key, and no read older than promised. On`;
const program = new URL('serve.ts', import.meta.url);

export const history: Soak = {
  name: 'history',
  takesSeed: true,
  takesCount: true,
  about: `${about} one server on a file.`,
  run: (options) => withServerProgram((start, folder) => run(start, folder, options), { program }),
};

export const historyOnPostgres: Soak = {
  name: 'history-postgres',
  takesSeed: true,
  takesCount: true,
  about: `${about} two servers on one PostgreSQL.`,
  run: (options) =>
    withServerProgram(
      async (start, folder) => {
        await using database = await startPostgres();
        return await run(start, folder, options, database);
      },
      { program },
    ),
};
