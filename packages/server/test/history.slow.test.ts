import { seededRandom } from '@topup-kit/core/platform';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../soak/history/check.ts';
import { type Fault, faultNames } from '../../../soak/history/faults.ts';
import { expectNone } from '../../../soak/history/index.ts';
import { recordAndCheck } from '../../../soak/history/run.ts';
import { bundled } from '../../../test/shared.ts';
import { sha256Hex } from '../src/internal.ts';
import { startPostgres } from './helpers/postgres.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { serverStarter } from './helpers/spawn-server.ts';

const start = serverStarter(await bundled(new URL('../../../soak/history/serve.ts', import.meta.url)));

it('shows clients of two servers on one PostgreSQL only one legal sequence of states, despite kills and cut connections', async () => {
  await using database = await startPostgres();
  await using folder = await temporaryFolder();
  const result = await recordAndCheck(start, {
    ...{ operations: 400, kills: 2, folder: folder.path, database },
    random: seededRandom(sha256Hex, '2'),
  });
  expectNone(result);
  expect(result).toMatchObject({ found: 0, kills: 1, cuts: 1 });
  expect(result.unknown).toBeGreaterThan(0);
}, 60_000);

/** A rule by which each fault must be found. */
const found: Record<Fault, Rule> = {
  'a lost update': 'one legal sequence',
  'a stale read': 'no old state',
  'a key forgotten': 'one order a key',
  'a state that goes back': 'no old state',
  'a commit told before it was one': 'no old state',
};

describe('differences that the checker finds after a server was killed', () => {
  it.each(faultNames)(
    'finds a difference after a server was killed: %s',
    async (fault) => {
      await using folder = await temporaryFolder();
      const { byRule } = await recordAndCheck(start, {
        ...{ operations: 1_500, kills: 2, folder: folder.path, fault },
        random: seededRandom(sha256Hex, '3'),
      });
      expect(byRule).toHaveProperty([found[fault]]);
    },
    60_000,
  );
});
