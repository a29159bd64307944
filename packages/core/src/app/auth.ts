import { headers as names, type Route, trustScope } from '../contract/index.ts';
import { type Caller, DomainError, type Keyring } from '../engine/index.ts';
import { clientName, type RateLimiter, type RateLimitResult, type RatePolicy } from '../http/index.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import type { Connection, RequestContext } from './http.ts';

export interface RequestGuard {
  keys: Keyring;
  /** Counts requests per key and address; undefined if there is no limit. */
  countRequest: RateLimiter | undefined;
  /** Counts requests per person; undefined if there is no limit. */
  countCustomer: RateLimiter | undefined;
  /** Called for each request that a limit of its key rejects. */
  noteRejection?: ((rejection: { keyId: string; policy: RatePolicy }) => void) | undefined;
}

const unlimited: RateLimitResult = { allowed: true, headers: {} };

/** Counts a request without a key by its kind and its client's address. */
export const countByAddress = (
  { countCustomer }: Pick<RequestGuard, 'countCustomer'>,
  kind: string,
  { address }: Connection,
): RateLimitResult => countCustomer?.('reads', `${kind} ${clientName(address)}`) ?? unlimited;

/** Counts a request by its kind and its client's address. */
export type CountByAddress = (kind: string, connection: Connection) => RateLimitResult;

/** Rejects a request without a key if its client's address has sent too many requests of this kind. */
export function limitAddress(
  guard: Pick<RequestGuard, 'countCustomer'>,
  kind: string,
  connection: Connection,
): void {
  const { allowed, headers } = countByAddress(guard, kind, connection);
  if (!allowed) throw new DomainErrorWithHeaders('RATE_LIMITED', headers);
}

/** Finds the caller of a request by the key. @throws DomainError UNAUTHORIZED, or RATE_LIMITED after many wrong keys. */
export async function identify(
  guard: RequestGuard,
  key: string | null,
  { connection, record }: Pick<RequestContext, 'connection' | 'record'>,
): Promise<Caller> {
  const caller = await guard.keys.authenticate(key, connection.direct);
  record.keyId = caller?.keyId ?? null;
  if (caller && 'accountId' in caller) {
    record.accountId = caller.accountId;
    return caller;
  }
  record.keyState = caller?.state ?? null;
  limitAddress(guard, 'wrong-key', connection);
  throw new DomainError('UNAUTHORIZED');
}

/** Tells whether a page of another site sent the request. The browser marks such requests with `Sec-Fetch-Site`. */
export const isFromAnotherSite = ({ headers }: Request): boolean =>
  !['same-origin', 'none', null].includes(headers.get('Sec-Fetch-Site'));

/** Returns the customer's address if a request with a trusted key names it; otherwise null. */
function customerOf({ scopes }: Caller, request: Pick<RequestContext['request'], 'header'>): string | null {
  if (!scopes.includes(trustScope)) return null;
  const name = clientName(request.header(names.customerIp));
  return /^([\d.]+|[\da-f:]+)$/.test(name) ? name : null;
}

/** Counts a request for its customer, then for its key. A request over the customer's limit doesn't count for the key. */
function countCall(
  guard: RequestGuard,
  policy: RatePolicy,
  caller: Caller,
  customer: string | null,
  address: string,
): RateLimitResult {
  const ofCustomer =
    customer === null ? undefined : guard.countCustomer?.(policy, `${caller.keyId} customer ${customer}`);
  if (ofCustomer && !ofCustomer.allowed) return ofCustomer;
  const ofKey = guard.countRequest?.(policy, `${caller.keyId} ${clientName(address)}`) ?? unlimited;
  return ofKey.allowed && ofCustomer
    ? { allowed: true, headers: { ...ofKey.headers, ...ofCustomer.headers } }
    : ofKey;
}

/**
 * Checks key, rate limit and scope, in this order (`docs/open-points.md`, errors). Calls outside a key's scope count, too.
 *
 * @throws DomainError for the first check that fails.
 */
export async function admit(
  guard: RequestGuard,
  route: Route,
  key: string | null,
  context: Pick<RequestContext, 'request' | 'connection' | 'record'>,
): Promise<{ caller: Caller; headers: Record<string, string> }> {
  const caller = await identify(guard, key, context);
  const customer = customerOf(caller, context.request);
  const { allowed, headers } = countCall(guard, route.rate, caller, customer, context.connection.address);
  if (!allowed) {
    guard.noteRejection?.({ keyId: caller.keyId, policy: route.rate });
    throw new DomainErrorWithHeaders('RATE_LIMITED', headers);
  }
  if (!caller.scopes.includes(route.scope))
    throw new DomainError('FORBIDDEN', { params: { scope: route.scope } });
  return { caller, headers };
}
