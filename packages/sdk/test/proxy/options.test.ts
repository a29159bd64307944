import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTopupProxy, isTopupError, type TopupProxyOptions } from '../../src/proxy/index.ts';

const good = { baseUrl: 'https://shop.example/api', apiKey: 'tk_live_secret', basePath: '/api/topup' };

const rejectionOf = (options: object): unknown => {
  try {
    // Safe: a caller without types can pass anything.
    createTopupProxy({ ...good, ...options } as TopupProxyOptions);
  } catch (error) {
    return error;
  }
  return undefined;
};

afterEach(() => vi.unstubAllGlobals());

describe('the options of the proxy', () => {
  it.each([
    { baseUrl: 'https://shop.example/api/' },
    { basePath: '/' },
    { basePath: '/api/topup/' },
    { routes: ['getInvoice'] },
    { origins: ['https://other.example', 'http://localhost:5173'] },
    { rateLimit: false },
    { rateLimit: { orders: 1 } },
    { maxBodyBytes: 1, timeout: 1 },
  ])('accepts the proxy options %o', (options) => {
    expect(rejectionOf(options)).toBeUndefined();
  });

  it.each([
    '/api',
    'shop.example',
    'ftp://shop.example',
    'https://tk_live_secret@shop.example',
    'https://:tk_live_secret@shop.example',
    'https://shop.example?key=tk_live_secret',
    'https://shop.example/#',
    undefined,
  ])('rejects baseUrl %s without quoting it', (baseUrl) => {
    const error = rejectionOf({ baseUrl });
    expect(isTopupError(error, 'INVALID_BASE_URL')).toBe(true);
    expect(String(error)).not.toContain('tk_live_secret');
  });

  it.each(['', 'short', 'with space in it', 'line\r\nbreak-in-it', 'schlüssel-lang', undefined])(
    'rejects apiKey %j without quoting it',
    (apiKey) => {
      const error = rejectionOf({ apiKey });
      expect(isTopupError(error, 'INVALID_API_KEY')).toBe(true);
      if (apiKey) expect(String(error)).not.toContain(apiKey);
    },
  );

  it.each([
    { basePath: '' },
    { basePath: 'api/topup' },
    { basePath: '//evil.test' },
    { basePath: '/api?x' },
    { basePath: '/api/#x' },
    { basePath: '/api/../topup' },
    { basePath: '/api\\topup' },
    { basePath: undefined },
    { basePath: '/api/topup/*' },
    { basePath: '/api/topup/:path' },
    { routes: [] },
    { routes: ['listGames', 'dropTables'] },
    { routes: ['toString'] },
    { routes: 'listGames' },
    { origins: ['*'] },
    { origins: ['null'] },
    { origins: ['https://other.example/'] },
    { origins: ['https://Other.example'] },
    { origins: ['other.example'] },
    { origins: ['chrome-extension://abc'] },
    { maxBodyBytes: 0 },
    { maxBodyBytes: Number.POSITIVE_INFINITY },
    { rateLimit: { reads: 0 } },
    { rateLimit: { orders: 1.5 } },
    { timeout: 0 },
    { timeout: Number.NaN },
    { timeout: 2 ** 31 },
  ])('rejects the proxy options %o', (options) => {
    expect(isTopupError(rejectionOf(options), 'INVALID_PROXY_OPTION')).toBe(true);
  });

  it.each([
    [{ rateLimits: false }, 'rateLimit'],
    [{ origin: ['https://shop.example'] }, 'origins'],
    [{ rateLimit: { order: 1 } }, 'orders'],
  ])('rejects the unknown %o, and suggests: %s', (options, meant) => {
    const error = rejectionOf(options);
    expect(isTopupError(error, 'INVALID_OPTION')).toBe(true);
    expect(String(error)).toContain(`Did you mean ${meant}?`);
  });

  it('rejects missing options by name', () => {
    // @ts-expect-error no options
    expect(() => createTopupProxy()).toThrow('the options must be an object');
  });

  it('doesn\'t use the text "undefined" of a missing variable as a host', () => {
    expect(String(rejectionOf({ baseUrl: undefined }))).toContain('baseUrl is undefined');
    expect(String(rejectionOf({ apiKey: undefined }))).toContain('apiKey is undefined');
  });

  it('refuses to create a proxy in a browser, which could read its key', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0' });
    expect(isTopupError(rejectionOf({}), 'API_KEY_IN_BROWSER')).toBe(true);
  });
});
