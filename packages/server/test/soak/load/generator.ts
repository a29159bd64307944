/** Sends load from a process of its own, so that it and the server don't share an event loop. See `load.ts`. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, openConnection, type Reply } from './connection.ts';
import type { Load, LoadResult } from './load.ts';

/** The part of the latencies, in ascending order, that is at most this. */
const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function run({
  port,
  requests,
  connections,
  seconds,
  warmUpSeconds,
  thinkMs,
}: Load): Promise<LoadResult> {
  const begin = performance.now() + warmUpSeconds * 1_000;
  const end = begin + seconds * 1_000;
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const broken = new Map<string, number>();
  let withoutRetryAfter = 0;

  function count({ status, retryAfter }: Reply, sent: number): void {
    const now = performance.now();
    if (now < begin || now > end) return;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200 || status === 201) latencies.push(now - sent);
    if ((status === 503 || status === 429) && retryAfter === null) withoutRetryAfter += 1;
  }

  async function ask(connection: Connection, request: string): Promise<void> {
    const sent = performance.now();
    const reply = await connection.send(request);
    count(reply, sent);
    const waitMs = Math.max(thinkMs, (reply.retryAfter ?? 0) * 1_000) * (1 + Math.random() / 4);
    if (waitMs > 0) await wait(waitMs);
  }

  async function runClient(index: number): Promise<void> {
    await wait((index / connections) * warmUpSeconds * 500);
    const connection = openConnection(port);
    for (let count = index; performance.now() < end; count += 1)
      await ask(connection, requests[count % requests.length] ?? '').catch((error: Error) => {
        broken.set(error.message, (broken.get(error.message) ?? 0) + 1);
        return wait(100);
      });
    connection.close();
  }

  await Promise.race([
    Promise.all(Array.from({ length: connections }, (_, index) => runClient(index))),
    // The responses that are still awaited then count as none.
    wait((warmUpSeconds + seconds) * 1_000),
  ]);
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    statuses: Object.fromEntries(statuses),
    goodPerSecond: latencies.length / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? 0,
    withoutRetryAfter,
    broken: Object.fromEntries(broken),
  };
}

process.once('message', async (load) => {
  // Safe: `load.ts` sends nothing else.
  process.send?.(await run(load as Load), () => process.exit());
});
