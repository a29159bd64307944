import { join } from 'node:path';
import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { startPostgres } from '../../packages/server/test/helpers/postgres.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { sendUnderKills, type WebhookResult, type WebhookRun } from './run.ts';

const sizes = { events: 10_000, kills: 20, failShare: 0.3, maxFailed: 3 };

/** Program of a server whose time passes faster. */
export const program = new URL('serve.ts', import.meta.url);

const sentence = ({ orders, events, attempts, failed }: WebhookResult): string =>
  `${events} events of ${orders} orders arrived, each with one id and in the order of its order's changes, by ${attempts} attempts of which ${failed} failed, and ${sizes.kills} kills.`;

const createSoak = (
  name: string,
  about: string,
  open: (folder: string, resources: AsyncDisposableStack) => Promise<Pick<WebhookRun, 'store' | 'servers'>>,
): Soak => ({
  name,
  takesSeed: true,
  about,
  run: ({ seed, progress }) =>
    withServerProgram(
      async (start, folder) => {
        await using resources = new AsyncDisposableStack();
        const result = await sendUnderKills(start, {
          ...(await open(folder, resources)),
          ...sizes,
          random: seededRandom(sha256Hex, String(seed)),
          progress: (events, doing) => progress(events / sizes.events, doing),
        });
        return sentence(result);
      },
      { program },
    ),
});

const what = `${sizes.events.toLocaleString('en')} events are sent while ${sizes.failShare * 100} % of the deliveries fail and ${sizes.kills} times a sender is killed: each arrives, with one id, in the order of its order's changes, and no other does.`;

export const webhooks: Soak = createSoak('webhooks', what, async (folder) => ({
  store: { kind: 'file', path: join(folder, 'webhooks.db') },
  servers: 1,
}));

export const webhooksOnPostgres: Soak = createSoak(
  'webhooks-postgres',
  `The same by two servers on one PostgreSQL.`,
  async (_folder, resources) => {
    const database = resources.use(await startPostgres({ durable: true }));
    return { store: { kind: 'postgres', url: await database.newSchema() }, servers: 2 };
  },
);
