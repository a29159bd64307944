import { setTimeout as wait } from 'node:timers/promises';
import { orderEventTypes } from '@topup-kit/core/contract';
import { createEndpoint } from '@topup-kit/core/engine';
import { type RandomBytes, randomBelow, secureRandom } from '@topup-kit/core/platform';
import type { Store, StoredOrder } from '@topup-kit/core/store';
import { openStore, type StoreAddress } from '../../packages/server/src/index.ts';
import type { ServerProcess, StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { isGone, type Known, shop, UnexpectedStatus } from '../kill/shopper.ts';
import { expectSound } from '../sound.ts';
import { type Failing, type ReceivedEvent, startReceiver } from './receiver.ts';

/** Maximum time for the last events to arrive, in milliseconds. */
const maxWaitMs = 5 * 60_000;

export interface WebhookRun extends Failing {
  store: Exclude<StoreAddress, { kind: 'memory' }>;
  servers: number;
  /** Minimum number of events. */
  events: number;
  kills: number;
  random: RandomBytes;
  progress?: (events: number, doing: string) => void;
}

export interface WebhookResult {
  orders: number;
  events: number;
  attempts: number;
  failed: number;
}

const environmentOf = (store: WebhookRun['store'], start: number): Record<string, string> => ({
  TOPUP_STORE: store.kind === 'file' ? `file:${store.path}` : store.url,
  TOPUP_LOG_LEVEL: 'silent',
  START: String(start),
});

/** Returns the events that an order must have, according to its state. */
function expectedOf({ paymentStatus, buyStatus }: StoredOrder): string[] {
  const paid = ['order.paid', 'order.processing'];
  return [
    'order.created',
    ...(paymentStatus === 'EXPIRED' ? ['order.expired'] : []),
    ...(paymentStatus === 'PAID' ? paid : []),
    ...(buyStatus === 'Sukses' ? ['order.delivered'] : []),
  ];
}

/** Compares the received events. @throws Error if one is missing, unexpected, has two ids, or came before an earlier event of its order. */
async function check(store: Store, received: Iterable<ReceivedEvent>): Promise<number> {
  const byOrder = new Map<string, ReceivedEvent[]>();
  for (const event of received) byOrder.set(event.orderId, [...(byOrder.get(event.orderId) ?? []), event]);
  const stored = await store.listOrders({ limit: 1_000_000 });
  for (const order of stored) {
    const events = byOrder.get(order.orderId) ?? [];
    byOrder.delete(order.orderId);
    const types = events.map(({ type }) => type).join();
    if (types !== expectedOf(order).join())
      throw new Error(
        `${order.orderId} is ${order.paymentStatus} / ${order.buyStatus}, and its first attempts were ${types}`,
      );
    const lost = events.filter(({ hasArrived }) => !hasArrived);
    if (lost.length > 0) throw new Error(`never arrived: ${JSON.stringify(lost)}`);
  }
  if (byOrder.size > 0) throw new Error(`events of orders that are not there: ${[...byOrder.keys()]}`);
  return stored.length;
}

/**
 * Sends the events of a shop's orders to an endpoint at which a share fails, while servers are killed. Compares the received events with
 * the store.
 */
export async function sendUnderKills(
  start: StartServerProcess,
  {
    store: address,
    servers: count,
    events: wanted,
    kills,
    random,
    progress = () => {},
    ...failing
  }: WebhookRun,
): Promise<WebhookResult> {
  await using resources = new AsyncDisposableStack();
  const receiver = resources.use(await startReceiver(failing));
  const from = Date.now();
  const environment = environmentOf(address, from);
  const servers: ServerProcess[] = [];
  resources.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  for (let index = 0; index < count; index += 1) servers.push(await start(environment));
  const store = openStore(address);
  resources.defer(() => store.close());
  const { secret } = await createEndpoint(
    { store, random: secureRandom, realClock: () => from, seal: (plain) => plain },
    { accountId: 'sandbox', url: receiver.url, types: orderEventTypes, description: '', disabled: null },
  );
  receiver.expectSecret(secret);

  const known: Known[] = [];
  let isOver = false;
  const baseUrl = (turn: number): string => servers[turn % servers.length]?.baseUrl ?? '';
  async function customer(client: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      await shop(baseUrl(client + turn), `${client}`, turn, known).catch((error: unknown) => {
        // A payment is too late if the machine is so busy that its order, which has two seconds, has expired.
        const isLate = error instanceof UnexpectedStatus && error.message.startsWith('a payment got 409');
        const isBusy = error instanceof UnexpectedStatus && [500, 503].includes(error.status);
        if (!isGone(error) && !isBusy && !isLate) throw error;
      });
      await wait(10);
    }
  }
  async function killer(): Promise<void> {
    for (let kill = 1; kill <= kills && !isOver; kill += 1) {
      while (receiver.events.size < (kill * wanted) / (kills + 1) && !isOver) {
        progress(receiver.events.size, `${receiver.events.size} events, ${kill - 1} kills`);
        await wait(50);
      }
      const which = randomBelow(random, servers.length);
      await servers[which]?.end('SIGKILL');
      await wait(randomBelow(random, 300));
      servers[which] = await start(environment);
    }
    while (receiver.events.size < wanted && !isOver) await wait(50);
  }
  const end = (): void => {
    isOver = true;
  };
  const shopping = Array.from({ length: 4 }, (_, client) => customer(client));
  for (const part of await Promise.allSettled([
    killer().finally(end),
    ...shopping.map((one) => one.finally(end)),
  ]))
    if (part.status === 'rejected') throw part.reason;

  await untilQuiet(store, () =>
    progress(receiver.events.size, `${receiver.events.size} events, the last ones`),
  );
  for (const server of servers) await server.end('SIGTERM');
  if (receiver.problems.length > 0) throw new Error(receiver.problems.slice(0, 5).join('; '));
  await expectSound(address);
  const orders = await check(store, receiver.events.values());
  return { orders, events: receiver.events.size, ...receiver.counts() };
}

/** Waits until all events were sent: no order changes any more, and nothing is pending. */
async function untilQuiet(store: Store, show: () => void): Promise<void> {
  let calm = 0;
  for (const end = Date.now() + maxWaitMs; calm < 5; await wait(300)) {
    if (Date.now() > end) throw new Error('what is pending was not sent in time');
    const states = await store.countOrders();
    const moving = states.some(({ buyStatus }) => buyStatus === 'Pending' || buyStatus === 'Proses');
    const pending = (await store.countPendingWebhooks()).size > 0;
    const { position } = await store.readEventProgress();
    const isRead = (await store.findChanges(position, 1)).length === 0;
    calm = moving || pending || !isRead ? 0 : calm + 1;
    show();
  }
}
