import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AppSettings, defaultLimits } from '@topup-kit/core/app';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
import { readConfig, startServer } from '../src/index.ts';
import { createRootPage } from '../src/pages/root-page.ts';
import { axeViolations, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { liveParts } from './helpers/live-parts.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const { open, startSandbox } = useBrowser();
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Runs a command in the folder of this repository, with the packages as sources. */
const run = async (command: string, args: string[]) =>
  (
    await promisify(execFile)(command, args, {
      env: { ...process.env, NODE_OPTIONS: '--conditions=@topup-kit/source' },
      timeout: 20_000,
    })
  ).stdout;

describe('the page at / of a sandbox', () => {
  it('says what runs here and leads to the API, its document and its health', async () => {
    await using server = await startSandbox();
    const { page, complaints } = await open(server.publicUrl);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Topup Kit server');
    const text = await page.locator('main').textContent();
    const { info } = await (await fetch(`${server.publicUrl}/openapi.json`)).json();
    for (const shown of ['sandbox', info.version, server.baseUrl, server.sandboxKey])
      expect(text).toContain(shown);
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => Object(link).href));
    expect(links.map((link) => link.slice(server.publicUrl.length))).toEqual([
      '/console',
      '/docs',
      '/openapi.json',
      '/health',
    ]);
    for (const link of links) {
      const response = await fetch(link);
      expect(response.status).toBe(200);
      // Else the server, when it stops, waits for its reader.
      await response.body?.cancel();
    }
    expect(complaints).toEqual([]);
  });

  it('has snippets that run as they are', async () => {
    await using server = await startSandbox();
    const { page } = await open(server.publicUrl);
    const snippet = async (id: string) => (await page.locator(`#${id}`).textContent()) ?? '';

    const [, header = '', url = ''] = /^curl -H '(.+)' \\\n\s+(\S+)$/.exec(await snippet('curl')) ?? [];
    const [name = '', value = ''] = header.split(': ');
    const { games } = await (await fetch(url, { headers: { [name]: value } })).json();
    expect(games.length).toBeGreaterThan(10);

    for (const id of ['sdk', 'mock']) {
      const printed = await run(process.execPath, ['--input-type=module', '-e', await snippet(id)]);
      expect(printed).toContain('Mobile Legends: Bang Bang');
    }
  });

  it('copies a snippet to the clipboard', async () => {
    await using server = await startSandbox();
    const { page } = await open(server.publicUrl);
    const copied = await ownClipboard(page);
    await page.getByRole('button', { name: 'Copy the command' }).click();
    await page.getByText('Copied').waitFor();
    expect(await copied()).toBe(await page.locator('#curl').textContent());
  });

  it.each([undefined, '*/*', 'application/json'])(
    'is a few lines of JSON for a program that accepts %s',
    async (accept) => {
      await using server = await startSandbox();
      const response = await fetch(server.publicUrl, accept === undefined ? {} : { headers: { accept } });
      expect(response.status).toBe(200);
      expect(response.headers.get('vary')).toBe('Accept');
      const { name, mode, base_url, docs, openapi } = await response.json();
      expect([name, mode]).toEqual(['Topup Kit server', 'sandbox']);
      const games = await fetch(`${base_url}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } });
      expect((await games.json()).success).toBe(true);
      expect((await (await fetch(openapi)).json()).openapi).toBe('3.1.1');
      expect(await (await fetch(docs)).text()).toContain('<!doctype html>');
    },
  );

  it('allows only its own script, by its policy, and differs by Accept', async () => {
    await using server = await startSandbox();
    const { headers } = await fetch(server.publicUrl, { headers: { accept: browserAccept } });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('vary')).toBe('Accept');
  });

  it('has no accessibility violations, light and dark, and no horizontal scrolling', async () => {
    await using server = await startSandbox();
    const { page } = await open(server.publicUrl, { bypassCSP: true });
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
  });
});

describe('the page at / of a sandbox, asked for from another machine or from outside its container', () => {
  const settings: AppSettings = {
    publicUrl: 'http://127.0.0.1:4000',
    basePath: '/api',
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    limits: defaultLimits,
  };
  const elsewhere = { address: '172.17.0.1', direct: false };
  const pageAt = async (publicUrl: string, { accept = browserAccept, takesLogins = false } = {}) =>
    (
      await createRootPage({ ...settings, publicUrl }, 'sandbox', {
        url: 'https://shop.example/console',
        takesLogins,
      })(new Request('http://localhost/', { headers: { Host: '192.0.2.7:4100', Accept: accept } }), elsewhere)
    ).text();

  it('has the address that was asked for, and snippets with a key that works from there', async () => {
    const page = await pageAt(settings.publicUrl);
    expect(page).not.toContain('tk_test_sandbox');
    expect(page).not.toContain('127.0.0.1:4000');
    expect(page).toContain('<code>http://192.0.2.7:4100/api</code>');
    expect(page).toContain(
      'curl -H &quot;X-API-KEY: $TOPUP_API_KEY&quot; \\\n  http://192.0.2.7:4100/api/games',
    );
    expect(page).toContain('apiKey: process.env.TOPUP_API_KEY,');
    expect(page).toContain('The well-known sandbox key does not work from where you are');
  });

  it('leads to the console only where operators can log in', async () => {
    expect(await pageAt(settings.publicUrl)).not.toContain('/console');
    expect(await pageAt(settings.publicUrl, { takesLogins: true })).toContain(
      'href="https://shop.example/console"',
    );
    const program = { accept: '*/*', takesLogins: true };
    expect(JSON.parse(await pageAt(settings.publicUrl, program))).toMatchObject({
      console: 'https://shop.example/console',
    });
  });

  it('names addresses that work from there to a program, too', async () => {
    expect(JSON.parse(await pageAt(settings.publicUrl, { accept: '*/*' }))).toMatchObject({
      base_url: 'http://192.0.2.7:4100/api',
      docs: 'http://192.0.2.7:4100/docs',
    });
  });

  it('keeps a public URL that was set', async () => {
    expect(await pageAt('https://shop.example')).toContain('https://shop.example/api/games');
  });
});

it('the page at / of a live server says so, and shows no key', async () => {
  await using folder = await temporaryFolder();
  const catalog = join(folder.path, 'catalog.json');
  await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
  const environment = { TOPUP_STORE: `file:${folder.path}/topup.db`, TOPUP_CATALOG: catalog, PORT: '0' };
  await using server = await startServer(readConfig(environment), liveParts);
  const html = await (await fetch(server.publicUrl, { headers: { accept: browserAccept } })).text();
  expect(html).toContain('<span class="mode">live</span>');
  expect(html).not.toMatch(/tk_(test|live)_|curl/);
});
