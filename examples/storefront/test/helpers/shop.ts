import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, startServer } from '@topup-kit/server';
import type { Locator, Page } from 'playwright-core';
import { build, type InlineConfig, preview } from 'vite';
import { afterAll, beforeAll, vi } from 'vitest';
import { useBrowser as browserForTests } from '../../../../packages/server/test/helpers/browser.ts';
import { topupApi } from '../../server/topup-api.ts';
import { storefront } from '../../vite.config.ts';

const buttons = { pay: 'Pay', fail: 'Fail', expire: 'Expire', deliver: 'Deliver' };
export type OrderAction = keyof typeof buttons;

/** Built and served shop, with controls for the service behind it. */
export interface Shop extends AsyncDisposable {
  url: string;
  /** Folder with the built files. */
  folder: string;
  act(page: Page, orderId: string, action: OrderAction): Promise<void>;
  advance(page: Page, by: '5m' | '31m'): Promise<void>;
  setOnline(page: Page, isOnline: boolean): Promise<void>;
}

export type Backend = 'mock' | 'server';

/** Opens the sandbox drawer of a shop on the mock, and closes it afterwards, because it covers the page on a phone. */
export async function inDrawer(page: Page, act: (drawer: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox' }).click();
  const drawer = page.getByRole('complementary', { name: 'Sandbox' });
  await act(drawer);
  await drawer.getByRole('button', { name: 'Close' }).click();
}

/** Controls the mock with the drawer in the page. */
const byDrawer: Pick<Shop, 'act' | 'advance' | 'setOnline'> = {
  act: (page, orderId, action) =>
    inDrawer(page, async (drawer) => {
      const link = page.getByRole('link', { name: orderId });
      const order = drawer.getByRole('listitem').filter({ has: link });
      await order.getByRole('button', { name: buttons[action], exact: true }).click();
    }),
  advance: (page, by) =>
    inDrawer(page, (drawer) => drawer.getByRole('button', { name: `Advance ${by}` }).click()),
  setOnline: (page, isOnline) =>
    inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).setChecked(!isOnline)),
};

/** Controls the server with its sandbox routes, and the connection with the browser. */
function byRoutes(publicUrl: string): typeof byDrawer {
  async function control(path: string, body: object = {}) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${publicUrl}/sandbox/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  }
  return {
    act: (_page, orderId, action) => control(`orders/${orderId}/${action}`),
    advance: (_page, by) => control('advance', { by }),
    setOnline: (page, isOnline) => page.context().setOffline(!isOnline),
  };
}

/** Builds the shop for a backend and serves it on a free port. */
export async function startShop(backend: Backend): Promise<Shop> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'storefront-'));
  resources.defer(() => rm(folder, { recursive: true }));
  const base = storefront(backend);
  const config: InlineConfig = {
    ...base,
    configFile: false,
    logLevel: 'warn',
    build: { ...base.build, outDir: folder, emptyOutDir: true },
    preview: { host: '127.0.0.1', port: 0 },
  };
  vi.stubEnv('NODE_ENV', 'production');
  await build(config);
  vi.unstubAllEnvs();
  let controls = byDrawer;
  if (backend === 'server') {
    const sandbox = resources.use(
      await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' })),
    );
    config.plugins = [
      topupApi({ baseUrl: sandbox.baseUrl, apiKey: sandbox.sandboxKey ?? '', rateLimit: false }),
    ];
    controls = byRoutes(sandbox.publicUrl);
  }
  const served = await preview(config);
  resources.defer(() => served.close());
  const [url = ''] = served.resolvedUrls?.local ?? [];
  const owned = resources.move();
  return { url, folder, ...controls, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Provides a shop and a browser for all tests of a file. */
export function shopForTests(backend: Backend, viewport: { width: number; height: number }) {
  const browser = browserForTests();
  let shop: Shop | undefined;
  const running = (): Shop => {
    if (!shop) throw new Error('the shop is not served yet');
    return shop;
  };
  beforeAll(async () => {
    shop = await startShop(backend);
  }, 30_000);
  afterAll(() => shop?.[Symbol.asyncDispose]());
  return {
    shop: running,
    /** Opens a screen in a new browser context, whose language is Indonesian. */
    visit: async (path = '', { locale = 'id-ID', hurried = true } = {}): Promise<Page> =>
      (await browser.open(running().url + path, { viewport, locale, hurried, reducedMotion: 'reduce' })).page,
  };
}

export type ShopForTests = ReturnType<typeof shopForTests>;
