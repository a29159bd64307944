import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/engine';
import { startBenchServer } from '../bench-process.ts';
import { compare, loadBound } from '../compare.ts';
import type { LoadRequest } from '../load.ts';
import type { Measure } from '../measure.ts';

const request = (baseUrl: string): LoadRequest => ({
  url: `${baseUrl}/order`,
  method: 'POST',
  headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'X-API-KEY': sandboxKey },
  body: JSON.stringify({
    id: '12345678',
    server: '2012',
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    whatsapp: '081234567890',
    promo_code: 'RAMADAN10',
    quantity: 2,
  }),
  expectStatus: 201,
});

export const order: Measure = {
  name: 'order',
  about:
    'POST /api/order with the file store, each response after its commit is on disk, 50 connections, against the memory store',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'topup-kit-bench-'));
    try {
      await using file = await startBenchServer('topup.ts', {
        TOPUP_STORE: `file:${join(folder, 'topup.db')}`,
      });
      await using memory = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
      const { ratio, first, figures, saturated } = await compare(
        { name: 'file store', server: file, request: request(file.baseUrl) },
        { name: 'memory store', server: memory, request: request(memory.baseUrl) },
      );
      return {
        figures,
        bars: [
          { name: 'file store / memory store', value: ratio, kind: 'at least', bar: 0.8 },
          { name: 'p99 of the file store, ms', value: first.p99, kind: 'at most', bar: 25 },
        ],
        remarks: saturated ? [] : [loadBound],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
