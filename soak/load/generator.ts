/** Sends load from a separate process, so that it doesn't share an event loop with the server. See `load.ts`. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, openConnection, type Reply } from './connection.ts';
import { graceMs, type Load, type LoadResult } from './load.ts';

/** Creates a generator of numbers from 0 to 1 from a seed. It uses mulberry32, because a hash for each number would delay the load. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the quantile of latencies in ascending order. */
const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function run({
  port,
  requests,
  connections,
  seconds,
  warmUpSeconds,
  thinkMs,
  isImpatient = false,
  seed,
}: Load): Promise<LoadResult> {
  const begin = performance.now() + warmUpSeconds * 1_000;
  const end = begin + seconds * 1_000;
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const broken = new Map<string, number>();
  /** Start times of the requests that have no response yet. */
  const waiting = new Map<Connection, number>();
  const random = createRandom(seed);
  let sentInTime = 0;
  let good = 0;
  let withoutRetryAfter = 0;

  function count({ status, retryAfter }: Reply, sent: number): void {
    const now = performance.now();
    if (now < begin) return;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200 || status === 201) {
      latencies.push(now - sent);
      if (now <= end) good += 1;
    }
    if ((status === 503 || status === 429) && retryAfter === null) withoutRetryAfter += 1;
  }

  async function ask(connection: Connection, request: string): Promise<void> {
    const sent = performance.now();
    if (sent >= begin) sentInTime += 1;
    waiting.set(connection, sent);
    const reply = await connection.send(request).finally(() => waiting.delete(connection));
    count(reply, sent);
    if (performance.now() >= end) return;
    const retryMs = isImpatient ? 0 : (reply.retryAfter ?? 0) * 1_000;
    const waitMs = Math.max(thinkMs, retryMs) * (1 + random() / 4);
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

  /** Resolves after the end, when all requests have a response or `graceMs` have passed. Clients may still be waiting to send. */
  async function allAnswered(): Promise<void> {
    await wait((warmUpSeconds + seconds) * 1_000);
    while (waiting.size > 0 && performance.now() < end + graceMs) await wait(10);
  }

  await Promise.race([
    Promise.all(Array.from({ length: connections }, (_, index) => runClient(index))),
    allAnswered(),
  ]);
  const unanswered = waiting.size;
  for (const sent of waiting.values()) latencies.push(performance.now() - sent);
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    statuses: Object.fromEntries(statuses),
    goodPerSecond: good / seconds,
    sentPerSecond: sentInTime / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? 0,
    withoutRetryAfter,
    unanswered,
    broken: Object.fromEntries(broken),
  };
}

process.once('message', async (load) => {
  // Safe: `load.ts` sends nothing else.
  process.send?.(await run(load as Load), () => process.exit());
});
