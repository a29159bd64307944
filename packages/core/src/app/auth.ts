import type { Route } from '../contract/index.ts';
import { type Caller, DomainError, type Keyring } from '../engine/index.ts';
import type { RateLimiter } from '../http/index.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import type { Connection } from './http.ts';

/** Finds the caller of a request by its key. @throws DomainError UNAUTHORIZED. */
export async function identify(keys: Keyring, key: string | null, connection: Connection): Promise<Caller> {
  const caller = await keys.authenticate(key, connection.direct);
  if (!caller) throw new DomainError('UNAUTHORIZED');
  return caller;
}

/**
 * Whether a request was sent by a page of another site. Such a page can send requests to this machine, but its browser
 * marks them in the header `Sec-Fetch-Site`.
 */
export const isFromAnotherSite = ({ headers }: Request): boolean =>
  !['same-origin', 'none', null].includes(headers.get('Sec-Fetch-Site'));

/** Checks key, scope and rate limit, in this order (`docs/open-points.md`, errors). @throws DomainError when one fails. */
export async function admit(
  { keys, countRequest }: { keys: Keyring; countRequest: RateLimiter },
  route: Route,
  key: string | null,
  connection: Connection,
): Promise<{ caller: Caller; headers: Record<string, string> }> {
  const caller = await identify(keys, key, connection);
  if (!caller.scopes.includes(route.scope))
    throw new DomainError('FORBIDDEN', { params: { scope: route.scope } });
  const { allowed, headers } = countRequest(route.rate, `${caller.keyId} ${connection.address}`);
  if (!allowed) throw new DomainErrorWithHeaders('RATE_LIMITED', headers);
  return { caller, headers };
}
