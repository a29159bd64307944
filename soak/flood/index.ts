import { openStore } from '../../packages/server/src/index.ts';
import { startPostgres } from '../../packages/server/test/helpers/postgres.ts';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { type LoadResult, load } from '../load/load.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak, SoakOptions } from '../soak.ts';
import { median } from '../soak.ts';
import { apiKey, forgedCallback } from './callback.ts';
import { type ShoppingResult, shop } from './shop.ts';

/** Program of a server whose gateway sends callbacks. */
export const floodProgram = new URL('serve.ts', import.meta.url);

const gatewayAddress = '198.51.100.7';

/** Addresses of strangers: one machine, a separate machine each, or the same proxy as the gateway. */
const senders = {
  'one address': () => '203.0.113.9',
  'an address each': (index: number) => `203.0.${index >> 8}.${index & 255}`,
  "the gateway's own address": () => gatewayAddress,
} as const;
export type Sender = keyof typeof senders;

/** Creates forged callbacks, of which every second one has the maximum length of a body. */
const forged = (connections: number, sender: Sender): string[] =>
  Array.from({ length: connections }, (_, index) =>
    forgedCallback(index, index % 2 === 0 ? 600 : 64_000, senders[sender](index)),
  );

export interface FloodOptions {
  start: StartServerProcess;
  /** Store as `file:PATH` or `postgres://...`. */
  store: string;
  sender: Sender;
  /** Number of connections that send forged callbacks, as fast as they get responses. */
  connections: number;
  /** Duration of each measurement of the shop, with and without forged callbacks, in seconds. */
  seconds: number;
  seed: number;
}

export interface FloodResult {
  without: ShoppingResult;
  during: ShoppingResult;
  flood: LoadResult;
  /** Forged callbacks that the store keeps. */
  kept: { count: number; bytes: number };
}

/** Time for all of them to connect before the shop is measured, in seconds. */
const rampSeconds = 4;

async function keptIn(store: string): Promise<FloodResult['kept']> {
  const opened = openStore(
    store.startsWith('file:')
      ? { kind: 'file', path: store.slice('file:'.length) }
      : { kind: 'postgres', url: store },
  );
  try {
    const rejected = await opened.listCallbacks({ outcome: 'rejected', limit: 100_000 });
    return {
      count: rejected.length,
      bytes: rejected.reduce((sum, { body }) => sum + body.length, 0),
    };
  } finally {
    await opened.close();
  }
}

/** Measures the latencies of a shop and of the gateway's callbacks, first alone, and then while strangers send forged callbacks. */
export async function floodOnce(options: FloodOptions): Promise<FloodResult> {
  const { start, store, sender, connections, seconds, seed } = options;
  await using server = await start({
    TOPUP_STORE: store,
    TOPUP_LOG_LEVEL: 'error',
    TOPUP_API_KEY: apiKey,
    // Lets each request name its sender in a header.
    TOPUP_TRUSTED_PROXIES: '127.0.0.1',
  });
  const port = Number(new URL(server.baseUrl).port);
  const shopping = { port, customers: 10, thinkMs: 200, gatewayAddress };
  await shop({ ...shopping, seconds: 2 });
  const without = await shop({ ...shopping, seconds });
  const flooding = load({
    port,
    requests: forged(connections, sender),
    connections,
    thinkMs: 0,
    isImpatient: true,
    seed,
    warmUpSeconds: rampSeconds,
    seconds,
  });
  await new Promise((resolve) => setTimeout(resolve, rampSeconds * 1_000));
  const during = await shop({ ...shopping, seconds });
  const flood = await flooding;
  await server.end('SIGTERM');
  return { without, during, flood, kept: await keptIn(store) };
}

/** Maximum number and size of kept callbacks of a flood. */
const maxKept = { count: 1_000, bytes: 8 * 1024 * 1024 };

