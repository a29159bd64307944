import { sandboxKey } from '@topup-kit/core/engine';
import { startBenchServer } from '../bench-process.ts';
import { compareAll, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { get } from '../requests.ts';

export const list: Measure = {
  name: 'list',
  about:
    'GET /api/games, key checked, 50 connections, against raw node:http that sends the same prepared bytes',
  async run() {
    await using topup = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
    const url = `${topup.baseUrl}/games`;
    await using raw = await startBenchServer('ready-bytes.ts', { RESPONSE_OF: url, API_KEY: sandboxKey });
    const { sides, figures, remarks } = await compareAll([
      { name: 'topup', server: topup, request: get(url) },
      { name: 'raw node:http', server: raw, request: get(raw.baseUrl) },
      { name: 'topup, no request twice', server: topup, request: { ...get(url), numbered: true } },
      { name: 'raw, no request twice', server: raw, request: { ...get(raw.baseUrl), numbered: true } },
    ]);
    const [ours, theirs, oursNumbered, theirsNumbered] = sides;
    if (!ours || !theirs || !oursNumbered || !theirsNumbered) throw new Error('there are four sides');
    return {
      figures: [
        ...figures,
        { name: 'topup / raw, no request twice', unit: 'x', values: [ratioOf(oursNumbered, theirsNumbered)] },
      ],
      bars: [{ name: 'topup / raw node:http', value: ratioOf(ours, theirs), kind: 'at least', bar: 0.95 }],
      remarks,
    };
  },
};
