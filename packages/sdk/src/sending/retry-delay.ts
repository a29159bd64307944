import { headers as names } from '@topup-kit/core/contract';

/** The longest that a service may make a call wait; when it asks for more, the call ends. */
export const maxDelayMs = 60_000;

/** Milliseconds before the next attempt when the service names none: half a second, doubled each time, jittered. */
export const backoff = (attempts: number): number =>
  Math.min(8_000, 500 * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);

/**
 * How long an answer asks to wait, in milliseconds: `Retry-After` in seconds or as a date (RFC 9110), else the
 * reset of a used-up rate limit: `RateLimit` (IETF draft), `RateLimit-Reset`, or `X-RateLimit-Reset` (laravel).
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

/** Seconds, a moment in unix seconds, or a date. */
function fromNow(value: string): number | undefined {
  const seconds = Number(value || Number.NaN);
  // No service asks for a wait of thirty years: so many seconds are a moment.
  if (seconds < 1e9) return Math.max(0, seconds * 1000);
  const moment = Number.isNaN(seconds) ? Date.parse(value) : seconds * 1000;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}

/** Waits, but no longer than until the signal aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener('abort', wake);
  });
}
