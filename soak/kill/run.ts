import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { checkStore, sendAgain, untilDelivered } from './judge.ts';
import { type Known, shopUntilKilled } from './shopper.ts';

const clients = 8;

/** Maximum delay of a kill after the chosen order, in milliseconds. */
const maxExtraMs = 20;

export interface Kills {
  kills: number;
  /**
   * Maximum number of orders before a server is killed: from a moment when nothing is stored yet to a moment when deliveries are in
   * progress.
   */
  ordersEach: number;
  folder: string;
  random: RandomBytes;
  progress?: (kills: number, orders: number) => void;
}

export interface KillResult {
  orders: number;
  acknowledged: number;
  /** Orders without a response when the server was killed. */
  unanswered: number;
  paid: number;
}

/**
 * Repeatedly kills a server while clients place and pay orders, starts it again on the same file, and compares it with the acknowledged
 * orders.
 *
 * @throws Error if an order or a payment is lost, duplicated or incomplete, or a replay differs by a byte.
 */
export async function killUnderLoad(
  start: StartServerProcess,
  { kills, folder, random, ordersEach, progress = () => {} }: Kills,
): Promise<KillResult> {
  const store = { kind: 'file', path: join(folder, 'killed.db') } as const;
  const environment = { TOPUP_STORE: `file:${store.path}` };
  const all: Known[] = [];
  let acknowledged = 0;
  let unanswered = 0;
  let latest: Known[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await using server = await start(environment);
    await sendAgain(server.baseUrl, latest);
    latest = [];
    const known = latest;
    const shopping = Promise.all(
      Array.from({ length: clients }, (_, index) =>
        shopUntilKilled(server.baseUrl, `${kill}-${index}`, known),
      ),
    );
    const last = randomBelow(random, ordersEach);
    const extraMs = randomBelow(random, maxExtraMs);
    let isOver = false;
    const isEnough = async (): Promise<void> => {
      while (known.length < last && !isOver) await wait(1);
      await wait(extraMs);
    };
    await Promise.race([isEnough(), shopping]).finally(() => {
      isOver = true;
    });
    await server.end('SIGKILL');
    await shopping;
    acknowledged += latest.filter(({ created }) => created !== null).length;
    unanswered += latest.filter(({ created }) => created === null).length;
    all.push(...latest);
    progress(kill + 1, all.length);
  }
  {
    await using server = await start(environment);
    await sendAgain(server.baseUrl, all);
    await untilDelivered(store);
    await server.end('SIGTERM');
  }
  if (acknowledged === 0 || unanswered === 0)
    throw new Error(
      `no kill came between orders and their responses: ${acknowledged} had one, ${unanswered} none`,
    );
  const paid = await checkStore(store, all);
  return { orders: all.length, acknowledged, unanswered, paid };
}
