import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/engine';
import { type Random, randomBelow, seededRandom } from '@topup-kit/core/platform';
import { createSqliteStore } from '../../../src/index.ts';
import { sha256Hex } from '../../../src/service.ts';
import { fixtureOrder } from '../../helpers/sandbox.ts';
import type { StartServerProcess } from '../../helpers/spawn-server.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak } from '../soak.ts';

export interface Sends {
  keys: number;
  /** How often each key is sent, all at once. */
  sends: number;
  /** Keys that are sent at once. */
  together: number;
  /** How often the server is killed. */
  kills: number;
  folder: string;
  random: Random;
  told?: (keys: number, kills: number) => void;
}

interface Answer {
  status: number;
  replayed: string | null;
  body: string;
}

export interface SendsResult {
  answered: number;
  /** Sends that a kill left without an answer. */
  unanswered: number;
  kills: number;
}

async function send(url: string, key: string): Promise<Answer | null> {
  try {
    const response = await fetch(`${url}/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ ...fixtureOrder, id: key, promo_code: undefined }),
      signal: AbortSignal.timeout(30_000),
    });
    const replayed = response.headers.get('Idempotency-Replayed');
    return { status: response.status, replayed, body: await response.text() };
  } catch {
    return null;
  }
}

/** The one order that all answers to a key tell of, byte for byte. */
function agree(key: string, answers: readonly Answer[]): string {
  const wrong = answers.find(({ status }) => status !== 201);
  if (wrong) throw new Error(`${key} got ${wrong.status} ${wrong.body}`);
  const bodies = new Set(answers.map(({ body }) => body));
  if (bodies.size !== 1)
    throw new Error(`${key} got ${bodies.size} different answers: ${[...bodies].join(' ')}`);
  const made = answers.filter(({ replayed }) => replayed !== 'true').length;
  if (made > 1) throw new Error(`${key} made an order ${made} times`);
  return JSON.parse(answers[0]?.body ?? '').orderId;
}

/**
 * Sends each key many times at once to a server that is killed and started again meanwhile, and once more at the end.
 *
 * @throws an error when a key has other than one order, or answers that differ in a byte.
 */
export async function sendKeys(start: StartServerProcess, sends: Sends): Promise<SendsResult> {
  const { random, kills, folder } = sends;
  const path = join(folder, 'topup.db');
  const environment = { TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent' };
  const result: SendsResult = { answered: 0, unanswered: 0, kills: 0 };
  let server = await start(environment);
  const orders = new Map<string, string>();
  const bodies = new Map<string, string>();

  /** Sends the keys; again, those of which no send was answered. */
  async function sendGroup(keys: string[]): Promise<void> {
    const { baseUrl } = server;
    const sent = await Promise.all(
      keys.map(async (key) => ({
        key,
        answers: await Promise.all(Array.from({ length: sends.sends }, () => send(baseUrl, key))),
      })),
    );
    const unknown: string[] = [];
    for (const { key, answers } of sent) {
      const received = answers.filter((answer) => answer !== null);
      result.answered += received.length;
      result.unanswered += answers.length - received.length;
      if (received.length === 0) {
        unknown.push(key);
        continue;
      }
      orders.set(key, agree(key, received));
      bodies.set(key, received[0]?.body ?? '');
    }
    if (unknown.length === 0) return;
    await restarted;
    await sendGroup(unknown);
  }

  /** Kills the server while the sends are on their way. */
  async function restart(): Promise<void> {
    await wait(randomBelow(random, 4 * sends.sends));
    await server.end('SIGKILL');
    result.kills += 1;
    server = await start(environment);
  }

  let restarted: Promise<void> = Promise.resolve();
  try {
    const all = Array.from({ length: sends.keys }, (_, index) => `key-${index}`);
    const groups = Math.ceil(sends.keys / sends.together);
    for (let group = 0; group < groups; group += 1) {
      // As many kills as were asked for, spread over the groups.
      if (Math.floor(((group + 1) * kills) / groups) > result.kills) restarted = restart();
      const begin = group * sends.together;
      await Promise.all([sendGroup(all.slice(begin, begin + sends.together)), restarted]);
      sends.told?.(Math.min(sends.keys, begin + sends.together), result.kills);
    }
    for (const key of all) {
      const answer = await send(server.baseUrl, key);
      if (answer?.body !== bodies.get(key) || answer?.replayed !== 'true')
        throw new Error(`${key} is answered by ${answer?.body} at last, and was by ${bodies.get(key)}`);
    }
  } finally {
    await server.end('SIGKILL');
  }
  await expectOneOrderEach(path, orders);
  return result;
}

async function expectOneOrderEach(path: string, orders: ReadonlyMap<string, string>): Promise<void> {
  const store = createSqliteStore({ path });
  try {
    for (const [key, orderId] of orders) {
      const stored = await store.findOrdersOfTarget(key, 0);
      if (stored.length !== 1 || stored[0]?.orderId !== orderId)
        throw new Error(`${key} was answered by ${orderId}, and made ${stored.map((one) => one.orderId)}`);
    }
  } finally {
    await store.close();
  }
}

const keys = 1_000;
const sendsEach = 100;
const kills = 50;

export const idempotency: Soak = {
  name: 'idempotency',
  about: `Sends ${keys.toLocaleString('en')} keys ${sendsEach} times each at once to a server that is killed ${kills} times: one order a key, and the same bytes for all.`,
  run: ({ seed, progress }) =>
    withServerProgram(async (start, folder) => {
      const {
        answered,
        unanswered,
        kills: killed,
      } = await sendKeys(start, {
        ...{ keys, sends: sendsEach, together: 5, kills, folder },
        random: seededRandom(sha256Hex, String(seed)),
        told: (sent, count) => progress(sent / keys, `${sent} keys, ${count} kills`),
      });
      return `${keys} keys, ${answered} answers, ${unanswered} sends cut off by ${killed} kills: one order a key, all answers to a key the same.`;
    }),
};
