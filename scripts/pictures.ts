import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Locale } from '@topup-kit/core/contract';
import { type Browser, chromium } from 'playwright-core';
import { consoleStyle } from '../packages/server/src/features/console/style.ts';
import { type RunningServer, readConfig, startServer } from '../packages/server/src/index.ts';
import { launchBrowser } from './browser.ts';

/** Folder with the pictures of the guide, and with the content of their pages when they were taken. */
export const picturesFolder = join(import.meta.dirname, '..', 'docs', 'pictures');
export const seenFile = join(picturesFolder, 'seen.json');

/** Pages of a filled sandbox, some of which the guide shows. */
const pages = [
  'overview',
  'orders',
  'order',
  'payments',
  'catalog',
  'events',
  'webhooks',
  'sandbox',
  'requests',
] as const;
type PageName = (typeof pages)[number];
const shown: readonly PageName[] = ['overview', 'order', 'sandbox'];

/** Data of a sandbox's day: each entry lists the events of an order, in their order. */
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

/** Fills a sandbox with the orders of two days. Returns the paths of its pages below the console's path. */
async function fill(server: RunningServer): Promise<Record<PageName, string>> {
  let failed = '';
  for (const day of [0, 1]) {
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
      if (day === 1 && story.includes('fail-delivery') && !story.includes('refund')) failed = String(orderId);
      await post(server, '/sandbox/advance', { by: index % 8 === 7 ? '2h' : '7m' });
    }
    if (day === 0) await post(server, '/sandbox/advance', { by: '15h' });
  }
  return {
    overview: '',
    orders: '/orders',
    order: `/orders/${failed}`,
    payments: '/payments',
    catalog: '/catalog',
    events: '/events',
    webhooks: '/events/webhooks',
    sandbox: '/sandbox',
    requests: '/sandbox/requests',
  };
}

interface Shot {
  path: string;
  name: string;
  width: number;
  height: number;
  theme: 'light' | 'dark';
  locale: Locale;
}

async function take(
  browser: Browser,
  server: RunningServer,
  { path, name, width, height, theme, locale }: Shot,
  into: string,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale });
  const page = await context.newPage();
  await page.goto(server.consoleUrl + path);
  await page.screenshot({ path: join(into, `${name}.png`) });
  await context.close();
}

/** Start of the sandbox's time, so that the second day ends in its evening, regardless of the machine's time. */
const begin = Date.parse('2026-03-28T10:00:00+07:00');

/** Starts a sandbox with two days, which is deleted at the end. */
async function startFilled() {
  const startedAt = Date.now();
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'topup-pictures-'));
  started.defer(() => rm(folder, { recursive: true }));
  const server = started.use(
    await startServer(
      readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: `file:${join(folder, 'topup.db')}`, PORT: '0' }),
      { realClock: () => begin + Date.now() - startedAt },
    ),
  );
  const paths = await fill(server);
  const all = started.move();
  return { server, paths, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Returns the structure and texts of a page, without the parts that differ each time: ids, amounts, times and names of files. */
const outline = (html: string): string =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<time[^>]*>[^<]*/g, '<time>')
    .replace(/[A-Z0-9]{8,}|\d+/g, '#')
    .replace(/<(rect|path|svg)[^>]*>/g, '')
    .replace(/(value|data-position)="[^"]*"/g, '');

/** Returns a hash of each page in the guide's pictures, and a hash of the style of all pages. */
export async function readSeen(): Promise<Record<string, string>> {
  await using filled = await startFilled();
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const seen: Record<string, string> = { style: digest(consoleStyle) };
  for (const name of shown) {
    const response = await fetch(filled.server.consoleUrl + filled.paths[name], {
      headers: { 'Accept-Language': 'en' },
    });
    seen[name] = digest(outline(await response.text()));
  }
  return seen;
}

/** Takes the pictures of the guide, or of every page in both languages, both themes and three widths. */
async function takePictures(folder: string | undefined): Promise<void> {
  const launched = await launchBrowser();
  try {
    const browser = await chromium.connect(launched.wsEndpoint());
    await using filled = await startFilled();
    const { server, paths } = filled;
    await mkdir(folder ?? picturesFolder, { recursive: true });
    if (folder === undefined)
      for (const name of shown)
        await take(
          browser,
          server,
          {
            path: paths[name],
            name: `console-${name}`,
            width: 1200,
            height: 900,
            theme: 'light',
            locale: 'en',
          },
          picturesFolder,
        );
    else
      for (const name of pages)
        for (const width of [320, 768, 1280])
          for (const [locale, theme] of [
            ['en', 'light'],
            ['en', 'dark'],
            ['id', 'light'],
            ['id', 'dark'],
          ] as const) {
            const shot = {
              path: paths[name],
              name: `${name}-${width}-${theme}-${locale}`,
              width,
              height: 1_600,
            };
            await take(browser, server, { ...shot, theme, locale }, folder);
          }
    await browser.close();
  } finally {
    await launched.close();
  }
}

if (import.meta.main) {
  const [folder] = new Command('pictures')
    .description('Takes the pictures of docs/console.md.')
    .argument('[folder]', 'instead, takes each page, in all languages, themes and widths, into this folder')
    .parse().processedArgs;
  await takePictures(folder);
  if (folder === undefined) await writeFile(seenFile, `${JSON.stringify(await readSeen(), null, 2)}\n`);
}
