import { headers } from '../contract/index.ts';
import type { Clock } from '../platform/index.ts';
import { RefusalWithHeaders } from './errors.ts';

const windowSeconds = 60;
const windowTime = windowSeconds * 1000;

interface Window {
  /** Unix milliseconds of real time. */
  endsAt: number;
  used: number;
}

export interface RateLimiter {
  /** Counts a request: the headers that tell how much is left. Throws RATE_LIMITED when nothing is. */
  count(policy: 'reads' | 'orders', client: string): Record<string, string>;
}

/**
 * Counts requests in windows of a minute, one for each client and policy. It lives in its process: several
 * servers each count for themselves.
 */
export function createRateLimiter(
  perMinute: { reads: number; orders: number },
  realClock: Clock,
): RateLimiter {
  let windows = new Map<string, Window>();
  let sweepAt = 0;

  function windowOf(name: string, now: number): Window {
    if (now >= sweepAt) {
      windows = new Map([...windows].filter(([, window]) => window.endsAt > now));
      sweepAt = now + windowTime;
    }
    const open = windows.get(name);
    if (open && open.endsAt > now) return open;
    const fresh = { endsAt: now + windowTime, used: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return {
    count(policy, client) {
      const quota = perMinute[policy];
      if (quota === 0) return {};
      const now = realClock();
      const window = windowOf(`${policy}\n${client}`, now);
      window.used += 1;
      const seconds = Math.ceil((window.endsAt - now) / 1000);
      const told = {
        [headers.rateLimitPolicy]: `"${policy}";q=${quota};w=${windowSeconds}`,
        [headers.rateLimit]: `"${policy}";r=${Math.max(0, quota - window.used)};t=${seconds}`,
      };
      if (window.used > quota)
        throw new RefusalWithHeaders('RATE_LIMITED', { ...told, [headers.retryAfter]: String(seconds) });
      return told;
    },
  };
}
