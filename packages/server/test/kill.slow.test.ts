import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { killUnderLoad } from '../../../soak/kill/run.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('keeps all orders and payments, once and complete, even though the server is killed repeatedly', async () => {
  await using folder = await temporaryFolder();
  const { acknowledged, unanswered, paid } = await killUnderLoad(startServerProcess, {
    ...{ kills: 6, ordersEach: 200, folder: folder.path },
    random: seededRandom(sha256Hex, '6'),
  });
  expect(acknowledged).toBeGreaterThan(6);
  expect(unanswered).toBeGreaterThan(6);
  expect(paid).toBeGreaterThan(6);
}, 120_000);
