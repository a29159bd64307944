import { createRequire } from 'node:module';
import packagedChromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { RunningServer } from '../../src/index.ts';
import { fixtureOrder } from './sandbox.ts';

/** Keeps the browser from looking for anything outside this machine. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * Flags of the packaged browser that a test must not have: one process for all pages makes it fall over when a page
 * closes, and what a real browser would refuse must be refused.
 */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

/** Real Chromium: the one that TOPUP_TEST_CHROMIUM names, else the one from the npm registry. */
export async function launchBrowser(): Promise<Browser> {
  // Software WebGL, which no page of ours has, costs most of the time.
  packagedChromium.setGraphicsMode = false;
  return chromium.launch({
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    args: [...packagedChromium.args.filter((flag) => !unwanted.includes(flag)), ...quiet],
    headless: true,
  });
}

/** Opens a page as a phone does, in a context of its own, and notes what it complains of. */
async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  await page.goto(url);
  return { page, complaints };
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong with a page, light and dark; the page must have been opened with `bypassCSP`. */
export async function axeViolations(page: Page): Promise<string[]> {
  // axe is a script, and the page's own policy allows none but its own.
  await page.addScriptTag({ path: axePath });
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
      'axe.run().then(({ violations }) => violations)',
    );
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map(({ html }) => html)}`),
    );
  }
  return found;
}

/** The widths, of a small phone, a phone and a desk, at which a page must be scrolled sideways. */
export async function widthsTooNarrow(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')) found.push(width);
  }
  return found;
}

/** Opens pages in one browser for all tests of a file, each in a context of its own. */
export function useBrowser() {
  let browser: Browser | undefined;
  const launched = (): Browser => {
    if (!browser) throw new Error('the browser is not launched yet');
    return browser;
  };
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 30_000);
  afterEach(() =>
    Promise.all(
      launched()
        .contexts()
        .map((context) => context.close()),
    ),
  );
  afterAll(() => browser?.close());
  // A browser starts a process for each page, which takes seconds on a busy machine.
  vi.setConfig({ testTimeout: 30_000 });
  return {
    open: (url: string, options?: BrowserContextOptions) => openPage(launched(), url, options),
  };
}

/** The page asks every few seconds; the machine may be busy. */
export const soon = { timeout: 15_000 };

/** Waits until a payment page shows a status. */
export const showsStatus = (page: Page, words: string) =>
  expect.poll(() => page.locator('.status strong').textContent(), soon).toBe(words);

/** Places the fixture's order, or another, and gives what the interface says of it. */
export async function placeOrder(server: RunningServer, over: object = {}) {
  const answer = await fetch(`${server.baseUrl}/order`, {
    method: 'POST',
    headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fixtureOrder, ...over }),
  });
  return (await answer.json()).data;
}

/** Lets something happen to an order, away from its page. */
export const happen = (server: RunningServer, { order_id }: { order_id: string }, action: string) =>
  fetch(`${server.publicUrl}/sandbox/orders/${order_id}/${action}`, { method: 'POST' });
