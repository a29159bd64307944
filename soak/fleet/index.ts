import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { breakFleet } from './run.ts';

const rounds = 60;

export const fleet: Soak = {
  name: 'fleet',
  takesSeed: true,
  about: `Kills one of two servers on one PostgreSQL, stops PostgreSQL at once, and cuts its connections, ${rounds} faults in turn, while clients place and pay orders: nothing that was acknowledged is lost, doubled or incomplete, and nothing is bought twice.`,
  run: ({ seed, progress }) =>
    withServerProgram(
      async (start) => {
        const { orders, acknowledged, disturbed, paid } = await breakFleet(start, {
          rounds,
          ordersEach: 200,
          random: seededRandom(sha256Hex, String(seed)),
          progress: (done, sent) => progress(done / rounds, `${done} faults, ${sent} orders`),
        });
        return `${rounds} faults, ${orders} orders sent, ${acknowledged} acknowledged at once, ${disturbed} after a fault, ${paid} paid and bought once: none lost, doubled or incomplete.`;
      },
      { program: new URL('serve.ts', import.meta.url) },
    ),
};
