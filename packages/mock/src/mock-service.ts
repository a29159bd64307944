import {
  type AppSettings,
  createAnswerRenderer,
  createApp,
  defaultLimits,
  paymentPath,
} from '@topup-kit/core/app';
import { createEngine, sandboxKey } from '@topup-kit/core/engine';
import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore } from '@topup-kit/core/store';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import { sha256Hex } from './hash.ts';

export interface MockOptions {
  /**
   * Where the interface seems to be: absolute, or relative to the page in a browser.
   * `http://127.0.0.1:4000/api` when left out, as the sandbox server has it.
   */
  baseUrl?: string;
}

/** The service in this process: no port, no network, its own world. */
export interface MockService {
  /** Where the interface seems to be, without a slash at its end. */
  baseUrl: string;
  /** The key that opens it: the well-known one of every sandbox. */
  apiKey: string;
  /** Answers any request to `baseUrl`; hand it to the SDK or to any code that takes a fetch. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

const defaultBaseUrl = 'http://127.0.0.1:4000/api';

/** In a browser an address may be relative to the page; elsewhere there is no page. */
const pageAddress = (): string | undefined =>
  'location' in globalThis ? globalThis.location?.href : undefined;

function parseBaseUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl, pageAddress());
  if (url) return url;
  throw new TypeError(
    `baseUrl must be an absolute URL such as ${defaultBaseUrl} (or, in a browser, a path), got ${JSON.stringify(baseUrl)}`,
  );
}

/**
 * The whole service over a memory store and the sandbox catalogue, without MSW.
 *
 * @throws TypeError when `baseUrl` is not a URL.
 * @example
 * const mock = createMockService();
 * const answer = await mock.fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
 */
export function createMockService(options: MockOptions = {}): MockService {
  const { origin, pathname } = parseBaseUrl(options.baseUrl ?? defaultBaseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const settings: AppSettings = {
    publicUrl: origin,
    basePath,
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    // Nobody's test run should meet a rate limit by accident.
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
  };
  const store = createMemoryStore();
  const reportError = (error: unknown): never => {
    throw error;
  };
  const engine = createEngine({
    store,
    gateway: createSimulatedGateway({
      clock: Date.now,
      random: secureRandom,
      pageUrl: (reference) => origin + paymentPath(reference),
    }),
    supplier: createSimulatedSupplier({ clock: Date.now }),
    realClock: Date.now,
    worldClock: Date.now,
    random: secureRandom,
    hash: sha256Hex,
    timezone: settings.timezone,
    renderAnswer: createAnswerRenderer(settings),
    reportError,
    fixedKeys: [{ key: sandboxKey, loopbackOnly: false }],
  });
  const app = createApp({
    engine,
    settings,
    realClock: Date.now,
    random: secureRandom,
    hash: sha256Hex,
    reportError,
  });
  const seeded = store.replaceCatalog(sandboxCatalog());

  return {
    baseUrl: origin + basePath,
    apiKey: sandboxKey,
    async fetch(input, init) {
      await seeded;
      return app.fetch(new Request(input, init));
    },
  };
}
