import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type AppSettings, defaultLimits } from '@topup-kit/core/app';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
import { createRootPage } from '../src/pages/root-page.ts';
import { axeViolations, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { startLiveShop } from './helpers/live-shop.ts';

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
  it('explains what runs here, and links to the API, its document and its health', async () => {
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

  it('shows snippets that work', async () => {
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
    'sends a few lines of JSON to a program that accepts %s',
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

  it("allows only the page's own script in its policy, and responds according to Accept", async () => {
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
      await createRootPage({ ...settings, publicUrl }, { url: 'https://shop.example/console', takesLogins })(
        new Request('http://localhost/', { headers: { Host: '192.0.2.7:4100', Accept: accept } }),
        {
          connection: elsewhere,
          locale: 'en',
        },
      )
    ).text();

  it('shows the requested address, and snippets with a key that works from there', async () => {
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

  it('links to the console only if operators can log in', async () => {
    expect(await pageAt(settings.publicUrl)).not.toContain('/console');
    expect(await pageAt(settings.publicUrl, { takesLogins: true })).toContain(
      'href="https://shop.example/console"',
    );
    const program = { accept: '*/*', takesLogins: true };
    expect(JSON.parse(await pageAt(settings.publicUrl, program))).toMatchObject({
      console: 'https://shop.example/console',
    });
  });

  it('sends a program addresses that work from its machine', async () => {
    expect(JSON.parse(await pageAt(settings.publicUrl, { accept: '*/*' }))).toMatchObject({
      base_url: 'http://192.0.2.7:4100/api',
      docs: 'http://192.0.2.7:4100/docs',
    });
  });

  it('keeps a configured public URL', async () => {
    expect(await pageAt('https://shop.example')).toContain('https://shop.example/api/games');
  });
});

describe('the page at / of a live server', () => {
  const named = { TOPUP_SHOP_NAME: 'Toko Rina', TOPUP_SHOP_URL: 'https://rina.example/top-up' };
  const front = async ({ publicUrl }: { publicUrl: string }, language = 'en') =>
    (await fetch(publicUrl, { headers: { accept: browserAccept, 'Accept-Language': language } })).text();

  it("shows a live shop's name, whether it is open, and the link to the storefront", async () => {
    await using shop = await startLiveShop(named);
    const { page, complaints } = await open(shop.server.publicUrl, { locale: 'en', bypassCSP: true });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Toko Rina');
    expect(await page.title()).toBe('Toko Rina');
    expect(await page.locator('main').textContent()).toContain('Orders are accepted and delivered.');
    const link = page.getByRole('link', { name: 'Go to the shop' });
    expect(await link.getAttribute('href')).toBe('https://rina.example/top-up');
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await front(shop.server, 'id')).toMatch(/lang="id"[\s\S]*Pesanan diterima/);
  });

  it('shows a customer no console, key, command or version', async () => {
    await using shop = await startLiveShop({ ...named, TOPUP_CONSOLE: 'act' });
    expect(await front(shop.server)).not.toMatch(/console|tk_(test|live)_|curl|\d+\.\d+\.\d+/i);
  });

  it("uses the shop's host as its name by default, and shows no link without an address", async () => {
    await using shop = await startLiveShop({ TOPUP_PUBLIC_URL: 'https://pay.rina.example' });
    const html = await front({ publicUrl: shop.server.localUrl });
    expect(html).toContain('<h1>pay.rina.example</h1>');
    expect(html).not.toContain('Go to the shop');
    await using unnamed = await startLiveShop();
    expect(await front(unnamed.server)).toContain('<h1>Game top-up shop</h1>');
  });

  it('says that the shop is closed while no game or no payment method is open', async () => {
    for (const closed of ['games', 'payment_methods'] as const) {
      const entries = sandboxCatalog()[closed].map((entry) => ({ ...entry, status: false }));
      const file = { format: 'topup-kit/catalog@1', ...sandboxCatalog(), [closed]: entries };
      await using shop = await startLiveShop({}, file);
      const html = await front(shop.server);
      expect(html).toContain('New orders can’t be accepted yet');
      expect(html).not.toContain('Orders are accepted');
    }
  });

  it('tells a program that the server is live, and lists its addresses', async () => {
    await using shop = await startLiveShop(named);
    const summary = await (await fetch(shop.server.publicUrl)).json();
    expect(summary).toMatchObject({ name: 'Topup Kit server', mode: 'live', base_url: shop.server.baseUrl });
  });
});
