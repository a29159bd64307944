import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { randomBelow, seededRandom } from '@topup-kit/core/platform';
import { createTopupClient } from '@topup-kit/sdk';
import { expect } from 'vitest';
import { openStore, sha256Hex } from '../../src/internal.ts';
import { fixtureOrder, temporaryFolder } from './sandbox.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

async function pay(server: ServerProcess, orderId: string): Promise<void> {
  const paid = await fetch(new URL(`/sandbox/orders/${orderId}/pay`, server.baseUrl), { method: 'POST' });
  expect(paid.status).toBe(200);
}

/** Kills a server several times after payments, and expects every paid unit to be delivered exactly once. */
export async function expectDeliveredOnce(kills: number): Promise<void> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const environment = { TOPUP_STORE: `file:${path}` };
  const orderIds: string[] = [];
  const random = seededRandom(sha256Hex, '14');

  for (let round = 0; round < kills; round += 1) {
    await using server = await startServerProcess(environment);
    const client = createTopupClient({ baseUrl: server.baseUrl, apiKey: sandboxKey });
    for (let count = 0; count < 3; count += 1) {
      const { orderId } = await client.orders.create({ ...fixtureOrder, quantity: 3 });
      orderIds.push(orderId);
      await pay(server, orderId);
    }
    const { data } = await client.invoices.paymentStatus(orderIds.at(-1) ?? '');
    expect(data).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
    await wait(randomBelow(random, 600));
    await server.end('SIGKILL');
  }

  await using server = await startServerProcess(environment);
  const client = createTopupClient({ baseUrl: server.baseUrl, apiKey: sandboxKey });
  for (const orderId of orderIds)
    await expect
      .poll(async () => (await client.invoices.paymentStatus(orderId)).data.buy_status, { timeout: 10_000 })
      .toBe('Sukses');

  const store = openStore({ kind: 'file', path });
  for (const orderId of orderIds) {
    const history = await store.findHistory(orderId);
    expect(history.map(({ event }) => event)).toEqual(['paid', 'delivered']);
    // Only first attempts, so nothing was bought twice.
    expect((await store.findUnits(orderId)).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
    ]);
  }
  await store.close();
}
