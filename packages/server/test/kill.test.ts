import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { killUnderLoad } from '../../../soak/kill/run.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('keeps all orders and payments, once and complete, after a kill and a restart', async () => {
  await using folder = await temporaryFolder();
  const { acknowledged, unanswered, paid } = await killUnderLoad(startServerProcess, {
    ...{ kills: 1, ordersEach: 40, folder: folder.path },
    random: seededRandom(sha256Hex, '2'),
  });
  expect(acknowledged).toBeGreaterThan(0);
  expect(unanswered).toBeGreaterThan(0);
  expect(paid).toBeGreaterThan(0);
}, 60_000);
