import { sandboxKey } from '@topup-kit/core/contract';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { type LoadResult, load, rawRequest } from '../load/load.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';
import { median } from '../soak.ts';

const headers = { 'X-API-KEY': sandboxKey };

/** Actions of a shop's customers, with their frequencies. */
const requests = [
  rawRequest('POST', '/api/order', {
    headers,
    body: JSON.stringify({ ...fixtureOrder, promo_code: undefined }),
  }),
  rawRequest('GET', '/api/games', { headers }),
  rawRequest('GET', '/api/games/mobile-legends', { headers }),
];

/** Load as a multiple of what the server can handle. */
const factor = 5;

/** Minimum and maximum number of clients: a few are no crowd, and each of many more costs time by its connection alone. */
const minClients = 500;
const maxClients = 4_000;

/** Maximum latency of the slowest one in a hundred good responses, in milliseconds; far below the timeouts of clients. */
const maxP99 = 2_000;

/** Number of clients as a multiple of the peak and `maxP99`: if all of them waited, each would wait longer than `maxP99`. */
const crowd = 1.25;

export interface OverloadRound {
  /** Result with enough clients to keep the server busy. */
  peak: LoadResult;
  /** Result with clients that request five times as much. */
  over: LoadResult;
  clients: number;
}

/** Measures the maximum throughput of a server, and its behaviour when clients request five times as much. */
export async function overloadOnce(port: number, seconds: number, seed: number): Promise<OverloadRound> {
  const peak = await load({ port, requests, seconds, connections: 50, thinkMs: 0, warmUpSeconds: 1, seed });
  const clients = Math.min(
    maxClients,
    Math.max(minClients, Math.round((crowd * peak.goodPerSecond * maxP99) / 1_000)),
  );
  const thinkMs = (clients / (factor * peak.goodPerSecond)) * 1_000;
  const over = await load({ port, requests, seconds, connections: clients, thinkMs, warmUpSeconds: 4, seed });
  return { peak, over, clients };
}

/** @throws Error if a response is missing, or is neither good nor a rejection with `Retry-After`. */
export function rejectWrongResponses({ peak, over }: OverloadRound): void {
  rejectWrong(peak);
  rejectWrong(over);
}

/** @throws Error if clients waited too long, but no request was rejected. On a fast machine, even the maximum number need not wait. */
function rejectWaiting({ over }: OverloadRound): void {
  if (!over.statuses[503] && over.p99 > maxP99)
    throw new Error(`no request was shed, but they waited: p99 ${Math.round(over.p99)} ms`);
}

function rejectWrong({ statuses, withoutRetryAfter, unanswered, broken }: LoadResult): void {
  const wrong = Object.keys(statuses).filter((status) => !['200', '201', '429', '503'].includes(status));
  if (wrong.length > 0 || withoutRetryAfter > 0 || unanswered > 0 || Object.keys(broken).length > 0)
    throw new Error(
      `wrong responses: ${JSON.stringify({ statuses, withoutRetryAfter, unanswered, broken })}`,
    );
}

export const portOf = async (start: StartServerProcess, store: string) => {
  const server = await start({ TOPUP_STORE: store, TOPUP_LOG_LEVEL: 'error' });
  return Object.assign(server, { port: Number(new URL(server.baseUrl).port) });
};

const rounds = 5;
const seconds = 10;

export const overload: Soak = {
  name: 'overload',
  takesSeed: true,
  about:
    'Asks a server for five times as much as it can do: it does nearly as much as before, rejects the rest with Retry-After, and is not slow.',
  run: ({ seed, progress }) =>
    withServerProgram(async (start, folder) => {
      await using server = await portOf(start, `file:${folder}/topup.db`);
      const done: OverloadRound[] = [];
      for (let round = 0; round < rounds; round += 1) {
        progress(round / rounds, `round ${round + 1} of ${rounds}`);
        const one = await overloadOnce(server.port, seconds, seed + round);
        rejectWrongResponses(one);
        rejectWaiting(one);
        done.push(one);
      }
      const ratio = median(done.map(({ peak, over }) => over.goodPerSecond / peak.goodPerSecond));
      const p99 = median(done.map(({ over }) => over.p99));
      const figures = done
        .map(({ peak, over, clients }) =>
          [
            `${Math.round(peak.goodPerSecond)}/s at its peak`,
            `${Math.round(over.goodPerSecond)}/s with ${clients} clients that sent ${Math.round(over.sentPerSecond)}/s`,
            `p99 ${Math.round(over.p99)} ms`,
            `${over.statuses[503] ?? 0} rejected`,
          ].join(', '),
        )
        .join('\n');
      const result = `${figures}\nGoodput ${(ratio * 100).toFixed(0)} % of the peak, p99 ${Math.round(p99)} ms (medians).`;
      if (ratio < 0.9 || p99 > maxP99)
        throw new Error(
          `${result}\nThe bars are 90 % and ${maxP99} ms. They mean something on a machine with two cores that does nothing else.`,
        );
      return result;
    }),
};
