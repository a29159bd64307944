import { headers as names } from '../contract/headers.ts';

const maxLength = 64;

/** An address without the port that some proxies add in `X-Forwarded-For`: `203.0.113.7:51000`, `[2001:db8::1]:51000`. */
export const withoutPort = (address: string): string =>
  address.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

/** The name under which requests are counted: the address, or for IPv6 its /64 network, because one visitor has all of it. */
export function clientName(address: string | null | undefined): string {
  if (typeof address !== 'string') return '';
  const name = withoutPort(address).toLowerCase().slice(0, maxLength);
  if (!name.includes(':')) return name;
  const mapped = name.replace(/^::ffff:(?=[\d.]+$)/, '');
  return /^[\da-f]*:[\da-f:]+(%.*)?$/.test(mapped) ? networkOf(mapped) : mapped;
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

const windowSeconds = 60;

interface Window {
  /** Time of the limiter's clock. */
  endsAt: number;
  used: number;
}

export type RatePolicy = 'reads' | 'orders';

/** Whether a counted request is allowed, and the response headers with the rest of the limit or the waiting time. */
export interface Counted {
  allowed: boolean;
  headers: Record<string, string>;
}

/** Counts a request of a client. */
export type RateLimiter<Policy extends string = RatePolicy> = (policy: Policy, client: string) => Counted;

/**
 * Creates a rate limiter with windows of one minute, one for each client and policy. It counts in memory. Where requests are
 * spread over several servers, each request counts as many times as there are servers: together they allow at most one request
 * less than their number above the limit, and a client of which one server gets all requests has only that server's share.
 *
 * `clock` returns milliseconds and never goes back: a window that began on a clock which is then set back would stay closed until
 * that has caught up. A limit of 0 means no limit. When there are more than `maxWindows` windows, the oldest ones are deleted.
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
  // Sorted by end, because all windows have the same length and are added at the end.
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
