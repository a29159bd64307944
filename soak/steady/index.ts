import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { rejectGrowth, runSteadily, type Sample } from './run.ts';

const minutes = 10;

const show = ({ heap, native, files }: Sample): string =>
  `heap ${(heap / 2 ** 20).toFixed(1)} MiB, native ${(native / 2 ** 20).toFixed(0)} MiB, ${files} files`;

export const program: URL = new URL('serve.ts', import.meta.url);
export const nodeOptions = ['--expose-gc'] as const;

export const steady: Soak = {
  name: 'soak',
  takesSeed: true,
  about: `Does all that clients do, right and wrong, for ${minutes} minutes: memory and open files stay as they are.`,
  run: ({ seed, progress }) =>
    withServerProgram(
      async (start, folder) => {
        const result = await runSteadily(start, {
          seconds: minutes * 60,
          store: `file:${folder}/topup.db`,
          seed,
          progress: (share, latest) => progress(share, show(latest)),
        });
        rejectGrowth(result);
        return `${result.requests} requests in ${minutes} minutes. Early: ${show(result.early)}. Late: ${show(result.late)}.`;
      },
      { program, nodeOptions },
    ),
};
