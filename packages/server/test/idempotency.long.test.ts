import { join } from 'node:path';
import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { sendKeys } from '../../../soak/idempotency/index.ts';
import { sha256Hex } from '../src/internal.ts';
import { startPostgres } from './helpers/postgres.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('creates one order for each of 60 keys that are sent 100 times at once, even though the server is killed 6 times', async () => {
  await using folder = await temporaryFolder();
  const { kills, responses, unanswered } = await sendKeys(startServerProcess, {
    ...{ keys: 60, sends: 100, together: 5, kills: 6 },
    store: { kind: 'file', path: join(folder.path, 'topup.db') },
    servers: 1,
    random: seededRandom(sha256Hex, '14'),
  });
  expect(kills).toBe(6);
  expect(unanswered).toBeGreaterThan(6);
  expect(responses).toBeGreaterThan(1000);
}, 60_000);

it('creates one order for each of 60 keys that are sent 100 times at once to two servers on one PostgreSQL, even though one server is killed 6 times', async () => {
  await using database = await startPostgres();
  const { kills, responses, unanswered } = await sendKeys(startServerProcess, {
    ...{ keys: 60, sends: 100, together: 5, kills: 6 },
    store: { kind: 'postgres', url: await database.newSchema() },
    servers: 2,
    random: seededRandom(sha256Hex, '15'),
  });
  expect(kills).toBe(6);
  expect(unanswered).toBeGreaterThan(6);
  expect(responses).toBeGreaterThan(3000);
}, 120_000);
