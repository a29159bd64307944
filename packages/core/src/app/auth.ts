import type { Route } from '../contract/index.ts';
import { type Caller, DomainError, type Keyring } from '../engine/index.ts';
import { type Counted, clientName, type RateLimiter } from '../http/index.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import type { Connection, RequestContext } from './http.ts';

/** What checks and counts the requests to a service. */
export interface RequestGuard {
  keys: Keyring;
  countRequest: RateLimiter;
}

/** Counts a request that no key limits, by its kind and its client's address. */
export const countByAddress = (
  { countRequest }: Pick<RequestGuard, 'countRequest'>,
  kind: string,
  { address }: Connection,
): Counted => countRequest('reads', `${kind} ${clientName(address)}`);

/** Counts a request by its kind and its client's address. */
export type CountByAddress = (kind: string, connection: Connection) => Counted;

/** Rejects a request that no key limits, if too many of its kind came from its client's address. @throws DomainError RATE_LIMITED. */
export function limitAddress(
  guard: Pick<RequestGuard, 'countRequest'>,
  kind: string,
  connection: Connection,
): void {
  const { allowed, headers } = countByAddress(guard, kind, connection);
  if (!allowed) throw new DomainErrorWithHeaders('RATE_LIMITED', headers);
}

/** Finds the caller of a request by its key. @throws DomainError UNAUTHORIZED, or RATE_LIMITED after many wrong keys. */
export async function identify(
  guard: RequestGuard,
  key: string | null,
  { connection, facts }: Pick<RequestContext, 'connection' | 'facts'>,
): Promise<Caller> {
  const caller = await guard.keys.authenticate(key, connection.direct);
  facts.keyId = caller?.keyId ?? null;
  if (caller && 'accountId' in caller) {
    facts.accountId = caller.accountId;
    return caller;
  }
  facts.keyState = caller?.state ?? null;
  limitAddress(guard, 'wrong-key', connection);
  throw new DomainError('UNAUTHORIZED');
}

/**
 * Whether a request was sent by a page of another site. Such a page can send requests to this machine, but its browser
 * marks them in the header `Sec-Fetch-Site`.
 */
export const isFromAnotherSite = ({ headers }: Request): boolean =>
  !['same-origin', 'none', null].includes(headers.get('Sec-Fetch-Site'));

/**
 * Checks key, rate limit and scope, in this order (`docs/open-points.md`, errors): what a key may not do is counted, too.
 *
 * @throws DomainError when one fails.
 */
export async function admit(
  guard: RequestGuard,
  route: Route,
  key: string | null,
  context: Pick<RequestContext, 'connection' | 'facts'>,
): Promise<{ caller: Caller; headers: Record<string, string> }> {
  const caller = await identify(guard, key, context);
  const { allowed, headers } = guard.countRequest(
    route.rate,
    `${caller.keyId} ${clientName(context.connection.address)}`,
  );
  if (!allowed) throw new DomainErrorWithHeaders('RATE_LIMITED', headers);
  if (!caller.scopes.includes(route.scope))
    throw new DomainError('FORBIDDEN', { params: { scope: route.scope } });
  return { caller, headers };
}
