import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { type RunningServer, readConfig, startServer } from '../packages/server/src/index.ts';
import { launchBrowser } from './browser.ts';

// Takes the pictures of docs/console.md: `pnpm pictures`. With a folder, each page in both themes and three widths: `pnpm pictures /tmp/look`.

const folder = process.argv[2];

/** What a sandbox of a day looks like: each entry is what happens to an order, in its order. */
const stories = [
  ...Array.from({ length: 14 }, () => ['pay', 'deliver']),
  ['pay', 'fail-delivery'],
  ['pay', 'lose-delivery'],
  ['pay', 'deliver', 'contradict-delivery'],
  ['pay'],
  ['expire'],
  ['expire', 'pay-late'],
  ['fail'],
  ['pay', 'fail-delivery', 'refund'],
  [],
  [],
];

const methods = [12, 12, 12, 13, 17, 19];
const products = [901, 901, 903];

async function post(
  server: RunningServer,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(server.publicUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': server.sandboxKey ?? '' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  // Safe: each route of a sandbox responds with an object.
  return JSON.parse(text).data as Record<string, unknown>;
}

/** Fills a sandbox with the orders of two days. Returns the id of one with a long story. */
async function fill(server: RunningServer): Promise<string> {
  let shown = '';
  for (const day of [0, 1])
    for (const [index, story] of stories.entries()) {
      const { order_id: orderId } = await post(server, '/api/order', {
        id: String(12_345_678 + index),
        server: '2012',
        game: 'mobile-legends',
        product_id: products[index % products.length],
        payment_method_id: methods[index % methods.length],
        whatsapp: `0812345678${10 + index}`,
        quantity: 5 - (index % 3),
      });
      for (const action of story) await post(server, `/sandbox/orders/${orderId}/${action}`);
      if (day === 1 && story.includes('fail-delivery') && !story.includes('refund')) shown = String(orderId);
      await post(server, '/sandbox/advance', { by: index % 8 === 7 ? '2h' : '7m' });
    }
  return shown;
}

interface Shot {
  page: string;
  name: string;
  width: number;
  theme: 'light' | 'dark';
}

async function take(
  browser: Browser,
  server: RunningServer,
  { page: path, name, width, theme }: Shot,
  into: string,
) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: 'en',
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  await page.goto(server.publicUrl + path);
  await page.screenshot({ path: join(into, `${name}.png`), fullPage: folder !== undefined });
  await context.close();
}

const store = await mkdtemp(join(tmpdir(), 'topup-pictures-'));
const launched = await launchBrowser();
try {
  const browser = await chromium.connect(launched.wsEndpoint());
  await using server = await startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: `file:${join(store, 'topup.db')}`, PORT: '0' }),
  );
  const order = await fill(server);
  const pages: [name: string, path: string][] = [
    ['overview', '/console'],
    ['orders', '/console/orders'],
    ['order', `/console/orders/${order}`],
    ['payments', '/console/payments'],
    ['catalog', '/console/catalog'],
    ['events', '/console/events'],
    ['sandbox', '/console/sandbox'],
  ];
  const into = folder ?? join(import.meta.dirname, '..', 'docs', 'pictures');
  await mkdir(into, { recursive: true });
  for (const [name, path] of pages)
    if (folder === undefined)
      await take(browser, server, { page: path, name: `console-${name}`, width: 1200, theme: 'light' }, into);
    else
      for (const width of [390, 768, 1280])
        for (const theme of ['light', 'dark'] as const)
          await take(browser, server, { page: path, name: `${name}-${width}-${theme}`, width, theme }, into);
  await browser.close();
} finally {
  await launched.close();
  await rm(store, { recursive: true });
}
