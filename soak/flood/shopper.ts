/** Acts as customers in a separate process: each order is placed, and then paid by a callback. See `shop.ts`. */
import { setTimeout as wait } from 'node:timers/promises';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import { type Connection, openConnection } from '../load/connection.ts';
import { rawRequest } from '../load/load.ts';
import { apiKey, genuineCallback } from './callback.ts';
import type { Latencies, Shopping, ShoppingResult } from './shop.ts';

const order = rawRequest('POST', '/api/order', {
  headers: { 'X-API-KEY': apiKey, 'X-Forwarded-For': '198.51.100.1' },
  body: JSON.stringify({ ...fixtureOrder, promo_code: undefined }),
});

function latenciesOf(values: readonly number[]): Latencies {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), slowest: at(1) };
}

async function run({ port, customers, thinkMs, seconds, gatewayAddress }: Shopping): Promise<ShoppingResult> {
  const end = performance.now() + seconds * 1_000;
  const orders: number[] = [];
  const callbacks: number[] = [];
  const wrong: string[] = [];

  async function send(
    connection: Connection,
    request: string,
    status: number,
    latencies: number[],
  ): Promise<string | null> {
    const sent = performance.now();
    const reply = await connection.send(request).catch((error: Error) => error);
    latencies.push(performance.now() - sent);
    if (!(reply instanceof Error) && reply.status === status) return reply.body;
    wrong.push(reply instanceof Error ? reply.message : `${reply.status} ${reply.body}`);
    return null;
  }

  async function buy(index: number): Promise<void> {
    await wait((index / customers) * thinkMs);
    const customer = openConnection(port);
    const gateway = openConnection(port);
    while (performance.now() < end) {
      const placed = await send(customer, order, 201, orders);
      if (placed !== null) {
        // Safe: the interface defines this.
        const { data } = JSON.parse(placed) as { data: { order_id: string; total_price: number } };
        await send(gateway, genuineCallback(data.order_id, data.total_price, gatewayAddress), 200, callbacks);
      }
      await wait(thinkMs);
    }
    customer.close();
    gateway.close();
  }

  await Promise.all(Array.from({ length: customers }, (_, index) => buy(index)));
  return { orders: latenciesOf(orders), callbacks: latenciesOf(callbacks), wrong };
}

process.once('message', async (shopping) => {
  // Safe: `shop.ts` sends nothing else.
  process.send?.(await run(shopping as Shopping), () => process.exit());
});
