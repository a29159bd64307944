import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { games, order, proxyTo, site } from './proxy-to.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const from = (address: string) => ({ address });

describe('the proxy’s own rate limit', () => {
  it('allows 20 orders per minute by default, and then says when to retry', async () => {
    const { ask, sent } = proxyTo(games);
    for (let count = 1; count <= 20; count++) {
      const { status, headers } = await ask('/order', order());
      expect(status).toBe(200);
      expect(headers.get('RateLimit')).toBe(`"orders";r=${20 - count};t=60`);
      expect(headers.get('RateLimit-Policy')).toBe('"orders";q=20;w=60');
    }
    vi.advanceTimersByTime(20_500);
    const rejected = await ask('/order', order());
    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toEqual({ message: 'Too Many Attempts.' });
    expect(rejected.headers.get('X-Error-Code')).toBe('RATE_LIMITED');
    expect(rejected.headers.get('Retry-After')).toBe('40');
    expect(rejected.headers.get('RateLimit')).toBe('"orders";r=0;t=40');
    expect(sent).toHaveLength(20);
    vi.advanceTimersByTime(40_000);
    expect((await ask('/order', order())).status).toBe(200);
  });

  it('counts reads separately, 120 per minute, and counts promo codes as reads', async () => {
    const { ask } = proxyTo(games, { rateLimit: { orders: 1 } });
    await ask('/order', order());
    for (let count = 0; count < 119; count++) await ask('/games');
    expect((await ask('/promo/validate', order())).status).toBe(200);
    expect((await ask('/games/mobile-legends')).status).toBe(429);
    expect((await ask('/order', order())).status).toBe(429);
  });

  it('counts each address separately, and counts all requests without an address together', async () => {
    const { proxy } = proxyTo(games, { rateLimit: { reads: 1 } });
    const statusFor = async (address: string | null | undefined) =>
      (await proxy(new Request('https://site.example/api/topup/games'), { address })).status;
    expect(await statusFor('203.0.113.1')).toBe(200);
    expect(await statusFor('203.0.113.2')).toBe(200);
    expect(await statusFor('203.0.113.1')).toBe(429);
    expect(await statusFor(undefined)).toBe(200);
    expect(await statusFor(null)).toBe(429);
    expect(await statusFor('')).toBe(429);
  });

  it.each([
    ['2001:db8::1', '2001:0DB8:0:0:ffff::2', true],
    ['2001:db8:0:1::', '2001:db8:0:2::', false],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['203.0.113.1', '::ffff:203.0.113.1', true],
    ['203.0.113.1', '203.0.113.11', false],
    ['203.0.113.1:51000', '203.0.113.1:51001', true],
    ['203.0.113.1:51000', '203.0.113.2:51000', false],
    ['[2001:db8::1]:51000', '2001:db8::2', true],
    ['[2001:db8:0:1::1]:51000', '[2001:db8:0:2::1]:51000', false],
    ['::ffff:203.0.113.1', '::ffff:203.0.113.2', false],
  ])('counts %s and %s as one client: %s', async (one, two, together) => {
    const { ask } = proxyTo(games, { rateLimit: { reads: 1 } });
    await ask('/games', {}, from(one));
    expect((await ask('/games', {}, from(two))).status).toBe(together ? 429 : 200);
  });

  it('counts requests that are rejected because of their body', async () => {
    const { ask } = proxyTo(games, { rateLimit: { orders: 1 } });
    expect((await ask('/order', order('{}', { 'Content-Type': 'text/plain' }))).status).toBe(415);
    expect((await ask('/order', order())).status).toBe(429);
  });

  it('limits memory for an attacker with many addresses: the oldest counts are reset', async () => {
    const { proxy } = proxyTo(games, { rateLimit: { orders: 1 } });
    // Rejected for its body, but counted: one request that reaches no service, as often as there are addresses.
    const request = new Request(`${site}/api/topup/order`, order('{}', { 'Content-Type': 'text/plain' }));
    const statusFor = async (address: string) => (await proxy(request, { address })).status;
    expect(await statusFor('first')).toBe(415);
    for (let count = 1; count < 10_000; count++) await statusFor(`address-${count}`);
    expect(await statusFor('first')).toBe(429);
    expect(await statusFor('one more')).toBe(415);
    expect(await statusFor('address-1')).toBe(429);
    expect(await statusFor('first')).toBe(415);
  });

  it("passes on the service's limit if the proxy has no limit", async () => {
    const headers = { RateLimit: '"reads";r=7;t=9', 'RateLimit-Policy': '"reads";q=8;w=60' };
    const service = () => Response.json({}, { headers });
    const { ask } = proxyTo(service, { rateLimit: false });
    for (let count = 0; count < 200; count++) expect((await ask('/games')).status).toBe(200);
    expect((await ask('/games')).headers.get('RateLimit')).toBe('"reads";r=7;t=9');
    const limited = await proxyTo(service).ask('/games');
    expect(limited.headers.get('RateLimit')).toBe('"reads";r=119;t=60');
  });

  it('passes on the service’s limit with its 429', async () => {
    const headers = { RateLimit: '"reads";r=0;t=9', 'Retry-After': '9' };
    const { ask } = proxyTo(() => Response.json({ message: 'Too Many Attempts.' }, { status: 429, headers }));
    const response = await ask('/games');
    expect(response.headers.get('RateLimit')).toBe('"reads";r=0;t=9');
    expect(response.headers.get('RateLimit-Policy')).toBeNull();
    expect(response.headers.get('Retry-After')).toBe('9');
  });
});
