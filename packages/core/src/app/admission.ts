import type { Route } from '../contract/index.ts';
import { type Caller, type Keyring, Refusal } from '../engine/index.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What a host knows of the connection a request came over. */
export interface Connection {
  /** The peer's address; requests that crossed no network come from `127.0.0.1`. */
  address: string;
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Whether a request comes from this very machine. */
export const isLoopback = ({ address }: Connection): boolean => loopback.test(address);

/** Whose request it is. */
export async function identify(keys: Keyring, key: string | null, connection: Connection): Promise<Caller> {
  const caller = await keys.authenticate(key, isLoopback(connection));
  if (!caller) throw new Refusal('UNAUTHORIZED');
  return caller;
}

/** Lets a request in, or refuses it: key, then scope, then rate (open points: order of checks). */
export async function admit(
  { keys, rateLimiter }: { keys: Keyring; rateLimiter: RateLimiter },
  route: Route,
  key: string | null,
  connection: Connection,
): Promise<{ caller: Caller; headers: Record<string, string> }> {
  const caller = await identify(keys, key, connection);
  if (!caller.scopes.includes(route.scope)) throw new Refusal('FORBIDDEN', { words: { scope: route.scope } });
  return { caller, headers: rateLimiter.count(route.rate, `${caller.keyId}\n${connection.address}`) };
}
