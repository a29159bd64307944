import { sandboxKey } from '@topup-kit/core/engine';
import { startBenchServer } from '../bench-process.ts';
import { compareReads } from '../compare.ts';
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
    const { ratio, figures, remarks } = await compareReads(
      { name: 'topup', server: topup, request: get(url) },
      { name: 'raw node:http', server: raw, request: get(raw.baseUrl) },
    );
    return {
      figures,
      bars: [{ name: 'topup / raw node:http', value: ratio, kind: 'at least', bar: 0.95 }],
      remarks,
    };
  },
};
