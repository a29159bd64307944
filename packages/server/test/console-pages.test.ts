import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { axeViolations, phoneFaults, useBrowser, usePage } from './helpers/browser.ts';
import { ask, hiddenFields, startConsole } from './helpers/console.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const paths = [
  '',
  '/orders',
  '/payments',
  '/catalog',
  '/catalog/edits',
  '/catalog/promos',
  '/events',
  '/events/webhooks',
  '/sandbox',
  '/sandbox/requests',
];

/** An order in each state that an operator has work with. */
async function fill(server: RunningServer): Promise<string[]> {
  const stories = [[], ['pay'], ['pay', 'fail-delivery'], ['pay', 'lose-delivery'], ['expire', 'pay-late']];
  const ids: string[] = [];
  for (const story of stories) {
    const order = await placeOrder(server, { promo_code: undefined });
    for (const action of story) await happen(server, order, action);
    ids.push(order.order_id);
  }
  return ids;
}

const open = useBrowser();
const english = { locale: 'en', bypassCSP: true } as const;

/** A sandbox for tests that only look at it. */
function useSandbox(
  prepare: (server: RunningServer) => Promise<unknown> = async () => {},
): () => RunningServer {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await startSandbox();
    await prepare(server);
  });
  afterAll(() => server?.close());
  return () => server ?? expect.fail('the sandbox is not there yet');
}

describe('a page of the console', () => {
  const sandbox = useSandbox();

  it.each(paths)("shows %s in the visitor's language, and forbids all foreign content", async (path) => {
    for (const locale of ['id', 'en']) {
      const response = await fetch(`${sandbox().consoleUrl}${path}`, {
        headers: { 'Accept-Language': locale },
      });
      expect([response.status, response.headers.get('content-language')]).toEqual([200, locale]);
      expect(await response.text()).toContain(`<html lang="${locale}">`);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    }
  });
});

