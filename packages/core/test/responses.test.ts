import { describe, expect, it } from 'vitest';
import { errorResponse, toDomainError } from '../src/app/errors.ts';
import { fromFetchRequest, toPlainResponse, toResponse } from '../src/app/fetch.ts';
import { createRecord, noResponse, renderedResponse } from '../src/app/http.ts';
import {
  busyResponses,
  codeGroups,
  createUrls,
  DomainErrorWithHeaders,
  defaultLimits,
} from '../src/app/index.ts';
import { interfaceOnlyDialect, kitDialect, type Locale } from '../src/contract/index.ts';
import { DomainError } from '../src/features/index.ts';
import { createCallControl } from '../src/features/sandbox/calls.ts';
import { createFaults, createScenarioSwitch } from '../src/features/sandbox/index.ts';
import { StoreError } from '../src/features/store.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const settings = {
  publicUrl: 'https://shop.example',
  basePath: '/api',
  timezone: 'Asia/Jakarta',
  locale: 'id' as Locale,
  currency: 'IDR',
  limits: defaultLimits,
};

describe('the response to an error', () => {
  it.each([
    ['GAME_NOT_FOUND', { 'Content-Language': 'id', Vary: 'Accept-Language' }],
    ['IDEMPOTENCY_IN_FLIGHT', { 'Retry-After': '1' }],
  ] as const)('sends the headers of %s', (code, expected) => {
    const { headers } = errorResponse(new DomainError(code), 'envelope', settings);
    expect(headers).toMatchObject({ 'X-Error-Code': code, ...expected });
    expect('Retry-After' in headers).toBe('Retry-After' in expected);
  });

  it('sends a language header only for a text that depends on the language', () => {
    const { headers } = errorResponse(new DomainError('RATE_LIMITED'), 'message', settings);
    expect(Object.keys(headers)).not.toContain('Content-Language');
  });

  class Busy extends StoreError {
    readonly retryAfter: number | null;
    readonly isReported: boolean;
    constructor(retryAfter: number | null, isReported = false) {
      super('busy');
      this.retryAfter = retryAfter;
      this.isReported = isReported;
    }
  }

  it('tells the client when to retry only if the store stored nothing', () => {
    const busy = new Busy(2);
    const error = toDomainError(busy);
    expect(error).toBeInstanceOf(DomainErrorWithHeaders);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '2' }, cause: busy });
    for (const cause of [new Busy(null), new Error('other')])
      expect(toDomainError(cause)).toMatchObject({ code: 'SERVER_ERROR', cause });
    const rejected = new DomainError('GAME_NOT_FOUND');
    expect(toDomainError(rejected)).toBe(rejected);
  });

  it.each([false, true])(
    "doesn't report a store's problem again if the host knows it: %s",
    async (isReported) => {
      const failing = new Busy(null, isReported);
      const { get, reported } = await createTestService({
        store: (store) => ({ ...store, listOrders: () => Promise.reject(failing) }),
      });
      expect((await get('/orders')).status).toBe(500);
      expect(reported).toEqual(isReported ? [] : [failing]);
    },
  );
});

describe('the response of a busy host', () => {
  const shapeOf = (dialect = kitDialect, locale: Locale = 'en') => {
    const { interface: own, other } = busyResponses({ ...settings, dialect }, locale);
    return [own, other].map(({ status, headers, body }) => ({
      status,
      headers,
      json: JSON.parse(String(body)),
    }));
  };
  const unavailable = (message: string) => ({
    status: 503,
    headers: expect.objectContaining({ 'Retry-After': '1', 'X-Error-Code': 'UNAVAILABLE' }),
    json: { success: false, message, error_code: 'UNAVAILABLE', errors: {} },
  });

  it("sends the same busy response everywhere in the kit's own dialect, in the request's language", () => {
    const english = unavailable('The service is unavailable right now.');
    expect(shapeOf()).toEqual([english, english]);
    const indonesian = unavailable('Layanan sedang tidak tersedia.');
    expect(shapeOf(kitDialect, 'id')).toEqual([indonesian, indonesian]);
  });

  it("uses the dialect's language and headers only within the interface", () => {
    const [own, other] = shapeOf(interfaceOnlyDialect);
    expect(own?.json.message).toBe('Layanan sedang tidak tersedia.');
    expect(Object.keys(own?.headers ?? {})).not.toContain('X-Error-Code');
    expect(other).toEqual(unavailable('The service is unavailable right now.'));
  });
});

