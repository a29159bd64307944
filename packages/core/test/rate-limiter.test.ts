import { expect, it } from 'vitest';
import { createRateLimiter } from '../src/http/index.ts';

it('counts each client and policy for a minute, and sends the remaining requests and the wait in headers', () => {
  let now = 0;
  const count = createRateLimiter({ reads: 1, orders: 0 }, { clock: () => now });
  expect(count('reads', 'a')).toEqual({
    allowed: true,
    headers: { 'RateLimit-Policy': '"reads";q=1;w=60', RateLimit: '"reads";r=0;t=60' },
  });
  now = 59_999;
  expect(count('reads', 'a')).toMatchObject({ allowed: false, headers: { 'Retry-After': '1' } });
  expect(count('reads', 'b').allowed).toBe(true);
  expect(count('orders', 'a')).toEqual({ allowed: true, headers: {} });
  now = 60_000;
  expect(count('reads', 'a').allowed).toBe(true);
});

it('counts each policy of a client separately', () => {
  const count = createRateLimiter({ reads: 1, orders: 1 }, { clock: () => 0 });
  const allowed = (['reads', 'reads', 'orders', 'orders'] as const).map(
    (policy) => count(policy, 'a').allowed,
  );
  expect(allowed).toEqual([true, false, true, false]);
});

it('deletes the oldest windows above the maximum number', () => {
  const count = createRateLimiter({ reads: 1, orders: 1 }, { clock: () => 0, maxWindows: 2 });
  const allowed = ['a', 'b', 'b', 'c', 'c', 'a', 'a'].map((client) => count('reads', client).allowed);
  expect(allowed).toEqual([true, true, false, true, false, true, false]);
});

it('allows, over all servers, the limit plus at most one request less than the number of servers', () => {
  for (const [limit, servers, together] of [
    [20, 2, 20],
    [20, 3, 21],
    [2, 5, 5],
    [120, 1, 120],
  ] as const) {
    const options = { clock: () => 0, countServers: () => servers };
    const limiters = Array.from({ length: servers }, () =>
      createRateLimiter({ reads: limit, orders: 0 }, options),
    );
    const allowed = Array.from({ length: 3 * limit + servers }).flatMap((_, index) =>
      limiters[index % servers]?.('reads', 'a').allowed ? [index] : [],
    );
    expect(allowed).toHaveLength(together);
    expect(together).toBeLessThanOrEqual(limit + servers - 1);
  }
});

it('adapts to the number of servers within a window', () => {
  let servers = 2;
  const count = createRateLimiter({ reads: 6, orders: 0 }, { clock: () => 0, countServers: () => servers });
  expect(count('reads', 'a').headers.RateLimit).toBe('"reads";r=4;t=60');
  servers = 1;
  expect(count('reads', 'a').headers.RateLimit).toBe('"reads";r=3;t=60');
});
