import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clientSize,
  kySize,
  sizeBars,
  sizedEntries,
  webhookBar,
  webhookSize,
} from '../../packages/sdk/scripts/size.ts';
import { installClient } from '../../scripts/pack.ts';
import type { Bar, Measure } from '../measure.ts';

export const sdkSize: Measure = {
  name: 'sdk-size',
  about:
    'createTopupClient of the packed package, with ky, minified by esbuild and gzipped, next to ky alone',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'topup-kit-bench-'));
    try {
      const { project } = await installClient(folder);
      const bars = sizedEntries.map(
        async (entry): Promise<Bar> => ({
          name: `${entry}, kB`,
          value: (await clientSize(entry, project)) / 1000,
          kind: 'at most',
          bar: sizeBars[entry] / 1000,
        }),
      );
      const webhookBars = sizedEntries.map(
        async (entry): Promise<Bar> => ({
          name: `verifyWebhook added to the client of ${entry}, kB`,
          value: (await webhookSize(entry, project)) / 1000,
          kind: 'at most',
          bar: webhookBar / 1000,
        }),
      );
      return {
        figures: [{ name: 'ky alone', unit: 'kB', values: [(await kySize()) / 1000] }],
        bars: await Promise.all([...bars, ...webhookBars]),
        remarks: [],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
