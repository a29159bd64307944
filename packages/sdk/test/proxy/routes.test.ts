import { endpoints } from '@topup-kit/core/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRoutes } from '../../src/proxy/index.ts';
import { games, order, proxyTo, site, visitor } from './proxy-to.ts';

/** Matches the URL of any operation of the service. */
const serviceUrls = Object.values(endpoints).map(
  ({ path }) =>
    new RegExp(`^https://shop\\.example/v1/api${path.replace(/\{\w+\}/g, "[A-Za-z0-9_.!~*'()%-]+")}$`),
);

/** A request whose URL was not normalised by a runtime. */
function rawRequest(url: string, method = 'GET'): Request {
  return Object.defineProperty(new Request(site, { method }), 'url', { value: url });
}

it('rejects a request of Node, as Express uses it, and explains what it accepts', async () => {
  const { proxy, sent } = proxyTo(games);
  // Safe: a caller without types can pass this value.
  const request = { method: 'GET', url: '/api/topup/games', headers: {} } as Request;
  await expect(proxy(request, visitor)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('a Request of the Fetch standard, not a request of Node'),
  });
  expect(sent).toEqual([]);
});

describe('the routes of the proxy', () => {
  it.each([
    ['GET', '/games', '/games'],
    ['GET', '/games/mobile-legends', '/games/mobile-legends'],
    ['GET', '/order/mobile-legends', '/order/mobile-legends'],
    ['POST', '/order', '/order'],
    ['GET', '/invoice/INV-1-ABCDEFGH/payment-status', '/invoice/INV-1-ABCDEFGH/payment-status'],
    ['POST', '/promo/validate', '/promo/validate'],
    ['POST', '/account/check', '/account/check'],
    ['GET', '/games?page=2&X-API-KEY=mine#top', '/games'],
    ['GET', '/games/r%C3%A9sum%C3%A9%3F%23%40', '/games/r%C3%A9sum%C3%A9%3F%23%40'],
    ['GET', '/games/@evil.test', '/games/%40evil.test'],
    ['GET', '/games/https:evil.test', '/games/https%3Aevil.test'],
  ])('forwards %s %s to %s of the service', async (method, path, reached) => {
    const { ask, sent } = proxyTo(games);
    expect((await ask(path, method === 'POST' ? order() : {})).status).toBe(200);
    expect(sent.map(({ method, url }) => [method, url])).toEqual([
      [method, `https://shop.example/v1/api${reached}`],
    ]);
  });

  it.each([
    '',
    '/',
    '/games/',
    '//games',
    '/Games',
    '/g%61mes',
    '/games/a/b',
    '//evil.test/',
    '/@evil.test/games',
    '/https://evil.test/games',
    '/games/%2e%2e/sandbox',
    '/games/..%2forder',
    '/games/%2e%2e%2f%2e%2e%2fadmin',
    '/games/%252e%252e%252fadmin',
    '/games/a%2fb',
    '/games/a%5cb',
    '/games/..\\..\\admin',
    '/games/%00',
    '/games/a%0d%0aHost:%20evil.test',
    '/games/%20',
    '/games/%c0%ae%c0%ae',
    '/games/%ed%a0%80',
    '/games/%zz',
    '/games/%',
    `/games/${'a'.repeat(256)}`,
    '/invoice//payment-status',
    '/invoice/%2e/payment-status',
    '/callback/tripay',
    '/sandbox',
    '/../../sandbox',
  ])('responds with a 404 to %s, and sends nothing', async (path) => {
    const { ask, sent } = proxyTo(games);
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('X-Error-Code')).toBe('ROUTE_NOT_FOUND');
    expect(await response.json()).toEqual({
      success: false,
      message: expect.stringMatching(/^The proxy does not allow this route\./),
      error_code: 'ROUTE_NOT_FOUND',
      errors: {},
    });
    expect(sent).toEqual([]);
  });

  it('responds with a 404 to a path outside the base path, even with the same prefix', async () => {
    const { proxy, sent } = proxyTo(games);
    for (const path of ['/games', '/api/topupgames', '/api/topup2/games', '/x/api/topup/games']) {
      expect((await proxy(new Request(site + path), visitor)).status).toBe(404);
    }
    expect(sent).toEqual([]);
  });

  it('uses only the path of an absolute or unnormalised URL', async () => {
    const { proxy, sent } = proxyTo(games);
    await proxy(rawRequest('http://evil.test/api/topup/games'), visitor);
    await proxy(rawRequest('https://site.example/api/topup/games/../../../admin'), visitor);
    await proxy(rawRequest('https://site.example\\@evil.test/api/topup/games/x'), visitor);
    expect(sent.map(({ url }) => url)).toEqual(['https://shop.example/v1/api/games']);
  });

  it.each([
    ['/api/topup/games', 200],
    ['api/topup/games?page=2', 200],
    ['/games', 404],
    ['//', 404],
    ['http://', 404],
    ['', 404],
  ])('responds to the relative URL %j: %i', async (url, status) => {
    const { proxy } = proxyTo(games);
    expect((await proxy(rawRequest(url), visitor)).status).toBe(status);
  });

  it.each(['DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'POST'])(
    'responds with a 405 and the allowed methods to %s of a list, whatever a header overrides',
    async (method) => {
      const { ask, sent } = proxyTo(games);
      const response = await ask('/games', { method, headers: { 'X-HTTP-Method-Override': 'GET' } });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET');
      expect(response.headers.get('X-Error-Code')).toBe('METHOD_NOT_ALLOWED');
      expect(sent).toEqual([]);
    },
  );

  it('serves an invoice, which has customer data, only if its route is listed', async () => {
    const path = '/invoice/INV-1-ABCDEFGH';
    expect(defaultRoutes).not.toContain('getInvoice');
    expect((await proxyTo(games).ask(path)).status).toBe(404);
    expect((await proxyTo(games, { routes: ['getInvoice'] }).ask(path)).status).toBe(200);
  });

  it('lacks the route of a forbidden operation, even if another has its path', async () => {
    const { ask, sent } = proxyTo(games, { routes: ['listGames'] });
    expect((await ask('/order', order())).status).toBe(404);
    expect((await ask('/games/mobile-legends')).status).toBe(404);
    expect(sent).toEqual([]);
  });

  it('serves its routes at the root', async () => {
    const { proxy, sent } = proxyTo(games, { basePath: '/' });
    expect((await proxy(new Request(`${site}/games`), visitor)).status).toBe(200);
    expect(sent[0]?.url).toBe('https://shop.example/v1/api/games');
  });

  it('sends any path either to a route of the service or nowhere', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          'games',
          'order',
          'invoice',
          'promo',
          'validate',
          'payment-status',
          '..',
          '.',
          '%2e%2e',
          '%2f',
          '%5c',
        ],
        ...[
          '\\',
          '//evil.test',
          '@evil.test',
          '?',
          '#',
          ':',
          ';',
          '%',
          '%25',
          '%00',
          '\t',
          'http://evil.test',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
    );
    const path = fc.array(fc.tuple(fc.constantFrom('/', ''), piece), { maxLength: 6 });
    const method = fc.constantFrom('GET', 'POST');
    await fc.assert(
      fc.asyncProperty(path, method, fc.boolean(), async (pieces, method, likely) => {
        const { proxy, sent } = proxyTo(games, { routes: [...defaultRoutes, 'getInvoice'] });
        const text = (likely ? '/games/' : '') + pieces.flat().join('');
        const url = URL.parse(`${site}/api/topup${text}`);
        fc.pre(url !== null);
        const request = new Request(url, method === 'POST' ? order() : {});
        const { status } = await proxy(request, visitor);
        expect(status === 200 || status === 404 || status === 405).toBe(true);
        for (const { url } of sent) {
          expect(serviceUrls.some((route) => route.test(url))).toBe(true);
          expect(new URL(url).href).toBe(url);
          expect(decodeURIComponent(url)).not.toMatch(/\/\.\.?(\/|$)/);
        }
        expect(sent.length).toBe(status === 200 ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });
});
