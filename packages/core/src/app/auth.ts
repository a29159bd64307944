import type { Route } from '../contract/index.ts';
import { type Caller, type Keyring, Refusal } from '../engine/index.ts';
import type { RateLimiter } from '../http/index.ts';
import { RefusalWithHeaders } from './errors.ts';
import type { Connection } from './http.ts';

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Whether a request comes from this very machine. */
export const isLoopback = ({ address }: Connection): boolean => loopback.test(address);

/** Whose request it is. */
export async function identify(keys: Keyring, key: string | null, connection: Connection): Promise<Caller> {
  const caller = await keys.authenticate(key, isLoopback(connection));
  if (!caller) throw new Refusal('UNAUTHORIZED');
  return caller;
}

/**
 * Whether a request was sent by a page of another site: such a page may send one to this machine, but not without its
 * browser saying where it comes from.
 */
export const isFromAnotherSite = ({ headers }: Request): boolean =>
  !['same-origin', 'none', null].includes(headers.get('Sec-Fetch-Site'));

/** Lets a request in, or refuses it: key, then scope, then rate (open points: order of checks). */
export async function admit(
  { keys, countRequest }: { keys: Keyring; countRequest: RateLimiter },
  route: Route,
  key: string | null,
  connection: Connection,
): Promise<{ caller: Caller; headers: Record<string, string> }> {
  const caller = await identify(keys, key, connection);
  if (!caller.scopes.includes(route.scope)) throw new Refusal('FORBIDDEN', { words: { scope: route.scope } });
  const { allowed, headers } = countRequest(route.rate, `${caller.keyId} ${connection.address}`);
  if (!allowed) throw new RefusalWithHeaders('RATE_LIMITED', headers);
  return { caller, headers };
}