/**
 * @throws Error if a customer or the gateway got a wrong response, a forged callback was not rejected, or the store keeps more than its
 * limit.
 */
export function rejectWrong({ without, during, flood, kept }: FloodResult): void {
  const sent = without.orders.count + without.callbacks.count + during.orders.count + during.callbacks.count;
  const failed = [...without.wrong, ...during.wrong];
  // A server that is briefly overloaded says so, and clients and gateways try again.
  const wrong = failed.filter((one) => !one.startsWith('503'));
  if (wrong.length > 0 || failed.length > sent / 100)
    throw new Error(`the shop got ${failed.length} wrong responses of ${sent}: ${wrong[0] ?? failed[0]}`);
  const statuses = Object.keys(flood.statuses).filter((status) => !['401', '429', '503'].includes(status));
  if (statuses.length > 0 || Object.keys(flood.broken).length > 0)
    throw new Error(`forged callbacks got ${JSON.stringify(flood)}`);
  if (kept.count > maxKept.count || kept.bytes > maxKept.bytes)
    throw new Error(`too much is kept: ${JSON.stringify(kept)}`);
}

const ratioOf = ({ without, during }: FloodResult, what: 'orders' | 'callbacks'): number =>
  during[what].p99 / without[what].p99;

const rounds = 5;
const seconds = 15;
const connections = 1_500;

/** Maximum ratio of the slowest one in a hundred orders and gateway callbacks during a flood to those without it. */
const maxRatio = 2;

const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;

const figuresOf = (one: FloodResult): string =>
  [
    ...(['orders', 'callbacks'] as const).map(
      (what) =>
        `${what} p99 ${milliseconds(one.without[what].p99)} alone, ${milliseconds(one.during[what].p99)} in the flood`,
    ),
    `${Math.round(one.flood.sentPerSecond)} forged/s`,
    `${one.kept.count} kept with ${Math.round(one.kept.bytes / 1_024)} KiB`,
  ].join('; ');

async function soakOn(
  name: string,
  newStore: (name: string) => Promise<string>,
  { start, seed, progress }: SoakOptions & { start: StartServerProcess },
): Promise<{ lines: string[]; slow: boolean }> {
  const lines: string[] = [];
  let slow = false;
  for (const sender of Object.keys(senders) as Sender[]) {
    const done: FloodResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      progress(round / rounds, `${name}, from ${sender}, round ${round + 1} of ${rounds}`);
      const store = await newStore(`${sender}-${round}`.replaceAll(/\W/g, '-'));
      const one = await floodOnce({ start, store, sender, connections, seconds, seed: seed + round });
      rejectWrong(one);
      done.push(one);
      lines.push(`${name}, from ${sender}: ${figuresOf(one)}`);
    }
    for (const what of ['orders', 'callbacks'] as const) {
      const ratio = median(done.map((one) => ratioOf(one, what)));
      lines.push(`${name}, from ${sender}: ${what} take ${ratio.toFixed(2)} times as long (median of p99).`);
      slow ||= ratio > maxRatio;
    }
  }
  return { lines, slow };
}

export const flood: Soak = {
  name: 'flood',
  takesSeed: true,
  about: `Sends forged callbacks on ${connections} connections, from one address, from many, and from the gateway's own: orders and genuine callbacks take at most twice as long, and little is kept; over a file and PostgreSQL.`,
  run: (options) =>
    withServerProgram(
      async (start, folder) => {
        const file = await soakOn('file', async (name) => `file:${folder}/${name}.db`, { ...options, start });
        await using database = await startPostgres({ durable: true });
        const postgres = await soakOn('PostgreSQL', () => database.newSchema(), { ...options, start });
        const figures = [...file.lines, ...postgres.lines].join('\n');
        // Both stores are measured before the test can fail.
        if (file.slow || postgres.slow) throw new Error(`${figures}\nThe bar is ${maxRatio}.`);
        return figures;
      },
      { program: floodProgram },
    ),
};
