import { isInterfacePath, ownPaths, pictureFolders } from '@topup-kit/core/app';
import type { Exchange } from './exchange.ts';
import { createMockParts, type MockService } from './mock-service.ts';
import type { MockConfig, MockOptions } from './options.ts';

export type { MockService } from './mock-service.ts';
export type { MockOptions } from './options.ts';

/** The part of Playwright's request that the mock uses. */
export interface PlaywrightRequest {
  method(): string;
  url(): string;
  headers(): Record<string, string>;
  postData(): string | null;
}

/** The part of Playwright's `Route` that the mock uses. */
export interface PlaywrightRoute {
  request(): PlaywrightRequest;
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
  abort(): Promise<void>;
  fallback(): Promise<void>;
}

/** The part of Playwright's `Page` or `BrowserContext` that the mock uses, for any version and package. */
export interface PlaywrightTarget {
  route(url: RegExp, handler: (route: PlaywrightRoute) => Promise<void>): Promise<unknown>;
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches the URLs of the interface and of the pictures that responses link to. */
function urlPattern({ origin, baseUrl }: MockConfig): RegExp {
  const folders = Object.values(pictureFolders).map((folder) => `${escapePattern(origin + folder)}/[^/]+`);
  const qrCode = `${escapePattern(origin + ownPaths.pay)}/[^/]+/qr\\.svg`;
  return new RegExp(`^(${escapePattern(baseUrl)}/.*|${[...folders, qrCode].join('|')})$`);
}

/** Lets a page of another origin read all headers, as with MSW. Playwright sets the other CORS headers. */
function headersFor(request: PlaywrightRequest, response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  const { origin } = request.headers();
  if (origin === undefined || origin === new URL(request.url()).origin) return headers;
  return { ...headers, 'Access-Control-Expose-Headers': Object.keys(headers).join(', ') };
}

const handlerOf =
  ({ basePath }: MockConfig, exchange: Exchange) =>
  async (route: PlaywrightRoute): Promise<void> => {
    const request = route.request();
    const url = request.url();
    const response = await exchange(
      new Request(url, { method: request.method(), headers: request.headers(), body: request.postData() }),
    );
    if (response.type === 'error') return route.abort();
    // The app may have its own files in the folders of the mock's pictures.
    if (!response.ok && !isInterfacePath(new URL(url).pathname, basePath)) return route.fallback();
    const { status } = response;
    // The connection is cut halfway on purpose. Playwright can't send half a body.
    const body = await response.text().catch(() => null);
    if (body === null) return route.abort();
    return route.fulfill({ status, headers: headersFor(request, response), body });
  };

/**
 * Gives a page, or all pages of a browser context, their own service within the test process: requests to `baseUrl`, and to the pictures
 * that responses link to, get its responses by `page.route`. It needs no port and no service worker. Call it before you open the page. The
 * service ends with the page.
 *
 * Rejects with a TypeError for an unknown option or an invalid value, and with an Error for an invalid catalogue or dialect.
 *
 * @returns the service, with all controls of a mock
 * @example
 * const mock = await mockTopup(page, { baseUrl: 'http://localhost:5173/api', auth: 'off' });
 * await page.goto('http://localhost:5173');
 * await mock.orders.pay(orderId);
 */
export async function mockTopup(target: PlaywrightTarget, options: MockOptions = {}): Promise<MockService> {
  const { config, exchange, service } = createMockParts(options, 'mockTopup');
  await target.route(urlPattern(config), handlerOf(config, exchange));
  return service;
}

/** The fixtures that `topupFixtures` adds to Playwright's own. */
export interface TopupFixtures {
  /** The service for the requests of the test's pages. Each test has its own. */
  mock: MockService;
  /** Options of the mock, for `use` in the configuration and `test.use`. Its `baseUrl` may be relative to Playwright's `baseURL`. */
  mockOptions: MockOptions;
}

/** Playwright's own fixtures that this fixture uses. */
export interface PlaywrightFixtures {
  context: PlaywrightTarget;
  baseURL: string | undefined;
  mockOptions: MockOptions;
}

/** Resolves a relative base URL against the app's URL. */
const resolveBaseUrl = ({ baseUrl }: MockOptions, baseURL: string | undefined): string | undefined =>
  baseUrl !== undefined && baseURL !== undefined ? new URL(baseUrl, baseURL).href : baseUrl;

/**
 * Fixtures for Playwright Test: `mock`, which every test gets automatically, and the option `mockOptions`.
 *
 * @example
 * export const test = base.extend<TopupFixtures>(topupFixtures);
 * test.use({ mockOptions: { baseUrl: '/api', auth: 'off' } });
 */
export const topupFixtures: {
  mockOptions: [MockOptions, { option: true }];
  mock: [
    (fixtures: PlaywrightFixtures, use: (mock: MockService) => Promise<void>) => Promise<void>,
    { auto: true },
  ];
} = {
  mockOptions: [{}, { option: true }],
  mock: [
    // Playwright reads the names of fixtures from the text of this function.
    async ({ context, baseURL, mockOptions }, use) => {
      const baseUrl = resolveBaseUrl(mockOptions, baseURL);
      await use(await mockTopup(context, { ...mockOptions, baseUrl }));
    },
    { auto: true },
  ],
};