describe('a response as plain data', () => {
  it('keeps a response equal when it becomes a Response and plain data again', async () => {
    const plain = renderedResponse(200, '{}', { 'X-Own': 'a' });
    expect(await toPlainResponse(toResponse(plain))).toBe(plain);
  });

  it("keeps status, headers and bytes of a host's page", async () => {
    const page = new Response('<p>', { status: 201, headers: { 'Content-Type': 'text/html' } });
    expect(await toPlainResponse(page)).toEqual({
      status: 201,
      headers: { 'content-type': 'text/html' },
      body: new TextEncoder().encode('<p>'),
    });
  });

  it('converts a response with an empty body, or without a body, to a Response', () => {
    expect(toResponse({ status: 304, headers: { ETag: 'a' }, body: '' }).body).toBeNull();
    expect(toResponse(noResponse).type).toBe('error');
  });
});

describe('the addresses of pictures and pages', () => {
  const urls = createUrls('https://shop.example');
  const own = 'https://cdn.example/own.png';
  const paidAt = (pageReference: string | null, url: string | null) => ({
    pageReference,
    payment: { reference: 'REF/1', method: 'QRIS2', code: null, qrString: null, url },
  });
  type PaidAt = Parameters<typeof urls.page>[0];

  it("uses the catalogue's picture addresses, or else the service's addresses", () => {
    const game = { slug: 'valorant', image: null, banner: null };
    expect(urls.gameImage(game)).toBe('https://shop.example/assets/games/valorant.svg');
    expect(urls.gameBanner(game)).toBe('https://shop.example/assets/banners/valorant.svg');
    expect(urls.productImage({ id: 901, image: null })).toBe('https://shop.example/assets/products/901.svg');
    expect(urls.paymentMethodImage({ id: 12, image: null })).toBe(
      'https://shop.example/assets/payment-methods/12.svg',
    );
    expect([
      urls.gameImage({ ...game, image: own }),
      urls.gameBanner({ ...game, banner: own }),
      urls.productImage({ id: 901, image: own }),
      urls.paymentMethodImage({ id: 12, image: own }),
    ]).toEqual([own, own, own, own]);
  });

  it("uses the gateway's page, or else the service's page", () => {
    // Safe: the addresses need only these parts of a payment.
    const at = (pageReference: string | null, url: string | null) =>
      paidAt(pageReference, url) as unknown as PaidAt;
    expect(urls.payment(at('P1', own))).toBe(own);
    expect(urls.payment(at('P1', null))).toBe('https://shop.example/pay/P1');
    expect(urls.page(at(null, own))).toBe('https://shop.example/pay/REF%2F1');
    expect(urls.qrImage(at('P1', own))).toBe('https://shop.example/pay/P1/qr.svg');
  });
});

it.each([
  ['8808123456789', ['8808', '1234', '5678', '9']],
  ['1234', ['1234']],
  ['00020101ABCD', ['00020101ABCD']],
  ['ABCD00020101', ['ABCD00020101']],
])('formats a payment code for people: %s', (code, groups) => {
  expect(codeGroups(code)).toEqual(groups);
});

