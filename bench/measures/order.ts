import { join } from 'node:path';
import { startBenchServer } from '../bench-process.ts';
import { compareAll, cpuFigure, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { postOrder } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const order: Measure = {
  name: 'order',
  about:
    'POST /api/order with the file store, each response after its commit is on disk, 50 connections; with --against also against another commit',
  async run(against) {
    await using folder = await temporaryFolder();
    await using topup = await startBenchServer('topup.ts', {
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
    });
    await using before =
      against &&
      (await startBenchServer(
        'topup.ts',
        { TOPUP_STORE: `file:${join(folder.path, 'before.db')}` },
        { of: against },
      ));
    const { sides, figures, remarks } = await compareAll([
      { name: 'topup', server: topup, request: postOrder(topup.baseUrl) },
      ...(before
        ? [{ name: `topup at ${against?.name}`, server: before, request: postOrder(before.baseUrl) }]
        : []),
    ]);
    const [ours, earlier] = sides;
    if (!ours) throw new Error('topup is the first side');
    return {
      figures: [...figures, ...(earlier ? [cpuFigure(ours, earlier)] : [])],
      bars: [
        ...(earlier
          ? [
              {
                name: `topup / ${earlier.name}`,
                value: ratioOf(ours, earlier),
                kind: 'at least' as const,
                bar: 0.97,
              },
            ]
          : []),
        { name: 'p99, ms', value: ours.p99, kind: 'at most', bar: 25 },
      ],
      remarks,
    };
  },
};
