import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/index.ts';
import { useBrowser } from './helpers/browser.ts';
import { startLogged } from './helpers/log.ts';
import { startSandbox } from './helpers/sandbox.ts';

const origin = 'https://shop.example';
const ownKey = 'a-key-that-is-long-enough';
const allowed = { TOPUP_CORS_ORIGINS: `${origin},http://localhost:5173`, TOPUP_API_KEY: ownKey };

const preflight = (url: string, from = origin) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: from,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-api-key,content-type',
    },
  });

const corsHeaders = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const varies = ({ headers }: Response): string[] => (headers.get('vary') ?? '').split(/, */);

describe('by default', () => {
  it.each(['/api/games', '/api/order', '/api/nothing', '/health', '/sandbox'])(
    'sends no CORS header by default: %s',
    async (path) => {
      await using server = await startSandbox({ TOPUP_API_KEY: ownKey });
      const url = server.publicUrl + path;
      const headers = { Origin: origin, 'X-API-KEY': ownKey };
      for (const response of [await preflight(url), await fetch(url, { headers })]) {
        expect(corsHeaders(response)).toEqual([]);
        expect(varies(response)).not.toContain('Origin');
      }
    },
  );

  it('treats a preflight like any unsupported method by default', async () => {
    await using server = await startSandbox({ TOPUP_API_KEY: ownKey });
    const url = `${server.baseUrl}/games`;
    expect((await preflight(url)).status).toBe(401);
    const keyed = await fetch(url, { method: 'OPTIONS', headers: { 'X-API-KEY': ownKey } });
    expect([keyed.status, keyed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('TOPUP_CORS_ORIGINS', () => {
  it('responds to a preflight without a key, and lists what a page may send', async () => {
    await using server = await startSandbox(allowed);
    const response = await preflight(`${server.baseUrl}/order`);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST');
    const names = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(',');
    expect(names).toEqual(
      expect.arrayContaining([
        'x-api-key',
        'content-type',
        'idempotency-key',
        'x-request-id',
        'if-none-match',
      ]),
    );
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(varies(response)).toContain('Origin');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it.each([
    ['the list', '/games', ownKey, 200],
    ['a game', '/games/mobile-legends', ownKey, 200],
    ['a rejected key', '/games', 'wrong', 401],
    ['an unknown path', '/nothing', ownKey, 404],
  ])('lets an allowed page read %s, and its headers', async (_name, path, key, status) => {
    await using server = await startSandbox(allowed);
    const response = await fetch(server.baseUrl + path, { headers: { Origin: origin, 'X-API-KEY': key } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    const exposed = (response.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(',');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-error-code',
        'ratelimit',
        'idempotency-replayed',
        'retry-after',
        'etag',
      ]),
    );
    expect(varies(response)).toContain('Origin');
  });

  it('lets no other page read anything, and tells caches that the response depends on the origin', async () => {
    await using server = await startSandbox(allowed);
    const url = `${server.baseUrl}/games`;
    const headers = { 'X-API-KEY': ownKey };
    for (const from of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'null',
      'http://shop.example',
    ])
      for (const response of [
        await preflight(url, from),
        await fetch(url, { headers: { ...headers, Origin: from } }),
      ]) {
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(varies(response)).toContain('Origin');
      }
    expect(varies(await fetch(url, { headers }))).toContain('Origin');
  });

  it.each([
    '/',
    '/livez',
    '/readyz',
    '/metrics',
    '/health',
    '/docs',
    '/sandbox',
    '/pay/nobody',
    '/openapi.json',
    '/callback/nobody',
    '/nobody/webhook',
  ])('sends CORS headers for the API only, and not for %s, wherever the API is mounted', async (path) => {
    for (const TOPUP_BASE_PATH of ['/api', '/']) {
      await using server = await startSandbox({ ...allowed, TOPUP_BASE_PATH });
      const url = server.publicUrl + path;
      const headers = { Origin: origin, 'X-API-KEY': ownKey };
      for (const response of [await preflight(url), await fetch(url, { headers })]) {
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        // Else the server, when it stops, waits for its reader.
        await response.body?.cancel();
      }
    }
  });

  it.each([
    ['without an origin', { 'Access-Control-Request-Method': 'POST' }],
    ['without a method', { Origin: origin }],
    ['without both', {}],
  ])(
    'requires a key for OPTIONS %s, which is not a preflight',
    async (_name, headers: Record<string, string>) => {
      await using server = await startSandbox(allowed);
      // Safe to send with Node's fetch; a browser sets these headers itself.
      const options = (key: string) =>
        fetch(`${server.baseUrl}/games`, { method: 'OPTIONS', headers: { ...headers, 'X-API-KEY': key } });
      expect((await options('wrong')).status).toBe(401);
      expect((await options(ownKey)).status).toBe(405);
    },
  );

  it('sends CORS headers for the operations of an API at the root', async () => {
    await using server = await startSandbox({ ...allowed, TOPUP_BASE_PATH: '/' });
    for (const path of ['/games', '/games/mobile-legends', '/order', '/invoice/INV-1/payment-status'])
      expect((await preflight(server.publicUrl + path)).headers.get('access-control-allow-origin')).toBe(
        origin,
      );
  });

  it('logs a preflight only at debug, as a preflight', async () => {
    const log = await startLogged(allowed);
    await using server = log.server;
    const response = await preflight(`${server.baseUrl}/games`);
    const line = await log.request(response.headers.get('x-request-id') ?? '');
    expect(line).toMatchObject({ level: 20, operation: 'preflight', status: 204 });
  });

  it.each([
    '*',
    'null',
    'shop.example',
    'https://shop.example/',
    'https://shop.example/x',
    'https://*.example',
    'ftp://a',
    'https://a,,https://b',
  ])('rejects the origin %s', (value) => {
    expect(() => readConfig({ TOPUP_MODE: 'sandbox', TOPUP_CORS_ORIGINS: value })).toThrow(
      /^TOPUP_CORS_ORIGINS takes origins separated by commas/,
    );
  });
});

describe('a real browser', () => {
  const browser = useBrowser();

  it('lets a real browser call the API only from an allowed origin', async () => {
    await using shop = await browser.startSandbox();
    for (const [origins, expected] of [
      [shop.publicUrl, 'games'],
      ['https://another.example', 'TypeError'],
    ] as const) {
      await using server = await browser.startSandbox({ TOPUP_CORS_ORIGINS: origins, TOPUP_API_KEY: ownKey });
      // A page without a policy of its own.
      const { page } = await browser.open(`${shop.publicUrl}/health`);
      const call = `fetch(${JSON.stringify(`${server.baseUrl}/games`)}, { headers: { 'X-API-KEY': '${ownKey}' } })
        .then((response) => response.json()).then((body) => 'games' in body ? 'games' : 'no games', (error) => error.name)`;
      expect(await page.evaluate(call)).toBe(expected);
    }
  });
});
