import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { launchBrowser } from './helpers/browser.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 30_000);
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(() => browser.close());

// A browser starts a process for each page, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

async function createOrder(server: RunningServer, over: object = {}) {
  const answer = await fetch(`${server.baseUrl}/order`, {
    method: 'POST',
    headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fixtureOrder, email: 'player@shop.example', ...over }),
  });
  return (await answer.json()).data;
}

/** Opens a page as a phone does, and notes what it complains of. */
async function open(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  await page.goto(url);
  return { page, complaints };
}

describe('the payment page', () => {
  it('shows what to pay, how and until when, in real Chromium', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await createOrder(server);
    const { page, complaints } = await open(order.payment_url);
    const text = await page.textContent('main');
    for (const shown of [
      '86 Diamond',
      'Mobile Legends: Bang Bang',
      'Waiting for payment',
      'Rp 40,000',
      '2 × Rp 22,000',
      '-Rp 4,000',
      order.order_id,
      '12345678 (2012)',
      'Pay before',
      'no real money moves',
    ])
      expect(text).toContain(shown);
    const qr = page.getByAltText('QR code to pay this order');
    expect(await qr.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(
      true,
    );
    expect(complaints).toEqual([]);
  });

  it('shows neither phone number nor e-mail address', async () => {
    await using server = await startSandbox();
    const html = await (await fetch((await createOrder(server)).payment_url)).text();
    expect(html).not.toContain('081234567890');
    expect(html).not.toContain('player@shop.example');
  });

  it.each([
    ['QRIS', 12],
    ['a virtual account', 13],
    ['a shop', 17],
    ['an e-wallet', 19],
    ['a bank transfer', 21],
  ])(
    'has no accessibility violations and no sideways scrolling for %s, light and dark',
    async (_, method) => {
      await using server = await startSandbox();
      const { payment_url } = await createOrder(server, { payment_method_id: method });
      // axe is a script, and the page's own policy allows none.
      const { page, complaints } = await open(payment_url, { bypassCSP: true });
      await page.addScriptTag({ path: axePath });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const violations: { id: string }[] = await page.evaluate(
          'axe.run().then(({ violations }) => violations)',
        );
        expect(violations.map(({ id }) => id)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
        expect(complaints).toEqual([]);
      }
    },
  );

  it('runs no script, whatever is written into an order', async () => {
    await using server = await startSandbox();
    const { payment_url } = await createOrder(server, {
      id: '<script>document.title="x"</script><img src=x onerror=alert(1)>',
    });
    const answer = await fetch(payment_url);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('script-src');
    const html = await answer.text();
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;script&gt;');
  });

  it('says that the time is over once it is, and no longer what to pay to', async () => {
    const clock = { now: Date.UTC(2026, 2, 28, 3) };
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' }, { worldClock: () => clock.now });
    const order = await createOrder(server, { payment_method_id: 13 });
    expect(await (await fetch(order.payment_url)).text()).toContain(order.payment_code);
    clock.now += 24 * 60 * 60_000;
    const html = await (await fetch(order.payment_url)).text();
    expect(html).toContain('Payment time is over');
    expect(html).not.toContain(order.payment_code);
  });

  it('does not exist for a reference that nobody has', async () => {
    await using server = await startSandbox();
    expect((await fetch(`${server.publicUrl}/pay/SIM0`)).status).toBe(404);
    expect((await fetch(`${server.publicUrl}/pay/SIM0/qr.svg`)).status).toBe(404);
  });
});
