import { join } from 'node:path';
import { startBenchServer } from '../bench-process.ts';
import { compare } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { postOrder, sendOnce } from '../requests.ts';
import { copyStore } from '../stores.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Creates a store with one order. Returns the response to this order. */
async function makeStore(path: string): Promise<{ orderId: string }> {
  await using server = await startBenchServer('topup.ts', { TOPUP_STORE: `file:${path}` });
  return (await sendOnce(postOrder(server.baseUrl))).json();
}

export const orderLimit: Measure = {
  name: 'order-limit',
  about:
    'POST /api/order with the file store, 50 connections, against node:http and node:sqlite that parse the same JSON and commit the same row once a turn',
  async run() {
    await using folder = await temporaryFolder();
    const store = join(folder.path, 'topup.db');
    const response = await makeStore(store);
    const copy = join(folder.path, 'copy.db');
    copyStore(store, copy);
    await using topup = await startBenchServer('topup.ts', { TOPUP_STORE: `file:${store}` });
    await using minimal = await startBenchServer('order-limit.ts', {
      STORE: copy,
      ORDER_ID: response.orderId,
      RESPONSE: JSON.stringify(response),
    });
    const { ratio, figures, remarks } = await compare(
      { name: 'topup', server: topup, request: postOrder(topup.baseUrl) },
      { name: 'minimal server', server: minimal, request: postOrder(minimal.baseUrl) },
    );
    return {
      figures,
      bars: [{ name: 'topup / minimal server', value: ratio, kind: 'at least', bar: 0.85 }],
      remarks,
    };
  },
};
