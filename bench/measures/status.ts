import { sandboxKey } from '@topup-kit/core/contract';
import { startBenchServer } from '../bench-process.ts';
import { compare } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { get } from '../requests.ts';
import { someOrderIds, storeWith } from '../stores.ts';

export const status: Measure = {
  name: 'status',
  about:
    'GET /api/invoice/{id}/payment-status of 1,000 orders among 1,000,000, key checked, 50 connections, against raw node:http that sends the bytes of one response',
  async run() {
    const store = await storeWith(1_000_000);
    await using topup = await startBenchServer('topup.ts', { TOPUP_STORE: `file:${store}` });
    const paths = someOrderIds(store, 1_000).map((id) => `/api/invoice/${id}/payment-status`);
    const url = new URL(paths[0] ?? '', topup.baseUrl).href;
    await using raw = await startBenchServer('ready-bytes.ts', { RESPONSE_OF: url, API_KEY: sandboxKey });
    const { ratio, figures, remarks } = await compare(
      { name: 'topup', server: topup, request: { ...get(url), paths } },
      { name: 'raw node:http', server: raw, request: { ...get(raw.baseUrl), paths } },
    );
    return {
      figures,
      bars: [{ name: 'topup / raw node:http', value: ratio, kind: 'at least', bar: 0.5 }],
      remarks,
    };
  },
};
