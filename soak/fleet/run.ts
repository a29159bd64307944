import { setTimeout as wait } from 'node:timers/promises';
import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import { supplyReference } from '@topup-kit/core/supplier';
import { startPostgres } from '../../packages/server/test/helpers/postgres.ts';
import type { ServerProcess, StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { startTcpRelay } from '../../packages/server/test/helpers/tcp-relay.ts';
import { checkStore, sendAgain, untilDelivered } from '../kill/judge.ts';
import { isGone, type Known, shop, UnexpectedStatus } from '../kill/shopper.ts';
import { startSupplier } from './supplier.ts';

const clients = 8;

/** Maximum delay of a fault after the chosen order, and maximum duration of the fault, in milliseconds. */
const maxExtraMs = 20;
const maxBrokenMs = 500;

/** Time for which clients keep shopping after a repair, in milliseconds. */
const afterMs = 300;

/** Maximum time until a server is ready after a repair, in milliseconds. */
const maxRecoveryMs = 10_000;

export interface Faults {
  /** Number of faults: of a server, of the database, and of its connections, in turn. */
  rounds: number;
  /** Maximum number of orders in a round before its fault. */
  ordersEach: number;
  random: RandomBytes;
  progress?: (rounds: number, orders: number) => void;
}

export interface FaultsResult {
  orders: number;
  acknowledged: number;
  /** Orders whose first request got no 201 response. */
  disturbed: number;
  paid: number;
}

/**
 * Tells whether a fault explains a failed request: no response; 503, which promises that nothing was done; or 500 for a commit with an
 * unknown outcome.
 */
const isDisturbed = (error: unknown): boolean =>
  isGone(error) || (error instanceof UnexpectedStatus && [500, 503].includes(error.status));

async function untilReady({ baseUrl }: ServerProcess): Promise<void> {
  const url = new URL('/readyz', baseUrl);
  for (const end = Date.now() + maxRecoveryMs; ; await wait(20)) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.status === 200) return;
    if (Date.now() > end) throw new Error(`a server is not ready again: ${text}`);
  }
}

/** Checks that the supplier's books contain every item of a paid order exactly once, and nothing else. */
function checkBooks(books: ReadonlyMap<string, number>, paid: number, known: readonly Known[]): void {
  const twice = [...books].filter(([, count]) => count !== 1);
  if (twice.length > 0) throw new Error(`bought more than once: ${JSON.stringify(twice)}`);
  const references = known.flatMap(({ orderId }) =>
    [1, 2].map((unit) => supplyReference({ orderId: orderId ?? '', unit, attempt: 1 })),
  );
  const bought = references.filter((reference) => books.has(reference)).length;
  if (bought !== 2 * paid || bought !== books.size)
    throw new Error(
      `${paid} orders of two items were paid, ${bought} of ${books.size} items in the books are theirs`,
    );
}

/**
 * Repeatedly breaks parts of two servers on one PostgreSQL while clients place and pay orders. Compares the store and the supplier's books
 * with the acknowledged orders.
 *
 * @param start starts `serve.ts` from this folder
 * @throws Error if an order or a payment is lost, duplicated or incomplete, a replay differs by a byte, or an item was bought twice.
 */
export async function breakFleet(
  start: StartServerProcess,
  { rounds, ordersEach, random, progress = () => {} }: Faults,
): Promise<FaultsResult> {
  await using resources = new AsyncDisposableStack();
  // An immediate stop must not lose committed data.
  const database = resources.use(await startPostgres({ durable: true }));
  const url = new URL(await database.newSchema());
  const relay = resources.use(await startTcpRelay(Number(url.port)));
  const supplier = resources.use(await startSupplier());
  const store = { kind: 'postgres', url: url.href } as const;
  url.port = String(relay.port);
  const environment = { TOPUP_STORE: url.href, TOPUP_LOG_LEVEL: 'silent', SUPPLIER_URL: supplier.url };
  const servers = [await start(environment), await start(environment)];
  resources.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  const urlOf = (turn: number): string => servers[turn % servers.length]?.baseUrl ?? '';
  const whileBroken = (): Promise<void> => wait(randomBelow(random, maxBrokenMs));
  const faults = [
    async () => {
      const which = randomBelow(random, servers.length);
      await servers[which]?.end('SIGKILL');
      await whileBroken();
      servers[which] = await start(environment);
    },
    async () => {
      await database.crash();
      await whileBroken();
      await database.restart();
    },
    async () => relay.cut(),
  ];

  const all: Known[] = [];
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    const known: Known[] = [];
    let isEnding = false;
    const shopping = Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let count = 0; !isEnding; count += 1)
          await shop(urlOf(client + count), `${round}-${client}`, count, known).catch((error: unknown) => {
            if (!isDisturbed(error)) throw error;
            return wait(20);
          });
      }),
    );
    const last = randomBelow(random, ordersEach);
    const extraMs = randomBelow(random, maxExtraMs);
    const breakOnce = async (): Promise<void> => {
      while (known.length < last && !isEnding) await wait(1);
      await wait(extraMs);
      await faults[round % faults.length]?.();
      await wait(afterMs);
    };
    const end = (): void => {
      isEnding = true;
    };
    // Waits for both, so that nothing starts a server after an error of the other.
    for (const one of await Promise.allSettled([breakOnce().finally(end), shopping.finally(end)]))
      if (one.status === 'rejected') throw one.reason;
    for (const server of servers) await untilReady(server);
    acknowledged += known.filter(({ created }) => created !== null).length;
    await sendAgain(urlOf(round), known);
    all.push(...known);
    progress(round + 1, all.length);
  }
  await untilDelivered(store);
  const disturbed = all.length - acknowledged;
  if (disturbed === 0) throw new Error('no fault came between an order and its response');
  const paid = await checkStore(store, all);
  checkBooks(supplier.books, paid, all);
  return { orders: all.length, acknowledged, disturbed, paid };
}
