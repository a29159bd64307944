import { describe, expect, it } from 'vitest';
import { games, order, proxyTo, site } from './proxy-to.ts';

const other = 'https://other.example';
const preflight = (origin: string, method = 'POST') => ({
  method: 'OPTIONS',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'content-type,idempotency-key',
    'Sec-Fetch-Site': 'cross-site',
  },
});
const corsOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control'));

describe('pages that may use the proxy', () => {
  it.each([
    ['a page of the own origin', { 'Sec-Fetch-Site': 'same-origin', Origin: site }],
    [
      'a page of the own origin behind a TLS proxy',
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://inside:80' },
    ],
    ['a page of the own origin in an older browser', { Origin: site }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a program without a page', {}],
  ])('lets a page use the proxy: %s', async (_who, headers: Record<string, string>) => {
    const response = await proxyTo(games).ask('/order', order('{}', headers));
    expect(response.status).toBe(200);
    expect(corsOf(response)).toEqual([]);
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: other }],
    ['a sibling site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.site.example' }],
    ['another site that claims our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: site }],
    ['another site that names two origins', { 'Sec-Fetch-Site': 'same-origin, cross-site', Origin: site }],
    ['another site in an older browser', { Origin: other }],
    ['our host with another scheme', { Origin: 'http://site.example' }],
    ['our host with another port', { Origin: `${site}:8443` }],
    ['a host that begins like ours', { Origin: `${site}.evil.test` }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['an empty origin', { Origin: '' }],
  ])('rejects %s, and sends nothing', async (_who, headers: Record<string, string>) => {
    const { ask, sent } = proxyTo(games);
    for (const response of [await ask('/order', order('{}', headers)), await ask('/games', { headers })]) {
      expect(response.status).toBe(403);
      expect(response.headers.get('X-Error-Code')).toBe('FORBIDDEN');
      expect(corsOf(response)).toEqual([]);
    }
    expect(sent).toEqual([]);
  });

  // Such as Next, and a page without TLS, for which a browser sends no Sec-Fetch-Site.
  it.each([
    ['http://192.168.1.5:3138', '192.168.1.5:3138', 200],
    ['https://site.example', 'site.example', 200],
    ['http://192.168.1.5', '192.168.1.5:3138', 403],
    ['http://other.example', '192.168.1.5:3138', 403],
  ])(
    'in a server whose Request is of localhost, answers a page of %s at the host %s with %s',
    async (origin, host, status) => {
      const { proxy } = proxyTo(games);
      const request = new Request(
        'http://localhost:3138/api/topup/order',
        order('{}', { Origin: origin, Host: host }),
      );
      expect((await proxy(request, { address: '203.0.113.7' })).status).toBe(status);
    },
  );

  it('rejects a page without TLS at the host of a server with TLS', async () => {
    const headers = { Origin: 'http://site.example', Host: 'site.example' };
    const response = await proxyTo(games).ask('/order', order('{}', headers));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('option origins') });
  });

  it('allows a listed origin, and sends CORS headers with every response, including errors', async () => {
    const { ask } = proxyTo(games, { origins: [other], rateLimit: { orders: 1 } });
    const headers = { Origin: other, 'Sec-Fetch-Site': 'cross-site' };
    const answers = [
      await ask('/games', { headers }),
      await ask('/order', order('{}', headers)),
      await ask('/order', order('{}', headers)),
      await ask('/nowhere', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 404]);
    for (const { headers } of answers) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(other);
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(headers.get('Access-Control-Expose-Headers')).toBe(
        'X-Error-Code, X-Request-Id, Idempotency-Key, Idempotency-Replayed, Idempotency-Order-Id, Idempotency-Supported, Retry-After, Content-Language, RateLimit, RateLimit-Policy',
      );
      expect(headers.get('Vary')).toBe('Origin');
    }
  });

  it('varies all responses by origin if origins are listed', async () => {
    const response = await proxyTo(games, { origins: [other] }).ask('/games');
    expect(response.headers.get('Vary')).toBe('Origin');
    expect(corsOf(response)).toEqual([]);
  });

  it('allows no other origins than the listed origin', async () => {
    const { ask } = proxyTo(games, { origins: [other] });
    for (const origin of [
      `${other}.evil.test`,
      'https://evil.test',
      `${other}, ${other}`,
      other.toUpperCase(),
    ]) {
      const response = await ask('/games', { headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' } });
      expect([response.status, corsOf(response)]).toEqual([403, []]);
    }
  });

  it("accepts a listed origin's preflight, and doesn't count it as a request", async () => {
    const { ask, sent } = proxyTo(games, { origins: [other], rateLimit: { orders: 1 } });
    await ask('/order', preflight(other));
    const response = await ask('/order', preflight(other));
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(other);
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe('POST');
    expect(response.headers.get('Access-Control-Allow-Headers')).toBe(
      'Accept, Content-Type, Idempotency-Key',
    );
    expect(response.headers.get('Content-Type')).toBeNull();
    expect(sent).toEqual([]);
    expect((await ask('/order', order())).status).toBe(200);
  });

  it('rejects a preflight from its own origin with a 405, because no browser sends one', async () => {
    const headers = { 'Access-Control-Request-Method': 'POST', 'Sec-Fetch-Site': 'same-origin' };
    expect((await proxyTo(games).ask('/order', { method: 'OPTIONS', headers })).status).toBe(405);
  });

  it("rejects any other origin's preflight with a 403 without CORS headers", async () => {
    for (const origins of [[], [other]]) {
      const response = await proxyTo(games, { origins }).ask('/order', preflight('https://evil.test'));
      expect([response.status, corsOf(response)]).toEqual([403, []]);
    }
  });

  it('names both origin and language in Vary', async () => {
    const english = () =>
      Response.json(
        { message: 'Game not found.' },
        { status: 404, headers: { 'Content-Language': 'en', Vary: 'X' } },
      );
    const { ask } = proxyTo(english, { origins: [other] });
    const { headers } = await ask('/games/x', { headers: { 'Accept-Language': 'en' } });
    expect(headers.get('Content-Language')).toBe('en');
    expect(headers.get('Vary')).toBe('Origin, Accept-Language');
  });
});
