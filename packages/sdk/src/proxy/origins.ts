import { headers as names } from '@topup-kit/core/contract';

/** What a page may read of an answer besides its body. */
const exposed = [
  names.errorCode,
  names.requestId,
  names.idempotencyKey,
  names.idempotencyReplayed,
  names.retryAfter,
  names.rateLimit,
  names.rateLimitPolicy,
].join(', ');

/** Whether the page that a request comes from may use the proxy, and what CORS has to say about it. */
export interface OriginCheck {
  allowed: boolean;
  /** Of another origin, named in the options. */
  named: boolean;
  headers: Record<string, string>;
}

export function checkRequestOrigin(
  { headers }: Request,
  own: string,
  origins: ReadonlySet<string>,
): OriginCheck {
  const vary = origins.size > 0 ? { Vary: 'Origin' } : {};
  const origin = headers.get('Origin');
  if (origin === null || !origins.has(origin)) {
    return { allowed: isOwnPage(headers, own), named: false, headers: vary };
  }
  return {
    allowed: true,
    named: true,
    headers: { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed },
  };
}

/**
 * A page can forge neither header. The first is right also where TLS ends in front of this server; older browsers
 * send only the second. Without either it is no page of another site: those say where they come from.
 */
function isOwnPage(headers: Headers, own: string): boolean {
  const site = headers.get('Sec-Fetch-Site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('Origin');
  return origin === null || origin === own;
}

/** The answer to a browser that asks before it sends; without credentials, as nothing here needs a cookie. */
export const preflightHeaders = (methods: string): Record<string, string> => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': `Accept, Content-Type, ${names.idempotencyKey}`,
  'Access-Control-Max-Age': '600',
});
