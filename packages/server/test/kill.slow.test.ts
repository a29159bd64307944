import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { killUnderLoad } from '../../../soak/kill/run.ts';
import { sha256Hex } from '../src/index.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('a server that is killed again and again keeps all orders and payments, once and complete', async () => {
  await using folder = await temporaryFolder();
  const { acknowledged, unanswered, paid } = await killUnderLoad(startServerProcess, {
    ...{ kills: 15, ordersEach: 200, folder: folder.path },
    random: seededRandom(sha256Hex, '15'),
  });
  expect(acknowledged).toBeGreaterThan(15);
  expect(unanswered).toBeGreaterThan(15);
  expect(paid).toBeGreaterThan(15);
}, 120_000);
