import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey, headers as wire } from '@topup-kit/core/contract';
import { type RandomBytes, randomBelow, seededRandom } from '@topup-kit/core/platform';
import { openStore, type StoreAddress } from '../../packages/server/src/index.ts';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import { startPostgres } from '../../packages/server/test/helpers/postgres.ts';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import type { ServerProcess, StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { isGone } from '../kill/shopper.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak, SoakOptions } from '../soak.ts';
import { expectSound, type SharedAddress } from '../sound.ts';

export interface Sends {
  keys: number;
  /** Number of requests for each key, all sent at the same time. */
  sends: number;
  /** Number of keys that are sent at the same time. */
  together: number;
  /** Number of times that a server is killed. */
  kills: number;
  store: Exclude<StoreAddress, { kind: 'memory' }>;
  /** Number of servers to which a key is sent in turn; a file has one. */
  servers: number;
  random: RandomBytes;
  progress?: (keys: number, kills: number) => void;
}

interface Reply {
  status: number;
  replayed: string | null;
  body: string;
}

export interface SendsResult {
  responses: number;
  /** Number of requests without a response because of a kill. */
  unanswered: number;
  /** Number of responses with which an overloaded server rejected a request; each request was sent again. */
  shed: number;
  kills: number;
}

/** Time before a rejected request is sent again, in milliseconds. It is less than `Retry-After`, so that the requests stay concurrent. */
const againMs = 100;

/** Maximum time for which a server may reject the same request, in milliseconds. */
const maxShedMs = 30_000;

/** Sends an order until it is not rejected; null if the server was killed before its response. */
async function send(url: string, key: string, onShed: () => void): Promise<Reply | null> {
  for (const begun = performance.now(); ; await wait(againMs)) {
    try {
      const response = await fetch(`${url}/order`, {
        method: 'POST',
        headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ ...fixtureOrder, id: key, promo_code: undefined }),
        signal: AbortSignal.timeout(30_000),
      });
      const replayed = response.headers.get('Idempotency-Replayed');
      const body = await response.text();
      const isShed = response.status === 503 && response.headers.get(wire.errorCode) === 'UNAVAILABLE';
      if (!isShed) return { status: response.status, replayed, body };
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
    if (performance.now() - begun > maxShedMs)
      throw new Error(`${key} was rejected with UNAVAILABLE for ${maxShedMs / 1_000} s`);
    onShed();
  }
}

/** Returns the one order that all responses to a key name, byte for byte. */
function agree(key: string, replies: readonly Reply[]): string {
  const wrong = replies.find(({ status }) => status !== 201);
  if (wrong) throw new Error(`${key} got ${wrong.status} ${wrong.body}`);
  const bodies = new Set(replies.map(({ body }) => body));
  if (bodies.size !== 1)
    throw new Error(`${key} got ${bodies.size} different responses: ${[...bodies].join(' ')}`);
  const made = replies.filter(({ replayed }) => replayed !== 'true').length;
  if (made > 1) throw new Error(`${key} made an order ${made} times`);
  return JSON.parse(replies[0]?.body ?? '').orderId;
}

/**
 * Sends each key many times at the same time, while one of the servers is killed and started again, and once more at the end.
 *
 * @throws Error if a key doesn't have exactly one order, or if its responses differ by a byte.
 */
