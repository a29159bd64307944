import { createRequire } from 'node:module';
import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
import { showsStatus, soon, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';

const { open, startSandbox } = useBrowser();

describe('a payment page with JavaScript', () => {
  it('shows that an order was paid elsewhere, and announces it politely', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server, { id: '900000004' });
    const { page, complaints } = await open(order.payment_url);
    await page.getByRole('button', { name: 'Pay' }).focus();
    await happen(server, order, 'pay');
    await page.getByRole('status').getByText('Paid, being delivered').waitFor(soon);
    expect(await page.locator('.pay, button').count()).toBe(0);
    expect(await page.title()).toMatch(/^Paid, being delivered/);
    // The focused button was removed, so the focus moves to the new status.
    expect(await page.evaluate("document.activeElement.matches('.status')")).toBe(true);
    await happen(server, order, 'deliver');
    await showsStatus(page, 'Delivered');
    expect(complaints).toEqual([]);
  });

  it('polls slowly, pauses while hidden, and stops in a final state', async () => {
    await using server = await startSandbox();
    const order = await placeOrder(server, { id: '900000004' });
    const { page } = await open('about:blank');
    await page.clock.install();
    // Counted in the page itself, so that no request is counted late.
    await page.addInitScript(`
      window.asked = 0;
      window.underWay = 0;
      const real = window.fetch;
      window.fetch = async (path, options) => {
        if (path.endsWith('/status')) window.asked += 1;
        window.underWay += 1;
        try { return await real(path, options); } finally { window.underWay -= 1; }
      };`);
    await page.goto(order.payment_url);
    const asked = () => page.evaluate<number>('window.asked');
    /** Lets time pass in the page, whose wait begins with the last response. */
    const pass = async (seconds: number, step = 1) => {
      const before = await asked();
      for (let second = 0; second < seconds; second += step) {
        await page.clock.runFor(step * 1_000);
        await expect.poll(() => page.evaluate('window.underWay'), { ...soon, interval: 5 }).toBe(0);
      }
      return (await asked()) - before;
    };
    const asking = await pass(30);
    expect(asking).toBeGreaterThanOrEqual(3);
    expect(asking).toBeLessThanOrEqual(12);
    const hide = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await hide(true);
    expect(await pass(120, 40)).toBe(0);
    await hide(false);
    // A page that is hidden during a request must not send another after its response.
    const hideMidway = async (route: Route) => {
      await hide(true);
      await route.continue();
    };
    await page.route('**/status', hideMidway, { times: 1 });
    expect(await pass(20)).toBe(1);
    expect(await pass(120, 40)).toBe(0);
    await happen(server, order, 'pay');
    await hide(false);
    await showsStatus(page, 'Sudah dibayar, sedang diproses');
    await happen(server, order, 'deliver');
    await expect
      .poll(async () => (await pass(2)) >= 0 && page.locator('.status strong').textContent(), soon)
      .toBe('Sukses');
    expect(await pass(120, 40)).toBe(0);
  });

  it('counts down to the expiry and shows the expired order, without announcing each second', async () => {
    const world = { now: Date.UTC(2026, 2, 28, 3) };
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' }, { realClock: () => world.now });
    const order = await placeOrder(server);
    world.now += 29 * 60_000;
    const { page } = await open(order.payment_url);
    const timer = page.getByRole('timer');
    await expect.poll(() => timer.textContent(), soon).toMatch(/^00:5\d$/);
    expect(await timer.evaluate((element) => element.closest('[aria-live], [role="status"]'))).toBeNull();
    // The page counts on its own clock, which may differ from the server's.
    await page.clock.install();
    await page.reload();
    expect(await timer.textContent()).toBe('01:00');
    await page.clock.runFor(20_000);
    expect(await timer.textContent()).toBe('00:40');
    world.now += 60_000;
    await page.clock.runFor(41_000);
    await showsStatus(page, 'Payment expired');
    expect(await timer.count()).toBe(0);
  });

  it('copies the code with the keyboard, and confirms that it was copied', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server, { payment_method_id: 13 });
    const { page, complaints } = await open(order.payment_url, { hurried: false });
    const copied = await ownClipboard(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Code copied').waitFor();
    expect(await copied()).toBe(order.payment_code);
    expect(complaints).toEqual([]);
  });

  it('copies the text of a QR code, for customers who pay on the same device', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server);
    const { page, complaints } = await open(order.payment_url, { hurried: false });
    const copied = await ownClipboard(page);
    await page.getByText('The QR code as text').click();
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByRole('status').getByText('Code copied').waitFor();
    expect(await copied()).toBe(order.payment_code);
    expect(await widthsTooNarrow(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows a warning while requests fail, and continues when they succeed', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server);
    const { page } = await open(order.payment_url);
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('will keep trying').waitFor(soon);
    await happen(server, order, 'fail');
    await page.context().setOffline(false);
    await showsStatus(page, 'Payment failed');
    expect(await page.getByText('will keep trying').count()).toBe(0);
  });

  it('shows a QR code that decodes to the payment code, light and dark', async () => {
    await using server = await startSandbox();
    const order = await placeOrder(server);
    const { page: reader } = await open('about:blank');
    await reader.addScriptTag({ path: createRequire(import.meta.url).resolve('jsqr') });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(order.payment_url, { colorScheme });
      const screenshot = (await page.locator('.pay').screenshot()).toString('base64');
      const text = await reader.evaluate(`(async () => {
        const bytes = Uint8Array.from(atob('${screenshot}'), (character) => character.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
        canvas.drawImage(picture, 0, 0);
        const { data, width, height } = canvas.getImageData(0, 0, picture.width, picture.height);
        return jsQR(data, width, height)?.data;
      })()`);
      expect(text).toBe(order.payment_code);
    }
  });
});
