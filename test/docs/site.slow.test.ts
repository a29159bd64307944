import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorCodes } from '@topup-kit/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { brokenLinks } from '../../scripts/check-links.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const { open } = useBrowser();
let folder: string;
let host: Server;
let address: string;

/** Builds the site as `pnpm docs:build` does, and serves it as any static host would. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'));
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', folder], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  host = createServer(async ({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://host').pathname);
    const file = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path)).catch(
      () => undefined,
    );
    response.writeHead(file ? 200 : 404, { 'Content-Type': types[extname(path)] ?? 'text/html' });
    response.end(file);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => host.once('listening', listening));
  // Safe: a server that listens on a port has such an address.
  address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}, 240_000);
afterAll(async () => {
  host?.closeAllConnections();
  host?.close();
  await rm(folder, { recursive: true });
});

const pages = (): string[] =>
  globSync('**/*.html', { cwd: folder }).filter((page) => !/^(404|source\/|playground\/)/.test(page));

it('contains no broken links, and no links to placeholders', () => {
  expect(pages().length).toBeGreaterThan(50);
  expect(brokenLinks(folder)).toEqual([]);
});

it('contains pages for language models, with valid links', async () => {
  const texts = await Promise.all(
    ['llms.txt', 'llms-full.txt'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  const links = texts.join('').matchAll(/\]\((\/[^)\s#]*)(#[^)\s]*)?\)/g);
  const paths = new Set([...links].map(([, path = '']) => (path === '/' ? '/index.html' : path)));
  expect(paths).toContain('/docs/errors.md');
  expect([...paths].filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

it('serves the collection for Postman as an unchanged file', async () => {
  const path = 'examples/collections/postman/topup-kit.postman_collection.json';
  const response = await fetch(`${address}/${path}`);
  expect(await response.text()).toBe(await readFile(join(root, path), 'utf8'));
});

it('shows the files that its guides name', async () => {
  const { page, requests } = await open(`${address}/docs/deployment.html`, {
    viewport: { width: 1280, height: 800 },
  });
  await page.getByRole('link', { name: 'nginx.conf' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'nginx.conf' }).waitFor();
  const shown = (await page.locator('.vp-doc pre code').textContent()) ?? '';
  const nginx = await readFile(join(root, 'examples/deployment/nginx.conf'), 'utf8');
  expect(shown.trim()).toBe(nginx.trim());
  expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
});

/** Takes away the 200 ms for which the search waits for more letters. */
const searchAtOnce = () => {
  const { setTimeout } = globalThis;
  Object.assign(globalThis, {
    setTimeout: (work: () => void, ms = 0, ...given: []) => setTimeout(work, ms === 200 ? 0 : ms, ...given),
  });
};

it('finds each error code, a setting and the quick start', async () => {
  const { page } = await open('about:blank', { viewport: { width: 1280, height: 800 } });
  await page.addInitScript(searchAtOnce);
  await page.goto(`${address}/`);
  await page.locator('.DocSearch-Button').click();
  const first = page.locator('.VPLocalSearchBox .result').first();
  const searches: [words: string, address: string][] = [
    ...errorCodes.map((code): [string, string] => [code, `/docs/errors.html#${code.toLowerCase()}`]),
    ['quick start', '/#quick-start'],
    ['TOPUP_RETURN_ORIGINS', '/docs/settings.html#settings-of-the-server'],
  ];
  for (const [words, found] of searches) {
    await page.locator('.VPLocalSearchBox input').fill(words);
    await expect
      .poll(() => first.getAttribute('href'), { message: words, timeout: 5_000, interval: 10 })
      .toBe(found);
  }
}, 120_000);

/**
 * What is too wide on each page, at 1280 pixels and on phones: tables, words that break in a table, and the page itself. The pages are
 * shown in a frame, because to change its width costs nothing, and that of the browser's window as much as a page.
 */
async function findTooWide(paths: string[]): Promise<string[]> {
  const frame = document.createElement('iframe');
  frame.height = '800';
  document.body.append(frame);
  const found: string[] = [];
  const brokenWords = (shown: Document): string[] => {
    const broken: string[] = [];
    for (const cell of shown.querySelectorAll('.vp-doc :is(td, th)')) {
      const texts = shown.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
          const range = shown.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
          if (lines.some(({ top }) => Math.abs(top - (lines[0]?.top ?? 0)) > 6)) broken.push(word);
        }
    }
    return broken;
  };
  for (const path of paths) {
    frame.width = '1280';
    await new Promise((loaded) => {
      frame.onload = loaded;
      frame.src = `/${path}`;
    });
    const { contentDocument: shown, contentWindow } = frame;
    if (!shown || !contentWindow) throw new Error(`${path} is not shown`);
    for (const width of ['1280', '390', '360']) {
      frame.width = width;
      if (shown.documentElement.scrollWidth > contentWindow.innerWidth) found.push(`${path}: ${width} px`);
      if (width === '360') continue;
      const tables = [...shown.querySelectorAll('.vp-doc table')].filter((table) => {
        const { right } = table.getBoundingClientRect();
        const edge = table.closest('.vp-doc')?.getBoundingClientRect().right ?? 0;
        return right > edge + 1 || table.scrollWidth > table.clientWidth + 1;
      });
      if (tables.length > 0) found.push(`${path}: ${tables.length} tables at ${width} px`);
      const words = brokenWords(shown);
      if (words.length > 0)
        found.push(`${path}: ${words.length} words broken at ${width} px, such as ${words[0]}`);
    }
  }
  return found;
}

it('cuts off no table and breaks no word in a table, at 1280 pixels and on a phone, without sideways scrolling', async () => {
  const { page } = await open(`${address}/404.html`, { viewport: { width: 1400, height: 900 } });
  // What is laid out is in the HTML, and to start the scripts of all pages takes a minute.
  await page.route('**/*.js', (route) => route.abort());
  expect(await page.evaluate(findTooWide, pages())).toEqual([]);
}, 120_000);
