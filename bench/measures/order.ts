import { join } from 'node:path';
import { startBenchServer } from '../bench-process.ts';
import { compare } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { postOrder } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const order: Measure = {
  name: 'order',
  about:
    'POST /api/order with the file store, each response after its commit is on disk, 50 connections, against the memory store',
  async run() {
    await using folder = await temporaryFolder();
    await using file = await startBenchServer('topup.ts', {
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
    });
    await using memory = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
    const { ratio, first, figures, remarks } = await compare(
      { name: 'file store', server: file, request: postOrder(file.baseUrl) },
      { name: 'memory store', server: memory, request: postOrder(memory.baseUrl) },
    );
    return {
      figures,
      bars: [
        { name: 'file store / memory store', value: ratio, kind: 'at least', bar: 0.8 },
        { name: 'p99 of the file store, ms', value: first.p99, kind: 'at most', bar: 25 },
      ],
      remarks,
    };
  },
};