export async function sendKeys(start: StartServerProcess, sends: Sends): Promise<SendsResult> {
  const { random, kills, store } = sends;
  const address = store.kind === 'file' ? `file:${store.path}` : store.url;
  const environment = { TOPUP_STORE: address, TOPUP_LOG_LEVEL: 'silent' };
  const result: SendsResult = { responses: 0, unanswered: 0, shed: 0, kills: 0 };
  const countShed = (): void => {
    result.shed += 1;
  };
  const servers: ServerProcess[] = [];
  await using running = new AsyncDisposableStack();
  running.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  while (servers.length < sends.servers) servers.push(await start(environment));
  const orders = new Map<string, string>();
  const bodies = new Map<string, string>();

  /** Sends the keys. Repeats this for keys without any response. */
  async function sendGroup(keys: string[]): Promise<void> {
    const killsBefore = result.kills;
    const urls = servers.map(({ baseUrl }) => baseUrl);
    const sent = await Promise.all(
      keys.map(async (key) => ({
        key,
        replies: await Promise.all(
          Array.from({ length: sends.sends }, (_, index) =>
            send(urls[index % urls.length] ?? '', key, countShed),
          ),
        ),
      })),
    );
    const unknown: string[] = [];
    for (const { key, replies } of sent) {
      const received = replies.filter((reply) => reply !== null);
      result.responses += received.length;
      result.unanswered += replies.length - received.length;
      if (received.length === 0) {
        unknown.push(key);
        continue;
      }
      orders.set(key, agree(key, received));
      bodies.set(key, received[0]?.body ?? '');
    }
    if (unknown.length === 0) return;
    await restarted;
    if (result.kills === killsBefore) throw new Error('a server is gone, and was not killed: see its log');
    await sendGroup(unknown);
  }

  /** Kills a server while requests are in progress. */
  async function restart(): Promise<void> {
    const which = sends.servers > 1 ? randomBelow(random, sends.servers) : 0;
    await wait(randomBelow(random, 4 * sends.sends));
    await servers[which]?.end('SIGKILL');
    result.kills += 1;
    servers[which] = await start(environment);
  }

  let restarted: Promise<void> = Promise.resolve();
  const all = Array.from({ length: sends.keys }, (_, index) => `key-${index}`);
  const groups = Math.ceil(sends.keys / sends.together);
  for (let group = 0; group < groups; group += 1) {
    // Distributes the requested kills over the groups.
    if (Math.floor(((group + 1) * kills) / groups) > result.kills) restarted = restart();
    const begin = group * sends.together;
    await Promise.all([sendGroup(all.slice(begin, begin + sends.together)), restarted]);
    sends.progress?.(Math.min(sends.keys, begin + sends.together), result.kills);
  }
  for (const [index, key] of all.entries()) {
    const reply = await send(servers[index % servers.length]?.baseUrl ?? '', key, countShed);
    if (reply?.body !== bodies.get(key) || reply?.replayed !== 'true')
      throw new Error(`${key} got ${reply?.body} in the end, and ${bodies.get(key)} before`);
  }
  await expectNotForgotten(servers, orders);
  await running.disposeAsync();
  if (result.responses === 0 || (kills > 0 && result.unanswered === 0))
    throw new Error(`no kill came between sends and their responses: ${JSON.stringify(result)}`);
  await expectOneOrderEach(store, orders);
  return result;
}

/** Checks that each key still identifies its order after its response is no longer replayed. */
async function expectNotForgotten(
  servers: readonly ServerProcess[],
  orders: ReadonlyMap<string, string>,
): Promise<void> {
  const urls = servers.map(({ baseUrl }) => baseUrl);
  const advanced = await fetch(new URL('/sandbox/advance', urls[0]), {
    method: 'POST',
    headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: '31d' }),
  });
  if (!advanced.ok) throw new Error(`the clock was not moved: ${await advanced.text()}`);
  // The first server knows the new time immediately, and the others within a second.
  for (const [key, orderId] of orders) {
    const reply = await send(urls[0] ?? '', key, () => {});
    if (reply?.status !== 409 || JSON.parse(reply.body).orderId !== orderId)
      throw new Error(`${key} got ${reply?.body} after 31 days, and made ${orderId}`);
  }
}

async function expectOneOrderEach(
  address: SharedAddress,
  orders: ReadonlyMap<string, string>,
): Promise<void> {
  await expectSound(address);
  const store = openStore(address);
  try {
    for (const [key, orderId] of orders) {
      const stored = await store.findOrdersOfTarget(key, 0);
      if (stored.length !== 1 || stored[0]?.orderId !== orderId)
        throw new Error(`${key} got ${orderId}, and made ${stored.map((one) => one.orderId)}`);
    }
  } finally {
    await store.close();
  }
}

const keys = 1_000;
const sendsEach = 100;
const kills = 50;

const about = `Sends ${keys.toLocaleString('en')} keys ${sendsEach} times each at once to`;

const run = async (
  start: StartServerProcess,
  where: Pick<Sends, 'store' | 'servers'>,
  { seed, progress }: SoakOptions,
): Promise<string> => {
  const result = await sendKeys(start, {
    keys,
    sends: sendsEach,
    together: 5,
    kills,
    ...where,
    random: seededRandom(sha256Hex, String(seed)),
    progress: (sent, count) => progress(sent / keys, `${sent} keys, ${count} kills`),
  });
  return `${keys} keys, ${result.responses} responses, ${result.shed} sends shed and sent again, ${result.unanswered} cut off by ${result.kills} kills: one order a key, all responses to a key the same.`;
};

export const idempotency: Soak = {
  name: 'idempotency',
  takesSeed: true,
  about: `${about} a server that is killed ${kills} times: one order a key, and the same bytes for all.`,
  run: (options) =>
    withServerProgram((start, folder) =>
      run(start, { store: { kind: 'file', path: join(folder, 'topup.db') }, servers: 1 }, options),
    ),
};

export const idempotencyOnPostgres: Soak = {
  name: 'idempotency-postgres',
  takesSeed: true,
  about: `${about} two servers on one PostgreSQL, of which one is killed ${kills} times: one order a key, and the same bytes for all.`,
  run: (options) =>
    withServerProgram(async (start) => {
      await using database = await startPostgres();
      const store = { kind: 'postgres', url: await database.newSchema() } as const;
      return await run(start, { store, servers: 2 }, options);
    }),
};
