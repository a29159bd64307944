import { headers as names } from '@topup-kit/core/contract';
import { ProxyError } from './proxy-error.ts';

type Policy = 'reads' | 'orders';

const windowSeconds = 60;
/** A few megabytes; when more addresses come within a minute, the oldest are counted anew. */
const mostWindows = 10_000;

interface Window {
  /** Milliseconds of a clock that never goes back. */
  endsAt: number;
  used: number;
}

/** Counts a request: the headers that tell how much is left. Throws RATE_LIMITED when nothing is. */
export type CountRequest = (policy: Policy, client: string) => Record<string, string>;

/** Counts in windows of a minute, one for each client and policy, in this process alone. */
export function createRateLimiter(perMinute: Record<Policy, number>): CountRequest {
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
    forget(now);
    const fresh = { endsAt: now + windowSeconds * 1000, used: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return (policy, client) => {
    const quota = perMinute[policy];
    const now = performance.now();
    const window = windowOf(`${policy} ${client}`, now);
    window.used += 1;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    const limits = {
      [names.rateLimitPolicy]: `"${policy}";q=${quota};w=${windowSeconds}`,
      [names.rateLimit]: `"${policy}";r=${Math.max(0, quota - window.used)};t=${seconds}`,
    };
    if (window.used > quota)
      throw new ProxyError('RATE_LIMITED', { ...limits, [names.retryAfter]: String(seconds) });
    return limits;
  };
}

const longestName = 64;

/** Whose requests are counted together: those of one address, and for IPv6 of its /64, which one visitor has whole. */
export function clientName(address: string | null | undefined): string {
  if (typeof address !== 'string') return '';
  const name = address.trim().toLowerCase().slice(0, longestName);
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
