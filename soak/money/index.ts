import { gatewayNames, supplierNames } from '@topup-kit/providers/registry';
import type { Soak } from '../soak.ts';
import type { Pair } from './simulated.ts';
import { type Story, stories } from './stories.ts';
import { tell } from './tell.ts';

export { type Pair, type Story, stories, tell };

export const pairs: Pair[] = gatewayNames.flatMap((gateway) =>
  supplierNames.map((supplier) => ({ gateway, supplier })),
);

export const canHappen = ({ gateways }: Story, { gateway }: Pair): boolean =>
  gateways?.includes(gateway) ?? true;

/**
 * Plays a story to its end, and then once for each step at which the shop can be killed. `every` skips steps, and `played` is called after
 * each run.
 *
 * @returns number of runs; killed runs count only if they were killed as planned.
 */
export async function tellWithKills(
  pair: Pair,
  story: Story,
  { every = 1, played = () => {} }: { every?: number; played?: () => void } = {},
): Promise<number> {
  const { steps } = await tell(pair, story, null);
  played();
  let count = 1;
  // The name determines the first step, so that other stories skip other steps.
  for (let step = 1 + (story.name.length % every); step <= steps; step += every) {
    const { kills } = await tell(pair, story, step).catch((error: unknown) => {
      throw new Error(`killed at step ${step} of ${steps}`, { cause: error });
    });
    played();
    count += kills;
  }
  return count;
}

export const money: Soak = {
  name: 'money',
  takesSeed: false,
  about:
    'For every pair of providers and everything that can go wrong with a request or a callback, kills the shop at each step, and compares its books and reports with those of the providers.',
  async run({ progress }) {
    let runs = 0;
    const cases = pairs.flatMap((pair) =>
      stories.filter((story) => canHappen(story, pair)).map((story) => ({ pair, story })),
    );
    for (const [index, { pair, story }] of cases.entries()) {
      const about = `${pair.gateway}, ${pair.supplier}: ${story.name}`;
      const played = () => {
        runs += 1;
        progress(index / cases.length, `${runs} runs, ${about}`);
      };
      await tellWithKills(pair, story, { played }).catch((error: unknown) => {
        throw new Error(about, { cause: error });
      });
    }
    return `${cases.length} stories, ${runs} runs: all money and all items are accounted for, also in reports.`;
  },
};
