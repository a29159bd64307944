import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/engine';
import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

const clients = 8;
const kills = 3;

/** An order as the client received it. */
interface Acknowledged {
  orderId: string;
  idempotencyKey: string;
  total: number;
  reference: string;
}

/** Places orders one after another until the server is killed, and collects the acknowledged ones. */
async function placeUntilKilled(baseUrl: string, name: string, acknowledged: Acknowledged[]): Promise<void> {
  const client = createTopupClient({ baseUrl, apiKey: sandboxKey, maxRetries: 0 });
  for (let count = 0; ; count += 1) {
    const idempotencyKey = `${name}-${count}`;
    try {
      const { orderId, data } = await client.orders.create(
        { ...fixtureOrder, id: idempotencyKey },
        { idempotencyKey },
      );
      acknowledged.push({
        orderId,
        idempotencyKey,
        total: data.total_price,
        reference: data.payment_reference,
      });
    } catch (error) {
      if (isTopupError(error, 'NETWORK_ERROR') || isTopupError(error, 'UNKNOWN_OUTCOME')) return;
      throw error;
    }
  }
}

describe('a server that is killed while it takes orders', () => {
  it('has every acknowledged order complete after a restart', async () => {
    await using folder = await temporaryFolder();
    const environment = { TOPUP_STORE: `file:${join(folder.path, 'topup.db')}` };
    const acknowledged: Acknowledged[] = [];

    for (let round = 0; round < kills; round += 1) {
      await using server = await startServerProcess(environment);
      const before = acknowledged.length;
      const placing = Array.from({ length: clients }, (_, index) =>
        placeUntilKilled(server.baseUrl, `${round}-${index}`, acknowledged),
      );
      // Kill at a random moment: some orders were acknowledged, others are in progress.
      while (acknowledged.length < before + 5 * clients) await wait(5);
      await wait(Math.random() * 20);
      await server.end('SIGKILL');
      await Promise.all(placing);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 5 * clients);
    expect(new Set(acknowledged.map(({ orderId }) => orderId)).size).toBe(acknowledged.length);

    await using server = await startServerProcess(environment);
    const client = createTopupClient({ baseUrl: server.baseUrl, apiKey: sandboxKey });
    for (const { orderId, idempotencyKey, total, reference } of acknowledged) {
      const { order } = await client.invoices.get(orderId);
      expect(order).toMatchObject({
        order_id: orderId,
        id_games: idempotencyKey,
        server_games: '2012',
        quantity: 2,
        total_price: total,
        payment_status: 'UNPAID',
        buy_status: 'Pending',
      });
      expect(order.payment_url.endsWith(reference)).toBe(true);
    }
    // An acknowledged order that is sent again is replayed, not duplicated.
    const [first] = acknowledged;
    const again = await client.orders.create(
      { ...fixtureOrder, id: first?.idempotencyKey ?? '' },
      { idempotencyKey: first?.idempotencyKey ?? '' },
    );
    expect(again.orderId).toBe(first?.orderId);
  }, 60_000);
});
