import { headers as names } from '../contract/headers.ts';

const windowSeconds = 60;

interface Window {
  /** Milliseconds of the limiter's clock. */
  endsAt: number;
  used: number;
}

export type RatePolicy = 'reads' | 'orders';

/** What became of a counted request, and the headers that tell its client: what is left, or when to come back. */
export interface Counted {
  allowed: boolean;
  headers: Record<string, string>;
}

/** Counts a request of a client. */
export type RateLimiter = (policy: RatePolicy, client: string) => Counted;

/**
 * Counts requests in windows of a minute, one for each client and policy. It lives in its process: several servers
 * each count for themselves.
 *
 * `clock` tells milliseconds. A limit of 0 a minute is none. With `mostWindows`, the oldest windows are forgotten when
 * more clients come within a minute.
 *
 * @example
 * const count = createRateLimiter({ reads: 120, orders: 20 }, { clock: Date.now });
 * count('reads', '203.0.113.7').headers; // { 'RateLimit-Policy': '"reads";q=120;w=60', RateLimit: '"reads";r=119;t=60' }
 */
export function createRateLimiter(
  perMinute: Readonly<Record<RatePolicy, number>>,
  { clock, mostWindows = Number.POSITIVE_INFINITY }: { clock: () => number; mostWindows?: number },
): RateLimiter {
  // In the order of their ends, as all are equally long: one that ended is forgotten with all before it.
  const windows = new Map<string, Window>();

  function forget(now: number): void {
    for (const [name, { endsAt }] of windows) {
      if (endsAt > now && windows.size < mostWindows) return;
      windows.delete(name);
    }
  }

  function windowOf(name: string, now: number): Window {
    const open = windows.get(name);
    if (open && open.endsAt > now) return open;
    windows.delete(name);
    forget(now);
    const fresh = { endsAt: now + windowSeconds * 1000, used: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return (policy, client) => {
    const quota = perMinute[policy];
    if (quota === 0) return { allowed: true, headers: {} };
    const now = clock();
    const window = windowOf(`${policy} ${client}`, now);
    window.used += 1;
    const seconds = String(Math.ceil((window.endsAt - now) / 1000));
    const allowed = window.used <= quota;
    return {
      allowed,
      headers: {
        [names.rateLimitPolicy]: `"${policy}";q=${quota};w=${windowSeconds}`,
        [names.rateLimit]: `"${policy}";r=${Math.max(0, quota - window.used)};t=${seconds}`,
        ...(!allowed && { [names.retryAfter]: seconds }),
      },
    };
  };
}
