import { headers as names } from '@topup-kit/core/contract';
import { forwardedHeaders } from './browser-response.ts';

/** Response headers that a page of another origin may read. */
const exposedHeaders = [...forwardedHeaders, names.rateLimit, names.rateLimitPolicy].join(', ');

/** The permission of a request's page to use the proxy, and the CORS headers for the response. */
export interface OriginCheck {
  allowed: boolean;
  /** True if the page has another origin, and the options list this origin. */
  listed: boolean;
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
    return { allowed: isOwnPage(headers, own), listed: false, headers: vary };
  }
  return {
    allowed: true,
    listed: true,
    headers: {
      ...vary,
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
    },
  };
}

/**
 * Tells whether a page of the proxy's own origin sent the request. Pages can't forge these headers. `Sec-Fetch-Site` is correct even if TLS
 * ends at a reverse proxy. Older browsers, and pages without TLS, send only `Origin`. A request without both headers doesn't come from a
 * page of another site.
 */
function isOwnPage(headers: Headers, own: string): boolean {
  const site = headers.get('Sec-Fetch-Site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('Origin');
  // A server may create its Request with another host, such as `localhost` in Next. `Host` comes from the page's address.
  const host = headers.get('Host') ?? '';
  const [scheme] = own.split('//');
  return origin === null || [own, `${scheme}//${host}`, `https://${host}`].includes(origin);
}

/** The headers for a CORS preflight. Credentials are not allowed, because nothing here needs cookies. */
export const preflightHeaders = (methods: string): Record<string, string> => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': `Accept, Content-Type, ${names.idempotencyKey}`,
  'Access-Control-Max-Age': '600',
});