describe('the effect of a scenario on calls to an operation', () => {
  const ok = renderedResponse(200, '{}');

  function callsOf(scenario: 'none' | 'maintenance' | 'rate-limited' | 'flaky' | 'offline') {
    const of = { faults: createFaults(() => 0), findOrder: async () => null, maxBodyBytes: 1_000 };
    const choice = createScenarioSwitch(of);
    choice.choose(scenario);
    const obey = createCallControl({ ...of, header: 'X-Topup-Scenario' }).around;
    return async (header?: string) => {
      const headers = header === undefined ? {} : { 'X-Topup-Scenario': header };
      const request = fromFetchRequest(new Request('http://localhost/api/games', { headers }));
      try {
        const caller = { keyId: 'k', accountId: 'shop', scopes: [] };
        const call = { request, caller, locale: 'en', parameters: {}, record: createRecord('GET') } as const;
        return await obey('listGames', call, async () => ok);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { cause } = error;
        return [error.code, cause instanceof Error ? cause.message : null];
      }
    };
  }
  const maintenance = ['UNAVAILABLE', expect.stringContaining('scenario maintenance')];
  const flaky = ['UNAVAILABLE', expect.stringContaining('scenario flaky')];

  it.each([
    ['none', undefined, [ok, ok, ok]],
    ['none', 'none', [ok, ok, ok]],
    ['none', ' none , maintenance', [maintenance, maintenance, maintenance]],
    ['maintenance', 'none', [maintenance, maintenance, maintenance]],
    [
      'rate-limited',
      undefined,
      [
        ['RATE_LIMITED', null],
        ['RATE_LIMITED', null],
        ['RATE_LIMITED', null],
      ],
    ],
    ['flaky', undefined, [ok, ok, flaky]],
    ['offline', undefined, [noResponse, noResponse, noResponse]],
    ['none', 'rain', Array(3).fill(['VALIDATION_ERROR', null])],
  ] as const)('applies %s, with the header %s', async (scenario, header, expected) => {
    const call = callsOf(scenario);
    expect([await call(header), await call(header), await call(header)]).toEqual(expected);
  });
});