describe('the pages of the console', () => {
  it('limits the first view to 80 kB, and the script to 40 kB', async () => {
    await using server = await startSandbox();
    await fill(server);
    for (const path of paths) {
      const page = await (await fetch(`${server.consoleUrl}${path}`)).text();
      const files = [...page.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(([, file = '']) => file);
      expect(files).toHaveLength(2);
      const [style = '', script = ''] = await Promise.all(
        files.map(async (file) => (await fetch(new URL(file, server.publicUrl))).text()),
      );
      const weigh = (text: string): number => gzipSync(text).length;
      expect(weigh(script)).toBeLessThan(40_000);
      expect(weigh(page) + weigh(style) + weigh(script)).toBeLessThan(80_000);
    }
  });

  it('lets browsers cache files permanently, because each new version has new names', async () => {
    await using server = await startSandbox();
    const page = await (await fetch(`${server.consoleUrl}`)).text();
    const [, style = ''] = /href="([^"]+\.css)"/.exec(page) ?? [];
    const response = await fetch(new URL(style, server.publicUrl));
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${server.consoleUrl}/files/console-0.css`)).status).toBe(404);
  });

  it('reports an unknown page', async () => {
    await using server = await startSandbox();
    const response = await fetch(`${server.consoleUrl}/nothing`, { headers: { 'Accept-Language': 'en' } });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no such page.');
  });

  it('shows no buttons to read-only visitors', async () => {
    await using live = await startConsole({ TOPUP_CONSOLE: 'read' });
    const cookie = await live.logIn();
    for (const path of ['', '/orders', '/catalog', '/catalog/promos', '/events', '/events/webhooks']) {
      const { status, text } = await live.ask(path, { cookie });
      expect(status).toBe(200);
      expect(text).toContain('read only');
      expect(text).not.toMatch(/\/(set-price|lock|close|disable|replay|resend)\b/);
    }
  });

  it('shows no sandbox in live mode', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    expect((await live.ask('', { cookie })).text).not.toContain('/console/sandbox');
    expect((await live.ask('/sandbox', { cookie })).status).toBe(404);
  });

  it('never redirects to another site after an action', async () => {
    await using server = await startSandbox();
    const path = `${server.consoleUrl}/catalog/products/ML86/lock`;
    const foreign = ['//evil.example', 'https://evil.example', '/\\evil.example', '/x//evil.example'];
    // These can't be in a header: the action is done, and must not end with an error.
    const unfit = [
      '/catalog\r\nX-Evil: 1',
      '/catalog\n',
      '/catalog?q=\u0000',
      '/catalog?q=💎',
      '/catalog?q=a b',
    ];
    for (const from of [...foreign, ...unfit]) {
      const fields = hiddenFields(await ask(path));
      const { status, headers } = await ask(path, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        form: { ...fields, step: 'perform', note: 'a test', from },
      });
      // A NUL is dropped, as from every field of a form.
      const place = from === '/catalog?q=\u0000' ? '/console/catalog' : '/console';
      expect([status, headers.location]).toEqual([
        303,
        `${place}?done=%2Fcatalog%2Fproducts%2F%3Acode%2Flock`,
      ]);
    }
  });
});

describe('in a real browser, each page', () => {
  const sandbox = useSandbox(fill);
  const goTo = usePage(english);
  const goToIndonesian = usePage({ locale: 'id' });

  it.each(paths)('shows %s accessibly, light and dark, at each width', async (path) => {
    const { page, complaints } = await goTo(`${sandbox().consoleUrl}${path}`);
    expect(await axeViolations(page)).toEqual([]);
    expect(await phoneFaults(page)).toEqual([]);
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
    }
    expect(complaints).toEqual([]);
    const { page: indonesian } = await goToIndonesian(`${sandbox().consoleUrl}${path}`);
    await indonesian.setViewportSize({ width: 320, height: 640 });
    expect(await indonesian.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});

describe('in a real browser, the console', () => {
  it('can be used with the keyboard', async () => {
    await using server = await open.startSandbox();
    await fill(server);
    const { page } = await open.open(`${server.consoleUrl}/catalog/promos`, english);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/console/catalog');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('INV-');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/orders?q=INV-');
  });

  it('sends a form once, even if its button is pressed twice', async () => {
    await using server = await open.startSandbox();
    const { page } = await open.open(`${server.consoleUrl}/sandbox`, english);
    await page.getByRole('button', { name: '+ 24h' }).dblclick();
    await page.getByText('Done: Move the clock').waitFor();
    expect(await page.locator('.ahead').textContent()).toContain('1 d');
  });

  it('reports an unreachable server, and keeps the input', async () => {
    await using server = await open.startSandbox();
    const { page } = await open.open(`${server.consoleUrl}/catalog/products/ML86/set-price`, english);
    await page.getByLabel('New price').fill('23000');
    await page.getByLabel('Why').fill('a new list');
    await server.close();
    await page.getByRole('button', { name: 'Set price' }).click();
    await page.getByText('The server can’t be reached').waitFor();
    expect(await page.getByLabel('New price').inputValue()).toBe('23000');
  });
});

describe('a list page whose URL contains an unknown filter', () => {
  const sandbox = useSandbox();

  it.each([
    ['/orders', 'payment=PAYD'],
    ['/orders', 'delivery=PAID'],
    ['/orders', 'problem=lost'],
    ['/orders', 'since=yesterday'],
    ['/orders', 'payment_status=PAID'],
    ['/catalog', 'state=open'],
    ['/events', 'outcome=lost'],
    ['/events/webhooks', 'state=lost'],
    ['/sandbox/requests', 'only=error'],
    ['/payments', 'closed=yes'],
  ])('shows nothing of %s for %s, and names the unknown filter', async (path, query) => {
    const response = await fetch(`${sandbox().consoleUrl}${path}?${query}`, {
      headers: { 'Accept-Language': 'en' },
    });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain(query);
    expect(text).not.toContain('<table');
  });

  it('accepts the empty fields of the filter form', async () => {
    const query = 'q=&payment=&delivery=&game=&account=&since=&until=&problem=&save=';
    expect((await fetch(`${sandbox().consoleUrl}/orders?${query}`)).status).toBe(200);
  });
});
