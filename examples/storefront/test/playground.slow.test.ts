import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser as browserForTests } from '../../../packages/server/test/helpers/browser.ts';
import { inDrawer } from './helpers/shop.ts';
import { buy, expectText, fillCheckout, heading, orderIdOf } from './helpers/visitor.ts';

const example = new URL('../', import.meta.url);
const path = '/some/where/';
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Builds the playground like `pnpm build:playground`, but into another folder. */
async function buildPlayground(folder: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', example), 'utf8'));
  const [, ...args] = scripts['build:playground'].split(' ');
  await promisify(execFile)(process.execPath, [...args, '--outDir', folder], {
    cwd: example,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Serves a folder as a static host: files below a path, and nothing else. Returns its address, and the requested paths without a file. */
async function serveFolder(folder: string) {
  const missing: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const name = normalize(pathname.slice(path.length)) === '.' ? 'index.html' : pathname.slice(path.length);
    const file = pathname.startsWith(path) && request.method === 'GET' && join(folder, normalize(name));
    const content = file && (await readFile(file).catch(() => undefined));
    if (!content) missing.push(`${request.method} ${pathname}`);
    response.writeHead(content ? 200 : 404, { 'Content-Type': types[extname(name)] ?? 'text/plain' });
    response.end(content || 'Not found');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    missing,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

const { open } = browserForTests();
let folder: string;
let host: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playground-'));
  await buildPlayground(folder);
  host = await serveFolder(folder);
}, 120_000);
afterAll(async () => {
  await host?.close();
  await rm(folder, { recursive: true });
});

it('runs the whole service in the tab, from a static host below a path, even after a reload', async () => {
  const { page, complaints, requests } = await open(`${host.url}#/games/mobile-legends`, { locale: 'id-ID' });
  await heading(page, 'Mobile Legends: Bang Bang');
  await fillCheckout(page, { method: /^DANA/ });
  await buy(page);
  await heading(page, 'Selesaikan pembayaran');
  const orderId = orderIdOf(page);
  await page.getByRole('link', { name: 'Bayar dengan DANA' }).click();
  await heading(page, 'Dompet contoh');
  expect(page.url()).toMatch(new RegExp(`^${host.url}#/wallet/`));
  await page.getByRole('button', { name: 'Bayar', exact: true }).click();
  await expectText(page, 'Dibayar.');
  await page.getByRole('link', { name: 'Kembali ke toko' }).click();
  await inDrawer(page, (drawer) => drawer.getByRole('button', { name: 'Advance 5m' }).click());
  await expectText(page, 'Pesanan sudah masuk ke akunmu.');
  expect(await page.locator('.item-picture').evaluate((picture: HTMLImageElement) => picture.decode())).toBe(
    undefined,
  );

  await page.reload();
  await expectText(page, 'Pesanan sudah masuk ke akunmu.');
  await expectText(page, new RegExp(`SN-${orderId}-1-1`));
  await page.getByRole('link', { name: 'Kilat, ke beranda' }).click();
  await expectText(page, 'Sedang populer');

  const { origin } = new URL(host.url);
  expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  expect(host.missing).toEqual([]);
  // Chromium reports some requests that the service worker answered as aborted, although the page got the responses.
  expect(complaints.filter((complaint) => !complaint.startsWith(`${host.url}api/`))).toEqual([]);
});

it('uses only paths that are relative to the page', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const paths = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, found]) => found ?? '');
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter((found) => !/^(\.\/|data:)/.test(found))).toEqual([]);
});