describe('the service', () => {
  const fetchFrom = async (
    service: Awaited<ReturnType<typeof createTestService>>,
    path: string,
    init?: RequestInit,
  ) => {
    const response = await service.app.fetch(new Request(`http://localhost${path}`, init));
    return { response, text: await response.text() };
  };

  it.each([
    ['/assets/games/mobile-legends.svg', 200],
    ['/assets/games/nothing.svg', 404],
    ['/assets/games/mobile-legends', 404],
    ['/assets/games/mobile-legends.svgz', 404],
    ['/assets/banners/mobile-legends.svg', 200],
    ['/assets/banners/nothing.svg', 404],
    ['/assets/products/901.svg', 200],
    ['/assets/products/1.svg', 404],
    ['/assets/payment-methods/12.svg', 200],
    ['/assets/payment-methods/1000.svg', 404],
  ])('serves only the pictures of the catalogue: %s is %i', async (path, status) => {
    const { response, text } = await fetchFrom(await createTestService(), path);
    expect(response.status).toBe(status);
    if (status === 200)
      expect([response.headers.get('Content-Type'), text.slice(0, 4)]).toEqual(['image/svg+xml', '<svg']);
    else expect(response.headers.get('X-Error-Code')).toBe('ROUTE_NOT_FOUND');
  });

  it('draws the QR code of a payment that has a QR code', async () => {
    const service = await createTestService();
    const qris = (await service.order()).json;
    const { response, text } = await fetchFrom(service, new URL(qris.data.qr_url).pathname);
    expect([response.status, text.slice(0, 4)]).toEqual([200, '<svg']);
    expect(response.headers.get('Cache-Control')).toBe('private, max-age=300');
  });

  it('lists the allowed methods of an address', async () => {
    const service = await createTestService();
    const { status, headers, json } = await service.send('/games', { method: 'DELETE' });
    expect([status, headers.get('Allow'), json]).toEqual([
      405,
      'GET, HEAD',
      {
        success: false,
        message: 'Metode DELETE tidak didukung untuk alamat ini.',
        error_code: 'METHOD_NOT_ALLOWED',
        errors: {},
      },
    ]);
    expect((await service.send('/order', { method: 'PUT' })).headers.get('Allow')).toBe('POST');
  });

  it('is healthy while its store is healthy, and reveals nothing else about its host', async () => {
    const { response, text } = await fetchFrom(await createTestService(), '/health');
    expect([response.status, text]).toEqual([200, '{"status":"ok"}']);
  });

  it("confirms support of idempotency keys in each operation, and returns an order's key", async () => {
    const service = await createTestService();
    const headers = { 'Idempotency-Key': 'one' };
    const list = await service.get('/games', { headers });
    expect([list.headers.get('Idempotency-Supported'), list.headers.get('Idempotency-Key')]).toEqual([
      'true',
      null,
    ]);
    const ordered = await service.order(fixtureOrder, { headers });
    expect([
      ordered.status,
      ordered.headers.get('Idempotency-Supported'),
      ordered.headers.get('Idempotency-Key'),
    ]).toEqual([201, 'true', 'one']);
    const rejected = await service.order({}, { headers });
    expect([rejected.status, rejected.headers.get('Idempotency-Key')]).toEqual([409, 'one']);
  });

  it('sends no body for HEAD, but the same headers', async () => {
    const service = await createTestService();
    const [got, head] = [await service.get('/games'), await service.send('/games', { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('ETag')).toBe(got.headers.get('ETag'));
  });

  it('lists popular games separately, without their category', async () => {
    const { json } = await (await createTestService()).get('/games');
    expect(json.success).toBe(true);
    const popular = json.games.filter((game: { populer: boolean }) => game.populer);
    expect(popular.length).toBeGreaterThan(0);
    expect(popular.length).toBeLessThan(json.games.length);
    expect(json.populerGames).toEqual(popular.map(({ category, ...game }: { category: unknown }) => game));
  });

  it('limits each key at each client address separately', async () => {
    const limits = { ...defaultLimits, readsPerMinute: 1 };
    const service = await createTestService({ settings: { limits } });
    const [one, two] = [await service.keyOf('one'), await service.keyOf('two')];
    const statusOf = async (key: string, address: string) =>
      (await service.get('/games', { key, address, direct: false })).status;
    expect([
      await statusOf(one, '192.0.2.1'),
      await statusOf(one, '192.0.2.1'),
      await statusOf(one, '192.0.2.2'),
      await statusOf(two, '192.0.2.1'),
    ]).toEqual([200, 429, 200, 200]);
  });

  it('shares its limits with the other servers', async () => {
    const limits = { ...defaultLimits, readsPerMinute: 4 };
    const service = await createTestService({ settings: { limits }, countServers: () => 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await service.get('/games')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe("the responses of a sandbox's control routes", () => {
  const control = async (path: string, body?: object) => {
    const service = await createTestService();
    const headers = { 'Accept-Language': 'en', 'Content-Type': 'application/json' };
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await service.app.fetch(
      new Request(`http://localhost/sandbox${path}`, { ...init, headers }),
    );
    return { status: response.status, json: await response.json() };
  };

  it('shows time and scenario in the control routes', async () => {
    const { json } = await control('');
    expect(json).toEqual({
      success: true,
      data: {
        now: '2026-03-28T10:00:00+07:00',
        ahead_ms: 0,
        scenario: 'none',
        scenarios: expect.objectContaining({ none: expect.any(String), 'gateway-down': expect.any(String) }),
      },
    });
  });

  it.each([
    ['/advance', { by: 'soon' }, 'by', 'The by field must be a duration such as 30s, 31m, 24h or 1h30m.'],
    ['/advance', { by: 60 }, 'by', 'The by field must be a duration such as 30s, 31m, 24h or 1h30m.'],
    [
      '/scenario',
      { name: 'rain' },
      'name',
      expect.stringMatching(/^The name field must be one of none, .*gateway-down,/),
    ],
    ['/scenario', { name: 1 }, 'name', expect.stringMatching(/^The name field must be one of /)],
  ])('rejects %s with %j, and explains the expected value', async (path, body, field, message) => {
    const { status, json } = await control(path, body);
    expect(status).toBe(422);
    expect(json.errors).toEqual({ [field]: [message] });
  });

  it('rejects an unknown control route', async () => {
    expect(await control('/nothing', {})).toMatchObject({
      status: 404,
      json: { error_code: 'ROUTE_NOT_FOUND' },
    });
  });

  it("rejects a shop's key for control routes", async () => {
    const service = await createTestService();
    const { status, json } = await (async (key: string) => {
      const request = new Request('http://localhost/sandbox', {
        headers: { 'X-API-KEY': key, 'Accept-Language': 'en' },
      });
      const response = await service.app.fetch(request, { address: '192.0.2.1', direct: false });
      return { status: response.status, json: await response.json() };
    })(await service.keyOf('shop'));
    expect([status, json.message]).toEqual([403, 'This API key does not have the scope sandbox.']);
  });
});
