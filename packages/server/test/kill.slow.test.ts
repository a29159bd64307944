import { secureRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';
import { killUnderLoad } from './soak/kill/run.ts';

it('a server that is killed again and again keeps all orders and payments, once and complete', async () => {
  await using folder = await temporaryFolder();
  const { paid } = await killUnderLoad(startServerProcess, {
    kills: 15,
    folder: folder.path,
    random: secureRandom,
  });
  expect(paid).toBeGreaterThan(0);
}, 120_000);
