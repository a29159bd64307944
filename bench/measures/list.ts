import { sandboxKey } from '@topup-kit/core/contract';
import { startBenchServer } from '../bench-process.ts';
import { compareAll, cpuFigure, cpuRatioOf, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { get } from '../requests.ts';

const store = { TOPUP_STORE: 'memory:' };

export const list: Measure = {
  name: 'list',
  about:
    'GET /api/games, key checked, 50 connections, against raw node:http that sends the same prepared bytes; with --against also against another commit',
  async run(against) {
    await using topup = await startBenchServer('topup.ts', store);
    const url = `${topup.baseUrl}/games`;
    await using raw = await startBenchServer('ready-bytes.ts', { RESPONSE_OF: url, API_KEY: sandboxKey });
    await using before = against && (await startBenchServer('topup.ts', store, { of: against }));
    const { sides, figures, remarks } = await compareAll([
      { name: 'topup', server: topup, request: get(url) },
      { name: 'raw node:http', server: raw, request: get(raw.baseUrl) },
      ...(before
        ? [{ name: `topup at ${against?.name}`, server: before, request: get(`${before.baseUrl}/games`) }]
        : []),
    ]);
    const [ours, theirs, earlier] = sides;
    if (!ours || !theirs) throw new Error('there are two sides or more');
    return {
      figures: [...figures, ...(earlier ? [cpuFigure(ours, earlier)] : [])],
      bars: [
        { name: 'topup / raw node:http', value: ratioOf(ours, theirs), kind: 'at least', bar: 0.8 },
        { name: 'the same by CPU time', value: cpuRatioOf(ours, theirs), kind: 'at least', bar: 0.8 },
      ],
      remarks,
    };
  },
};
