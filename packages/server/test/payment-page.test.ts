import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
import { axeViolations, soon, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const { open, startSandbox } = useBrowser();

describe('the payment page', () => {
  it('shows the amount, the instructions and the deadline, in real Chromium', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server);
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
      'Western Indonesia Time',
      'no real money is charged',
    ])
      expect(text).toContain(shown);
    const qr = page.getByAltText('QR code to pay this order');
    expect(await qr.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(
      true,
    );
    expect(complaints).toEqual([]);
  });

  it('names the bank of a bank transfer above the account number', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server, { payment_method_id: 21 });
    const { page } = await open(order.payment_url);
    const pay = page.getByRole('region', { name: 'BCA Bank Transfer' });
    expect(await pay.textContent()).toContain('Transfer exactly the total to this account number.');
    expect((await pay.locator('.code').textContent())?.replaceAll(/\s/g, '')).toBe(order.payment_code);
  });

  it('keeps each amount on one line on any page width', async () => {
    await using server = await startSandbox();
    const order = await placeOrder(server, { payment_method_id: 22, quantity: 100, promo_code: undefined });
    const { page } = await open(order.payment_url);
    const broken = new Set<string>();
    for (let width = 200; width <= 400; width += 10) {
      await page.setViewportSize({ width, height: 740 });
      const found: string[] = await page.evaluate(`
        const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const broken = [];
        while (texts.nextNode())
          for (const { index, 0: amount } of texts.currentNode.data.matchAll(/Rp[^a-z]*\\d/g)) {
            const range = new Range();
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + amount.length);
            if (range.getClientRects().length > 1) broken.push(amount);
          }
        broken;
      `);
      for (const amount of found) broken.add(`${amount} at ${width} px`);
    }
    expect([...broken]).toEqual([]);
    expect(await page.textContent('main')).toContain('Rp 2.216.150');
  });

  it("shows the shop's name", async () => {
    await using server = await startSandbox({ TOPUP_SHOP_NAME: 'Toko <Rina>' });
    const { page } = await open((await placeOrder(server)).payment_url);
    expect(await page.getByText('Toko <Rina>', { exact: true }).isVisible()).toBe(true);
  });

  it('shows the serial number when the order is delivered, without a reload, and copies it', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const { payment_url, order_id } = await placeOrder(server);
    const { page } = await open(payment_url, { bypassCSP: true });
    expect(await page.getByRole('heading', { name: 'Serial number' }).count()).toBe(0);
    await happen(server, { order_id }, 'pay');
    await happen(server, { order_id }, 'deliver');
    const serial = page.getByRole('region', { name: 'Serial number' });
    await serial.waitFor(soon);
    const headers = { 'X-API-KEY': server.sandboxKey ?? '' };
    const { order } = await (await fetch(`${server.baseUrl}/invoice/${order_id}`, { headers })).json();
    expect(order.serial_number).toMatch(/./);
    // Each of two units has a line.
    expect(await serial.locator('.code').allTextContents()).toEqual(order.serial_number.split(', '));
    const copied = await ownClipboard(page);
    await serial.getByRole('button', { name: 'Copy code' }).click();
    await serial.getByText('Code copied').waitFor();
    expect(await copied()).toBe(order.serial_number);
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
  });

  it('shows neither phone number nor e-mail address', async () => {
    await using server = await startSandbox();
    const html = await (
      await fetch((await placeOrder(server, { email: 'player@shop.example' })).payment_url)
    ).text();
    expect(html).not.toContain('081234567890');
    expect(html).not.toContain('player@shop.example');
  });

  // payment-page-states.slow.test.ts has the other kinds of payment.
  it('shows QRIS without accessibility violations or sideways scrolling, light and dark', async () => {
    await using server = await startSandbox();
    const { page, complaints } = await open((await placeOrder(server)).payment_url, { bypassCSP: true });
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("runs only the page's own script, whatever text an order contains", async () => {
    await using server = await startSandbox();
    const { payment_url } = await placeOrder(server, {
      id: '<script>document.title="x"</script><img src=x onerror=alert(1)>',
    });
    const response = await fetch(payment_url);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/script-src 'sha256-[^' ]+';/);
    const html = await response.text();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]+\son\w+=/);
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;script&gt;');
  });

  it('shows an overdue order as expired, without payment instructions', async () => {
    const clock = { now: Date.UTC(2026, 2, 28, 3) };
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' }, { realClock: () => clock.now });
    const order = await placeOrder(server, { payment_method_id: 13 });
    expect(await (await fetch(order.payment_url)).text()).toContain(order.payment_code);
    clock.now += 24 * 60 * 60_000;
    const html = await (await fetch(order.payment_url)).text();
    expect(html).toContain('Payment expired');
    expect(html).not.toContain(order.payment_code);
  });

  it('responds with 404 for an unknown reference', async () => {
    await using server = await startSandbox();
    const missing = await fetch(`${server.publicUrl}/pay/SIM0`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('Pembayaran tidak ditemukan');
    expect((await fetch(`${server.publicUrl}/pay/SIM0/qr.svg`)).status).toBe(404);
  });
});

describe('a page that can not be rendered', () => {
  it('shows an error page that does not reveal the cause', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    await using server = await startSandbox({ TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent' });
    const order = await placeOrder(server);
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE orders RENAME TO elsewhere');
    const response = await fetch(order.payment_url);
    expect(response.status).toBe(500);
    const page = await response.text();
    expect(page).toContain('Halaman ini sedang bermasalah');
    expect(page).not.toMatch(/SQL|orders|at /);
    database.exec('ALTER TABLE elsewhere RENAME TO orders');
    database.close();
  });
});
