import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { expectNone } from '../../../soak/history/index.ts';
import { recordAndCheck } from '../../../soak/history/run.ts';
import { bundled } from '../../../test/shared.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { serverStarter } from './helpers/spawn-server.ts';

it('shows its clients only one legal sequence of states, even though the server is killed twice', async () => {
  const start = serverStarter(await bundled(new URL('../../../soak/history/serve.ts', import.meta.url)));
  await using folder = await temporaryFolder();
  const result = await recordAndCheck(start, {
    ...{ operations: 1_500, kills: 2, folder: folder.path },
    random: seededRandom(sha256Hex, '1'),
  });
  expectNone(result);
  expect(result).toMatchObject({ found: 0, kills: 2 });
  expect(result.unknown).toBeGreaterThan(0);
  expect(result.orders).toBeGreaterThan(100);
}, 60_000);
