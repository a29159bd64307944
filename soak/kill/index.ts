import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { killUnderLoad } from './run.ts';

const createKillSoak = (kills: number): Soak => ({
  name: 'kill',
  takesSeed: true,
  about: `Kills a server ${kills.toLocaleString('en')} times while clients place and pay orders: nothing that was acknowledged is lost, doubled or incomplete.`,
  run: ({ seed, progress }) =>
    withServerProgram(async (start, folder) => {
      const { orders, acknowledged, unanswered, paid } = await killUnderLoad(start, {
        kills,
        ordersEach: 200,
        folder,
        random: seededRandom(sha256Hex, String(seed)),
        progress: (done, sent) => progress(done / kills, `${done} kills, ${sent} orders`),
      });
      return `${kills} kills, ${orders} orders sent, ${acknowledged} acknowledged before a kill, ${unanswered} without a response, ${paid} paid and delivered once: none lost, doubled or incomplete.`;
    }),
});

export const kill: Soak = createKillSoak(1_000);
