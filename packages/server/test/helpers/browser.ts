import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { browserAddress } from '../../../../test/shared.ts';
import type { RunningServer } from '../../src/index.ts';
import { startConsole } from './console.ts';
import { startSandbox } from './sandbox.ts';

/** The Chromium of the whole test run. Closing the returned object closes its contexts, not the browser. */
export const connectBrowser = async (): Promise<Browser> => chromium.connect(await browserAddress());

interface OpenOptions extends BrowserContextOptions {
  /** `false` keeps the real length of a page's timers, such as the one between two requests. */
  hurried?: boolean;
}

/** Makes timers of about a second ten times as fast. Longer ones, such as timeouts, are not changed. */
const hurry = () => {
  const { setTimeout } = globalThis;
  const shortened = (time = 0): number => (time >= 500 && time <= 10_000 ? time / 10 : time);
  Object.assign(globalThis, {
    setTimeout: (work: () => void, time?: number, ...given: []) =>
      setTimeout(work, shortened(time), ...given),
  });
};

/** Makes the clock of an open page ten times as fast from now on. */
export const hurryClock = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { now } = Date;
    const begin = now();
    Date.now = () => begin + (now() - begin) * 10;
  });

/** Opens a page with the size of a phone, in its own context, and records its errors and requests. */
async function openPage(browser: Browser, url: string, { hurried = true, ...options }: OpenOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  if (hurried) await context.addInitScript(hurry);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A page that is left gives its requests up.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`);
  });
  await page.goto(url);
  return {
    page,
    complaints,
    requests,
    /** Hurries the pages that come after this one. */
    hurryNext: () => context.addInitScript(hurry),
  };
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Accessibility violations that axe finds, light and dark. The page must have been opened with `bypassCSP`. */
export async function axeViolations(page: Page): Promise<string[]> {
  // axe is a script, and the page's policy allows only its own scripts.
  await page.addScriptTag({ path: axePath });
  const found: string[] = [];
  // The dark page differs from the light one only in its colours.
  for (const [colorScheme, rules] of [
    ['light', '{}'],
    ['dark', '{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
      `axe.run(${rules}).then(({ violations }) => violations)`,
    );
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map(({ html }) => html)}`),
    );
  }
  return found;
}

/** The widths of a small phone, a phone and a desktop at which a page scrolls horizontally. */
export async function widthsTooNarrow(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')) found.push(width);
  }
  return found;
}

/**
 * What is hard to use on a small phone: sections out of sight, stacked tables that scroll on their own, and buttons below the 24 px of
 * WCAG 2.2 (2.5.8).
 */
export async function phoneFaults(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 740 });
  return page.evaluate(`[
    ...[...document.querySelectorAll('nav.side a')]
      .filter((link) => link.getBoundingClientRect().right > innerWidth)
      .map((link) => link.textContent + ' is out of sight'),
    ...[...document.querySelectorAll('.scroll:has(> .stacks)')]
      .filter((table) => table.scrollWidth > table.clientWidth)
      .map((table) => table.getAttribute('aria-label') + ' scrolls'),
    ...[...document.querySelectorAll('main button, main .button')]
      .filter((button) => button.offsetWidth > 0 && Math.min(button.offsetWidth, button.offsetHeight) < 24)
      .map((button) => button.title + button.textContent + ' is small'),
  ]`);
}

/** Opens pages for the tests of a file, each in its own context. */
export function useBrowser() {
  let browser: Browser | undefined;
  const connected = (): Browser => {
    if (!browser) throw new Error('the browser is not there yet');
    return browser;
  };
  beforeAll(async () => {
    browser = await connectBrowser();
  }, 30_000);
  const closePages = async (): Promise<void> => {
    await Promise.all(
      connected()
        .contexts()
        .map((context) => context.close()),
    );
  };
  /**
   * A server whose end closes all pages first: Chromium keeps the connections that it no longer needs, and a server that stops waits
   * a second for them.
   */
  const closingPages = <Server extends AsyncDisposable>(server: Server): Server => ({
    ...server,
    async [Symbol.asyncDispose]() {
      await closePages();
      await server[Symbol.asyncDispose]();
    },
  });
  afterEach(closePages);
  afterAll(() => browser?.close());
  // A browser starts a process for each page, which can take seconds on a busy machine.
  vi.setConfig({ testTimeout: 30_000 });
  return {
    open: (url: string, options?: OpenOptions) => openPage(connected(), url, options),
    startSandbox: async (...settings: Parameters<typeof startSandbox>): Promise<RunningServer> =>
      closingPages(await startSandbox(...settings)),
    startConsole: async (...settings: Parameters<typeof startConsole>) =>
      closingPages(await startConsole(...settings)),
  };
}

/**
 * One page for the tests of a `describe`, which go from address to address with it: the browser starts a process for each page.
 * The page's complaints are those since it went to its last address.
 */
export function usePage(options: OpenOptions) {
  let browser: Browser | undefined;
  let opened: Awaited<ReturnType<typeof openPage>> | undefined;
  beforeAll(async () => {
    browser = await connectBrowser();
    opened = await openPage(browser, 'about:blank', options);
  }, 30_000);
  afterAll(() => browser?.close());
  return async (url: string) => {
    if (!opened) throw new Error('the page is not there yet');
    opened.complaints.length = 0;
    await opened.page.goto(url);
    return opened;
  };
}

/** The page polls every few seconds, and the machine may be busy. */
export const soon = { timeout: 15_000 };

/** Waits until a payment page shows a status. */
export const showsStatus = (page: Page, words: string) =>
  expect.poll(() => page.locator('.status strong').textContent(), soon).toBe(words);

/** Advances the clock of the sandbox, which then runs due work at once. */
export async function advance(server: RunningServer, by: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ by });
  const response = await fetch(`${server.publicUrl}/sandbox/advance`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}
