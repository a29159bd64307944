import { expect, it } from 'vitest';
import { createRateLimiter } from '../src/http/index.ts';

it('counts each client and policy for a minute, and says what is left and when to come back', () => {
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

it('forgets the oldest windows where there is room for so many', () => {
  const count = createRateLimiter({ reads: 1, orders: 1 }, { clock: () => 0, mostWindows: 2 });
  const allowed = ['a', 'b', 'b', 'c', 'c', 'a', 'a'].map((client) => count('reads', client).allowed);
  expect(allowed).toEqual([true, true, false, true, false, true, false]);
});
