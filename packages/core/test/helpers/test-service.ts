import { hash } from 'node:crypto';
import { type AppSettings, createApp, defaultLimits, paymentPath } from '../../src/app/index.ts';
import type { Scope } from '../../src/contract/index.ts';
import { createEngine, issueKey, sandboxKey } from '../../src/engine/index.ts';
import { createSimulatedGateway, type PaymentGateway } from '../../src/gateway/index.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { sandboxCatalog } from '../../src/sandbox/index.ts';
import { type Catalog, createMemoryStore, type Store } from '../../src/store/index.ts';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const publicUrl = 'http://localhost';

/** The order of the open points: 2 x 86 Diamond with RAMADAN10, 40,000 in all. */
export const fixtureOrder = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
  promo_code: 'RAMADAN10',
  quantity: 2,
};

export interface TestServiceOptions {
  catalog?: Catalog;
  /** Wraps the store, to make it fail. */
  store?: (store: Store) => Store;
  gateway?: PaymentGateway;
  settings?: Partial<AppSettings>;
}

/** The whole service in this process, on a clock that the test holds. */
export async function createTestService(options: TestServiceOptions = {}) {
  const memory = createMemoryStore();
  const store = options.store?.(memory) ?? memory;
  await memory.replaceCatalog(options.catalog ?? sandboxCatalog());
  const clock = { now: Date.UTC(2026, 2, 28, 3) };
  const reported: unknown[] = [];
  const settings: AppSettings = {
    publicUrl,
    basePath: '/api',
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
    ...options.settings,
  };
  const engine = createEngine({
    store,
    gateway:
      options.gateway ??
      createSimulatedGateway({
        clock: () => clock.now,
        random: secureRandom,
        pageUrl: (reference) => publicUrl + paymentPath(reference),
      }),
    worldClock: () => clock.now,
    random: secureRandom,
    hash: sha256,
    timezone: settings.timezone,
    fixedKeys: [{ key: sandboxKey, loopbackOnly: true }],
  });
  const app = createApp({
    engine,
    settings,
    realClock: () => clock.now,
    random: secureRandom,
    hash: sha256,
    reportError: (error) => reported.push(error),
  });
  const deps = { store: memory, hash: sha256, random: secureRandom, realClock: () => clock.now };

  async function send(path: string, init: RequestInit & { key?: string; address?: string } = {}) {
    const { key = sandboxKey, address = '127.0.0.1', headers, ...rest } = init;
    const request = new Request(`${publicUrl}/api${path}`, {
      ...rest,
      headers: { Accept: 'application/json', 'X-API-KEY': key, ...Object.fromEntries(new Headers(headers)) },
    });
    const response = await app.fetch(request, { address });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  }

  return {
    app,
    engine,
    store: memory,
    clock,
    reported,
    send,
    get: (path: string, init: Parameters<typeof send>[1] = {}) => send(path, init),
    order: (body: object = fixtureOrder, init: Parameters<typeof send>[1] = {}) =>
      send('/order', {
        method: 'POST',
        ...init,
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
      }),
    /** A key of an account of its own. */
    keyOf: async (
      accountId: string,
      scopes: readonly Scope[] = ['catalog:read', 'orders:read', 'orders:write'],
    ) => (await issueKey(deps, { mode: 'test', accountId, name: accountId, scopes })).key,
  };
}
