import { secureRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';
import { killUnderLoad } from './soak/kill/run.ts';

it('a server that is killed while it takes orders and payments has all of them, once and complete, after a restart', async () => {
  await using folder = await temporaryFolder();
  const { orders } = await killUnderLoad(startServerProcess, {
    kills: 2,
    folder: folder.path,
    random: secureRandom,
  });
  expect(orders).toBeGreaterThan(0);
}, 60_000);
