import { seededRandom } from '@topup-kit/core/platform';
import { readConfig, sha256Hex, startServer } from '../../packages/server/src/internal.ts';
import { allRoutes } from '../../packages/server/test/helpers/all-routes.ts';
import { createWholeService, type Sent } from '../../packages/server/test/helpers/whole-service.ts';
import type { Soak, SoakOptions } from '../soak.ts';
import { exchange } from './exchange.ts';
import { findFault, findRawFault } from './judge.ts';
import { createDice, createMutations, type Dice, damageBytes, sampleAnything } from './mutate.ts';

/** Minimum share of requests with a response to check. The others can't be sent, or can't be understood. */
const minJudged = 0.9;

/** Number of orders for the requests, so that the store doesn't grow with the run. */
const subjects = 20;

/** Returns an error with the request that found a fault. */
const faultOf = (fault: string, about: string): Error => new Error(`${fault}, for ${about.slice(0, 3_000)}`);

const described = (sent: Sent): string =>
  JSON.stringify({ ...sent, body: ArrayBuffer.isView(sent.body) ? String(sent.body) : sent.body });

/** Sends mutated requests to the app, one after another. Returns the number of responses by status. */
async function fuzzApp(
  count: number,
  dice: Dice,
  { seed, progress }: SoakOptions,
): Promise<Map<number, number>> {
  const service = await createWholeService();
  const mutate = createMutations(sampleAnything(seed, Math.min(count, 2_000)));
  const { key } = await service.keyOf('shop');
  const placeOrders = () => Promise.all(Array.from({ length: subjects }, () => service.place(key)));
  let orders = await placeOrders();
  const statuses = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    const sent = mutate(dice.oneOf(allRoutes).valid(dice.oneOf(orders), key), dice);
    let request: Request;
    try {
      const hasNoBody = ['GET', 'HEAD'].includes(sent.method);
      request = service.requestOf({ ...sent, ...(hasNoBody && { body: undefined }) });
    } catch (error) {
      // A Request rejects some headers and paths. Sockets send those.
      if (error instanceof TypeError) continue;
      throw error;
    }
    const got = await service.send(sent, request).catch((error: unknown) => {
      throw faultOf(`thrown: ${String(error)}`, described(sent));
    });
    const fault = findFault(sent, got);
    if (fault !== null) throw faultOf(`${fault}: ${got.text.slice(0, 500)}`, described(sent));
    // A reset deletes the orders.
    if (sent.path.startsWith('/sandbox/reset') && got.status === 200) orders = await placeOrders();
    statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1);
    if (at % 500 === 0) progress(at / count, `${at} requests to the app`);
  }
  return statuses;
}

function asBytes({ method, path, key, headers = {}, body }: Sent): string {
  const text =
    body === undefined
      ? ''
      : ArrayBuffer.isView(body)
        ? Buffer.from(body.buffer).toString('latin1')
        : JSON.stringify(body);
  const lines = {
    Host: 'localhost',
    Connection: 'close',
    ...(key != null && { 'X-API-KEY': key }),
    ...headers,
    ...(text !== '' && { 'Content-Type': 'application/json', 'Content-Length': String(text.length) }),
  };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${text}`;
}

/** Number of connections that are open at the same time. */
const parallel = 64;

/** Sends damaged bytes to a real server. Returns the number of checked responses. */
async function fuzzSockets(count: number, dice: Dice, { progress }: SoakOptions): Promise<number> {
  let judged = 0;
  const config = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_LOG_LEVEL: 'silent' };
  await using server = await startServer(readConfig(config));
  const port = Number(new URL(server.localUrl).port);
  const subject = { orderId: 'INV-20260328100000-ZZZZZZZZ', reference: 'SIM1' };
  for (let at = 0; at < count; at += parallel) {
    const batch = Array.from({ length: Math.min(parallel, count - at) }, () =>
      damageBytes(asBytes({ ...dice.oneOf(allRoutes).valid(subject, ''), key: server.sandboxKey }), dice),
    );
    await Promise.all(
      batch.map(async (bytes) => {
        const { text, isClosed } = await exchange(port, bytes);
        // More data may follow after a long pause, and a server need not respond to data that it can't read.
        if (!isClosed || text === '') return;
        judged += 1;
        const fault = findRawFault(text);
        if (fault !== null) throw faultOf(fault, JSON.stringify(bytes));
      }),
    );
    progress(at / count, `${at} connections`);
  }
  return judged;
}

/** Sends this number of requests to the app, and a ninth of it through sockets. */
export async function sendFuzz(requests: number, options: SoakOptions): Promise<string> {
  const dice = createDice(seededRandom(sha256Hex, `fuzz ${options.seed}`));
  const raw = Math.floor(requests / 10);
  const statuses = await fuzzApp(requests - raw, dice, options);
  const judged = await fuzzSockets(raw, dice, options);
  const judgedByApp = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  if (judged < raw * minJudged || judgedByApp < (requests - raw) * minJudged)
    throw new Error(
      `only ${judgedByApp} of ${requests - raw} responses of the app were judged, and ${judged} of ${raw} of sockets`,
    );
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return `${requests} requests, ${raw} of them as damaged bytes; ${judgedByApp + judged} responses were judged: none got a 5xx or a response outside the contract (${counts.join(', ')}).`;
}

export const fuzz: Soak = {
  name: 'fuzz',
  takesSeed: true,
  about: 'Sends 100,000 damaged requests to every route, and holds every response to the contract.',
  run: (options) => sendFuzz(100_000, options),
};
