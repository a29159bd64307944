import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/engine';
import { type Random, randomBelow } from '@topup-kit/core/platform';
import { createTopupClient } from '@topup-kit/sdk';
import { openStore } from '../../../src/index.ts';
import type { StartServerProcess } from '../../helpers/spawn-server.ts';
import { type Known, orderIdOf, place, shopUntilKilled } from './shopper.ts';

const clients = 8;

/** The server is killed up to so many milliseconds after the order that was chosen. */
const maxExtraMs = 20;

/** How long the last server may take to deliver what is paid for, in milliseconds. */
const maxDeliveryMs = 60_000;

export interface Kills {
  kills: number;
  /**
   * The most orders after which a server is killed: from those of a moment in which nothing is stored yet to one in which
   * deliveries are going on.
   */
  ordersEach: number;
  folder: string;
  random: Random;
  progress?: (kills: number, orders: number) => void;
}

export interface KillResult {
  orders: number;
  acknowledged: number;
  /** Orders without a response when the server was killed. */
  unanswered: number;
  paid: number;
}

function check(isRight: boolean, { idempotencyKey, orderId }: Known, what: string, seen: unknown): void {
  if (!isRight) throw new Error(`${orderId ?? idempotencyKey}: ${what}: ${JSON.stringify(seen)}`);
}

/** Sends every order of a killed server again: the same bytes for what was acknowledged, and one order for what was not. */
async function sendAgain(baseUrl: string, known: readonly Known[]): Promise<void> {
  const client = createTopupClient({ baseUrl, apiKey: sandboxKey });
  for (const one of known) {
    const again = await place(baseUrl, one.idempotencyKey);
    check(one.created === null || again === one.created, one, 'the replay differs', [one.created, again]);
    one.created = again;
    one.orderId = orderIdOf(again);
    const { order } = await client.invoices.get(one.orderId);
    const { data } = JSON.parse(again);
    const isComplete =
      order.order_id === one.orderId &&
      order.id_games === one.idempotencyKey &&
      order.quantity === data.quantity &&
      order.total_price === data.total_price &&
      order.payment_url === data.payment_url;
    check(isComplete, one, 'the invoice is not that of the order', order);
    const mayBe = { none: ['UNPAID'], sent: ['UNPAID', 'PAID'], acknowledged: ['PAID'] }[one.payment];
    check(
      mayBe.includes(order.payment_status),
      one,
      `a payment (${one.payment}) is now`,
      order.payment_status,
    );
  }
}

/** Reads from the file that every order is there once, and what was paid for was bought and delivered once. */
async function checkStore(path: string, known: readonly Known[]): Promise<number> {
  const store = openStore({ kind: 'file', path });
  try {
    const stored = (await store.countOrders()).reduce((sum, { count }) => sum + count, 0);
    const ids = new Set(known.map(({ orderId }) => orderId));
    if (stored !== known.length || ids.size !== known.length)
      throw new Error(`${known.length} orders were sent, ${ids.size} have an id, ${stored} are stored`);
    let paid = 0;
    for (const one of known) {
      const events = (await store.findHistory(one.orderId ?? '')).map(({ event }) => event);
      const units = (await store.findUnits(one.orderId ?? '')).map(
        ({ state, attempt }) => `${state} ${attempt}`,
      );
      const isPaid = events.length > 0;
      check(isPaid || one.payment !== 'acknowledged', one, 'the payment is lost', events);
      if (!isPaid) continue;
      paid += 1;
      check(events.join() === 'paid,delivered', one, 'it was not paid and delivered once', events);
      check(
        units.join() === 'delivered 1,delivered 1',
        one,
        'its items were not delivered at the first attempt',
        units,
      );
    }
    return paid;
  } finally {
    await store.close();
  }
}

/** Waits until a running server has nothing left to deliver. */
async function untilDelivered(path: string): Promise<void> {
  const store = openStore({ kind: 'file', path });
  try {
    for (const end = Date.now() + maxDeliveryMs; ; await wait(100)) {
      const open = (await store.countOrders()).filter(
        ({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus !== 'Sukses',
      );
      if (open.length === 0) return;
      if (Date.now() > end)
        throw new Error(`orders that are paid are not delivered: ${JSON.stringify(open)}`);
    }
  } finally {
    await store.close();
  }
}

/**
 * Kills a server again and again while clients place and pay orders, starts it again on the same file, and compares it with
 * what was acknowledged.
 *
 * @throws Error when an order or a payment is lost, doubled or incomplete, or a replay differs by a byte.
 */
export async function killUnderLoad(
  start: StartServerProcess,
  { kills, folder, random, ordersEach, progress = () => {} }: Kills,
): Promise<KillResult> {
  const path = join(folder, 'killed.db');
  const environment = { TOPUP_STORE: `file:${path}` };
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
    const isEnough = async (): Promise<void> => {
      while (known.length < last) await wait(1);
      await wait(extraMs);
    };
    await Promise.race([isEnough(), shopping]);
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
    await untilDelivered(path);
    await server.end('SIGTERM');
  }
  if (acknowledged === 0 || unanswered === 0)
    throw new Error(
      `no kill came between orders and their responses: ${acknowledged} had one, ${unanswered} none`,
    );
  const paid = await checkStore(path, all);
  return { orders: all.length, acknowledged, unanswered, paid };
}
