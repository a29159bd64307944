import { sandboxKey } from '@topup-kit/core/engine';
import { startBenchServer } from '../bench-process.ts';
import { compare, loadBound } from '../compare.ts';
import type { LoadRequest } from '../load.ts';
import type { Measure } from '../measure.ts';

const request = (url: string): LoadRequest => ({
  url,
  method: 'GET',
  headers: { Accept: 'application/json', 'X-API-KEY': sandboxKey },
  expectStatus: 200,
});

export const list: Measure = {
  name: 'list',
  about:
    'GET /api/games, key checked, 50 connections, against raw node:http that sends the same prepared bytes',
  async run() {
    await using topup = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
    const url = `${topup.baseUrl}/games`;
    await using raw = await startBenchServer('ready-bytes.ts', { RESPONSE_OF: url, API_KEY: sandboxKey });
    const { ratio, figures, saturated } = await compare(
      { name: 'topup', server: topup, request: request(url) },
      { name: 'raw node:http', server: raw, request: request(raw.baseUrl) },
    );
    return {
      figures,
      bars: [{ name: 'topup / raw node:http', value: ratio, kind: 'at least', bar: 0.9 }],
      remarks: saturated ? [] : [loadBound],
    };
  },
};
