import { join } from 'node:path';
import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { program } from '../../../soak/webhooks/index.ts';
import { sendUnderKills } from '../../../soak/webhooks/run.ts';
import { bundled } from '../../../test/shared.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { serverStarter } from './helpers/spawn-server.ts';

const database = usePostgres();

// The short form of `pnpm soak webhooks` and `webhooks-postgres`, both at the same time: half of their time they wait.
it.concurrent.each(['file', 'postgres'] as const)(
  'delivers events at least once and in sequence from a %s store, even if senders are killed',
  async (kind) => {
    await using resources = new AsyncDisposableStack();
    const start = serverStarter(await bundled(program));
    const folder = resources.use(await temporaryFolder());
    const store =
      kind === 'postgres'
        ? ({ kind, url: await database.newSchema() } as const)
        : ({ kind, path: join(folder.path, 'webhooks.db') } as const);
    const result = await sendUnderKills(start, {
      ...{ store, servers: kind === 'file' ? 1 : 2, events: 120, kills: 2, failShare: 0.3, maxFailed: 1 },
      random: seededRandom(sha256Hex, '29'),
    });
    expect(result.events).toBeGreaterThanOrEqual(120);
    expect(result.failed).toBeGreaterThan(10);
    expect(result.attempts).toBeGreaterThanOrEqual(result.events + result.failed);
  },
  120_000,
);
