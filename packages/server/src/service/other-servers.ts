import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { ServerConfig } from '../config/config.ts';

/** How often a server says that it runs, and how long others believe that of one that was killed, in milliseconds. */
const noteIntervalMs = 3_000;
const goneAfterMs = 10_000;

/** How long a server that stops waits for its last note, in milliseconds: the database may be silent. */
const longestGoodbyeMs = 1_000;

interface ServerDependencies {
  store: Pick<Store, 'noteServer'>;
  serverId: string;
  config: Pick<ServerConfig, 'host' | 'port'>;
  realClock: Clock;
}

/**
 * Tells the other servers of a store that this one runs, until the resources are disposed of.
 *
 * @returns what counts all of them, this one included; those that started or stopped within the last seconds may be missing.
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
      // The count stays until the store, which reports its own problems, works again.
    }
  }
  await note(goneAfterMs);
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting.then(() => note(goneAfterMs));
  }, noteIntervalMs);
  resources.defer(async () => {
    clearInterval(timer);
    // Others would forget this server all the same.
    await Promise.race([noting.then(() => note(0)), wait(longestGoodbyeMs, undefined, { ref: false })]);
  });
  return () => count;
}
