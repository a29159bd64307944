import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { ServerConfig } from '../config/config.ts';

/** Interval at which a server records that it runs, and time for which others trust the last record of a killed server, in milliseconds. */
const noteIntervalMs = 3_000;
const goneAfterMs = 10_000;

/** Maximum time that a stopping server waits for its last record, in milliseconds, because the database may not respond. */
const longestGoodbyeMs = 1_000;

interface ServerDependencies {
  store: Pick<Store, 'noteServer'>;
  serverId: string;
  config: Pick<ServerConfig, 'host' | 'port'>;
  realClock: Clock;
}

/**
 * Tells the other servers of a store that this server runs, until the resources are disposed of.
 *
 * @returns a function that counts all servers, including this one. Servers that started or stopped within the last seconds may be missing.
 */
export async function joinOthers(
  { store, serverId, config: { host, port }, realClock }: ServerDependencies,
  resources: AsyncDisposableStack,
): Promise<() => number> {
  let count = 1;
  const address = `${hostname()}, ${host}:${port}`;
  async function note(forMs: number): Promise<void> {
    try {
      const now = realClock();
      count = Math.max(1, await store.noteServer({ serverId, address, until: now + forMs }, now));
    } catch {
      // The count stays the same until the store works again. The store reports its own problems.
    }
  }
  await note(goneAfterMs);
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting.then(() => note(goneAfterMs));
  }, noteIntervalMs);
  resources.defer(async () => {
    clearInterval(timer);
    // Without this last write, other servers forget this server after a while.
    await Promise.race([noting.then(() => note(0)), wait(longestGoodbyeMs, undefined, { ref: false })]);
  });
  return () => count;
}
