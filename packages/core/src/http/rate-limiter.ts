import { headers as names } from '../contract/headers.ts';

const maxLength = 64;

/** Removes the port that some proxies add in `X-Forwarded-For`: `203.0.113.7:51000`, `[2001:db8::1]:51000`. */
export const withoutPort = (address: string): string =>
  address.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

/** Returns the name for counting requests: the address, or the /64 network of an IPv6 address, because one visitor has all of it. */
export function clientName(address: string | null | undefined): string {
  if (typeof address !== 'string') return '';
  const name = withoutPort(address).toLowerCase().slice(0, maxLength);
  if (!name.includes(':')) return name;
  const mapped = name.replace(/^::ffff:(?=[\d.]+$)/, '');
  return /^[\da-f]*:[\da-f:]+(%.*)?$/.test(mapped) ? networkOf(mapped) : mapped;
}

/** Returns the first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

const windowSeconds = 60;

interface Window {
  /** End of the window, by the limiter's clock. */
  endsAt: number;
  used: number;
}

export type RatePolicy = 'reads' | 'orders';

/** The result of counting a request: the permission, and response headers with the remaining requests or the waiting time. */
export interface RateLimitResult {
  allowed: boolean;
  headers: Record<string, string>;
}

/** Counts a request of a client. */
export type RateLimiter<Policy extends string = RatePolicy> = (
  policy: Policy,
  client: string,
) => RateLimitResult;

/**
 * Creates a rate limiter with windows of one minute for each client and policy. It counts in memory. With several servers, each request
 * counts once per server. Together, they exceed the limit by less than the number of servers. A client that reaches only one server gets
 * only that server's share.
 *
 * `clock` returns milliseconds and must never go back, because a window could then stay closed until the clock catches up. A limit of 0
 * means no limit. Above `maxWindows` windows, the oldest windows are deleted.
 *
 * @example
 * const count = createRateLimiter({ reads: 120, orders: 20 }, { clock: () => performance.now() });
 * count('reads', '203.0.113.7').headers; // { 'RateLimit-Policy': '"reads";q=120;w=60', RateLimit: '"reads";r=119;t=60' }
 */
export function createRateLimiter<Policy extends string>(
  perMinute: Readonly<Record<Policy, number>>,
  {
    clock,
    maxWindows = Number.POSITIVE_INFINITY,
    countServers = () => 1,
  }: { clock: () => number; maxWindows?: number; countServers?: () => number },
): RateLimiter<Policy> {
  // The windows are sorted by their end, because all have the same length and new windows are added last.
  const windows = new Map<string, Window>();

  function deleteEnded(now: number): void {
    for (const [name, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxWindows) return;
      windows.delete(name);
    }
  }

  function windowOf(name: string, now: number): Window {
    const open = windows.get(name);
    if (open && open.endsAt > now) return open;
    windows.delete(name);
    deleteEnded(now);
    const fresh = { endsAt: now + windowSeconds * 1000, used: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return (policy, client) => {
    const quota = perMinute[policy];
    if (quota === 0) return { allowed: true, headers: {} };
    const now = clock();
    const window = windowOf(`${policy} ${client}`, now);
    const allowed = window.used < quota;
    window.used += countServers();
    const seconds = String(Math.ceil((window.endsAt - now) / 1000));
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
