import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { issueKey } from '@topup-kit/core/engine';
import { type RandomBytes, randomBelow, secureRandom } from '@topup-kit/core/platform';
import { openStore, sha256Hex } from '../../packages/server/src/internal.ts';
import type { TestPostgres } from '../../packages/server/test/helpers/postgres.ts';
import type { ServerProcess, StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { startTcpRelay } from '../../packages/server/test/helpers/tcp-relay.ts';
import { expectSound } from '../sound.ts';
import { checkHistory, type Verdict } from './check.ts';
import { type Account, act, type Place, readAll, type World } from './clients.ts';
import type { Fault } from './faults.ts';
import { createSender } from './http.ts';
import { readHistory, recordTo } from './operation.ts';

const clients = 12;

/** Maximum time until a killed server is started again, in milliseconds. */
const maxGoneMs = 300;

/** Maximum time without a connection to the database, in milliseconds: longer than servers repeat their attempts. */
const maxCutOffMs = 4_000;

export interface HistoryOptions {
  /** Number of operations to record. */
  operations: number;
  /** Number of times that a server is killed, or that its connections to the database are cut if it uses PostgreSQL. */
  kills: number;
  /** Folder for the history, and for the store if it is a file. */
  folder: string;
  /** Database of two servers. Without it, there is one server on a file. */
  database?: TestPostgres;
  random: RandomBytes;
  /** Fault of the servers. */
  fault?: Fault;
  progress?: (operations: number) => void;
}

export interface HistoryResult extends Verdict {
  kills: number;
  cuts: number;
  /** Number of requests with a 503 response, for which nothing may have been done. */
  rejected: number;
  /** Duration of the operations, and of the check, in milliseconds. */
  ranMs: number;
  checkedMs: number;
}

/**
 * Lets clients run random operations while servers are killed and connections are cut. Checks the history of all results.
 *
 * @param start starts `serve.ts` from this folder
 */
export async function recordAndCheck(
  start: StartServerProcess,
  { operations, kills, folder, database, random, fault, progress = () => {} }: HistoryOptions,
): Promise<HistoryResult> {
  await using resources = new AsyncDisposableStack();
  const url = database && new URL(await database.newSchema());
  const address = url
    ? ({ kind: 'postgres', url: url.href } as const)
    : ({ kind: 'file', path: join(folder, 'history.db') } as const);
  const relay = url && resources.use(await startTcpRelay(Number(url.port)));
  if (url && relay) url.port = String(relay.port);
  const environment = {
    TOPUP_STORE: url ? url.href : `file:${join(folder, 'history.db')}`,
    TOPUP_LOG_LEVEL: 'silent',
    HISTORY_FAULT: fault ?? '',
  };
  const servers: ServerProcess[] = [];
  resources.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  while (servers.length < (url ? 2 : 1)) servers.push(await start(environment));
  const store = openStore(address);
  resources.defer(() => store.close());
  const accounts: Account[] = [];
  for (const account of ['web', 'app']) {
    const deps = { store, hash: sha256Hex, random: secureRandom, realClock: Date.now };
    const scopes = ['catalog:read', 'orders:read', 'orders:write'] as const;
    const { key } = await issueKey(deps, { mode: 'test', accountId: account, name: account, scopes });
    accounts.push({ account, apiKey: key });
  }
  // A server accepts a new key within a second.
  await wait(1_000);

  const path = join(folder, 'history.jsonl');
  const recorder = recordTo(path);
  const places: Place[] = servers.map(({ baseUrl }, index) => ({ name: `server ${index + 1}`, baseUrl }));
  const sender = createSender();
  resources.use(sender);
  const world: World = {
    places,
    accounts,
    store,
    sender,
    recorder,
    random,
    hot: [],
    old: [],
    placed: 0,
    rejected: 0,
  };
  let isEnding = false;
  let isBroken = false;
  const end = (): void => {
    isEnding = true;
  };
  const working = Promise.all(
    Array.from({ length: clients }, async () => {
      // On a busy machine, all operations may end before all faults have happened.
      while (!isEnding && (!isBroken || recorder.count() < operations)) await act(world);
    }),
  ).finally(end);

  async function restart(which: number): Promise<void> {
    const place = places[which];
    if (!place) return;
    place.baseUrl = null;
    await servers[which]?.end('SIGKILL');
    await wait(randomBelow(random, maxGoneMs));
    const server = await start(environment);
    servers[which] = server;
    place.baseUrl = server.baseUrl;
  }

  const done = { kills: 0, cuts: 0 };
  const breaking = async (): Promise<void> => {
    for (let fault = 1; fault <= kills && !isEnding; fault += 1) {
      const from = Math.floor((operations * fault) / (kills + 1));
      while (recorder.count() < from && !isEnding) {
        await wait(10);
        progress(recorder.count());
      }
      if (relay && fault % 2 === 0) {
        for (const end = performance.now() + randomBelow(random, maxCutOffMs); ; await wait(10)) {
          relay.cut();
          if (performance.now() >= end) break;
        }
        done.cuts += 1;
      } else {
        await restart(randomBelow(random, servers.length));
        done.kills += 1;
      }
    }
    isBroken = true;
  };
  const began = performance.now();
  // Waits for both, so that nothing starts a server after an error of the other.
  for (const one of await Promise.allSettled([
    working,
    breaking().catch((error: unknown) => {
      end();
      throw error;
    }),
  ]))
    if (one.status === 'rejected') throw one.reason;
  // A restart loses all data that existed only in a server's memory.
  for (const which of servers.keys()) await restart(which);
  await readAll(world);
  const ranMs = performance.now() - began;
  await recorder.close();
  for (const server of servers) await server.end('SIGTERM');
  if (!fault) await expectSound(address);
  const checked = performance.now();
  const verdict = await checkHistory(readHistory(path));
  return { ...verdict, ...done, rejected: world.rejected, ranMs, checkedMs: performance.now() - checked };
}
