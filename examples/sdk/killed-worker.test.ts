import { join } from 'node:path';
import { openStore } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../packages/server/test/helpers/sandbox.ts';
import { startServerProcess } from '../../packages/server/test/helpers/server-process.ts';
import { startRelay } from './helpers/relay.ts';
import { runScript } from './helpers/run-script.ts';

it('finds the single order of a worker that was killed before the response', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const journal = join(folder.path, 'order.json');
  await using server = await startServerProcess({ TOPUP_STORE: `file:${path}` });
  await using relay = await startRelay(Number(new URL(server.baseUrl).port));
  const environment = { TOPUP_BASE_URL: relay.baseUrl };

  relay.onOrderResponse = async () => killed.kill();
  const killed = runScript(environment, 'worker.ts', journal);
  expect(await killed.ended).toEqual({ code: null });
  expect(killed.output).toEqual({ stdout: '', stderr: '' });

  // The next worker has a new client, whose first response is also lost.
  relay.onOrderResponse = async () => {};
  const { output, ended } = runScript(environment, 'worker.ts', journal);
  expect(await ended).toEqual({ code: 0 });

  const store = openStore({ kind: 'file', path });
  const orders = await store.listOrders({ limit: 100 });
  await store.close();
  expect(orders.map(({ orderId }) => `${orderId}\n`)).toEqual([output.stdout]);
});
