import { clientHeaders as names } from '@topup-kit/core/contract';

/** Maximum delay that a service can request, in milliseconds. A call is not retried after a longer one. */
export const maxDelay = 60_000;

/**
 * Returns the delay that a response requests, in milliseconds: `Retry-After` in seconds or as a date (RFC 9110), else the reset time of a
 * used-up rate limit: `RateLimit` (IETF draft), `RateLimit-Reset`, or `X-RateLimit-Reset` (Laravel).
 */
export function requestedDelay(headers: Headers): number | undefined {
  const retryAfter = headers.get(names.retryAfter);
  if (retryAfter) return fromNow(retryAfter);
  const limit = headers
    .get(names.rateLimit)
    ?.split(',')
    .find((policy) => /;\s*r=0\b/.test(policy));
  if (limit) return fromNow(/;\s*t=(\d+)/.exec(limit)?.[1] ?? '');
  for (const prefix of ['', 'X-']) {
    if (headers.get(`${prefix}RateLimit-Remaining`) === '0')
      return fromNow(headers.get(`${prefix}RateLimit-Reset`) ?? '');
  }
  return undefined;
}

/** Parses seconds, a time in unix seconds, or a date. */
function fromNow(value: string): number | undefined {
  const seconds = Number(value || Number.NaN);
  // A larger number would be a delay of thirty years, so it must be a time in unix seconds.
  if (seconds < 1e9) return Math.max(0, seconds * 1000);
  const time = Number.isNaN(seconds) ? Date.parse(value) : seconds * 1000;
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
