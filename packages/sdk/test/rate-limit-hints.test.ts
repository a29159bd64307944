import { createTopupClient, type RequestOptions } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { respondingInTurn, status } from './attempts.ts';
import { baseUrl, orderRequest, underFakeTimers } from './responses.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-29T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const ok = status(200, {}, { success: true });

/** The time of the second attempt, in milliseconds after the first. */
async function waitAfter(code: number, headers: Record<string, string>): Promise<number | undefined> {
  const attempts = respondingInTurn(status(code, headers), ok);
  await underFakeTimers(createTopupClient({ baseUrl, fetch: attempts.fetch }).games.list());
  return attempts.moments()[1];
}

/** The error of a call when every attempt gets this response. */
async function endAfter(code: number, headers: Record<string, string>, options?: RequestOptions) {
  const attempts = respondingInTurn(status(code, headers));
  const started = performance.now();
  const { error } = await underFakeTimers(
    createTopupClient({ baseUrl, fetch: attempts.fetch }).games.list(options),
  );
  return { error, moments: attempts.moments(), elapsed: performance.now() - started };
}

describe('the delay that a service requests', () => {
  it.each([
    ['Retry-After in seconds', { 'Retry-After': '7' }, 7_000],
    ['Retry-After as a date', { 'Retry-After': 'Sun, 29 Mar 2026 10:00:09 GMT' }, 9_000],
    ['Retry-After: 0', { 'Retry-After': '0' }, 0],
    ['a date in the past', { 'Retry-After': 'Sun, 29 Mar 2026 09:00:00 GMT' }, 0],
    ['a used-up RateLimit', { RateLimit: '"orders";r=0;t=12' }, 12_000],
    ['a used-up RateLimit in the reverse order', { RateLimit: '"orders"; t=12; r=0' }, 12_000],
    ['the used-up limit of several in RateLimit', { RateLimit: '"burst";r=5;t=1, "daily";r=0;t=20' }, 20_000],
    ['a used-up RateLimit-Remaining', { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '13' }, 13_000],
    [
      'a used-up X-RateLimit-Remaining, reset at a time',
      {
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(Date.parse('2026-03-29T10:00:14Z') / 1000),
      },
      14_000,
    ],
    [
      'Retry-After rather than any other header',
      { 'Retry-After': '3', RateLimit: '"orders";r=0;t=30' },
      3_000,
    ],
  ])('reads the delay from %s', async (_case, headers, wait) => {
    expect(await waitAfter(429, headers)).toBe(wait);
  });

  it.each([408, 500, 502, 503])('uses the requested delay after a %i', async (code) => {
    expect(await waitAfter(code, { 'Retry-After': '7' })).toBe(7_000);
  });

  it.each([
    ['nonsense', { 'Retry-After': 'soon' }],
    ['nothing', { 'Retry-After': '' }],
    ['a limit that is not used up', { RateLimit: '"orders";r=3;t=30' }],
    [
      'a limit that is not used up, in the form of Laravel',
      { 'X-RateLimit-Remaining': '3', 'X-RateLimit-Reset': '30' },
    ],
    ['a limit without a reset', { RateLimit: '"orders";r=0' }],
  ])('uses the default delay after %s', async (_case, headers) => {
    const wait = await waitAfter(429, headers);

    expect(wait).toBeGreaterThanOrEqual(250);
    expect(wait).toBeLessThanOrEqual(500);
  });

  it('accepts a delay of a minute', async () => {
    expect(await waitAfter(429, { 'Retry-After': '60' })).toBe(60_000);
  });

  it('uses the requested delay for orders', async () => {
    const attempts = respondingInTurn(
      status(429, { 'Retry-After': '7' }),
      status(201, {}, { success: true }),
    );

    await underFakeTimers(createTopupClient({ baseUrl, fetch: attempts.fetch }).orders.create(orderRequest));

    expect(attempts.moments()).toEqual([0, 7_000]);
  });

  it('ends the call immediately for a delay over a minute, which the error contains', async () => {
    expect(await endAfter(429, { 'Retry-After': '61' }, { totalTimeout: 600_000 })).toMatchObject({
      error: { code: 'RATE_LIMITED', retryAfter: 61_000, retryable: true },
      moments: [0],
    });
  });

  it('ends the call immediately for a delay beyond the rest of totalTimeout', async () => {
    const { error, moments, elapsed } = await endAfter(
      503,
      { 'Retry-After': '20' },
      { totalTimeout: 20_000 },
    );

    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 20_000 });
    expect(moments).toEqual([0]);
    expect(elapsed).toBeLessThanOrEqual(5_000);
  });

  it('ends the call immediately if a later attempt would have no time left', async () => {
    const { moments } = await endAfter(503, { 'Retry-After': '20' }, { totalTimeout: 30_000 });

    expect(moments).toEqual([0, 20_000]);
  });

  it('never returns a negative delay', async () => {
    expect(
      await endAfter(503, { 'Retry-After': 'Sun, 29 Mar 2026 09:00:00 GMT' }, { maxRetries: 0 }),
    ).toMatchObject({
      error: { retryAfter: 0 },
    });
  });

  it('reports no delay on an error whose response requests none', async () => {
    expect(await endAfter(404, {})).toMatchObject({ error: { retryAfter: undefined } });
  });
});
