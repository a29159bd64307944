import { join } from 'node:path';
import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { sendKeys } from '../../../soak/idempotency/index.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('creates one order for each key that is sent 20 times at once, even though the server is killed six times', async () => {
  await using folder = await temporaryFolder();
  const { kills, responses, unanswered } = await sendKeys(startServerProcess, {
    ...{ keys: 12, sends: 20, together: 2, kills: 6 },
    store: { kind: 'file', path: join(folder.path, 'topup.db') },
    servers: 1,
    random: seededRandom(sha256Hex, '20'),
  });
  expect(kills).toBe(6);
  expect(unanswered).toBeGreaterThan(0);
  expect(responses).toBeGreaterThan(40);
}, 60_000);
