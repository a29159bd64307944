import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { shutDownUnderLoad } from './run.ts';

const rounds = 100;

export const shutDown: Soak = {
  name: 'shut-down',
  takesSeed: true,
  about:
    'Stops a server with SIGTERM under load, 100 times: no connection is reset, each ends within 5 seconds.',
  run: ({ seed, progress }) =>
    withServerProgram(async (start, folder) => {
      const { responses, slowestMs } = await shutDownUnderLoad(start, {
        rounds,
        folder,
        random: seededRandom(sha256Hex, String(seed)),
        progress: (done) => progress(done / rounds, `${done} servers stopped`),
      });
      return `${rounds} servers stopped under load, ${responses} responses, none cut; the slowest took ${Math.round(slowestMs)} ms.`;
    }),
};
