import { describe, expect, it } from 'vitest';
import { shopForTests } from './helpers/shop.ts';
import { expectText, placeOrder, quietZone, scanQr } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

describe('the checkout', () => {
  it('lists the products of each category by price', async () => {
    const page = await visit('#/games/mobile-legends');
    await expectText(page, 'Data akun');
    const groups = await page.locator('#field-product > div').all();
    expect(groups.length).toBe(2);
    for (const group of groups) {
      const texts = await group.locator('.product-price strong').allTextContents();
      const prices = texts.map((text) => Number(text.replace(/\D/g, '')));
      expect(prices.length).toBeGreaterThan(1);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    }
  });
});

describe('the list of orders', () => {
  it('shows when each was placed and how it is paid, also if this device did not save it', async () => {
    const page = await visit();
    const orderId = await placeOrder(page, shop(), { method: /^DANA/ });
    await page.getByRole('link', { name: 'Pesanan saya' }).click();
    const order = page.getByRole('listitem').filter({ hasText: orderId });
    const shown = async () => {
      await order.getByText('DANA', { exact: true }).waitFor();
      const at = Date.parse((await order.locator('time').getAttribute('datetime')) ?? '');
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
      expect(await order.locator('time').textContent()).toMatch(/^\d{1,2} \p{L}+ \d{4},? .*\d{2}\.\d{2}/u);
    };
    await shown();
    await page.evaluate(() => {
      const saved = JSON.parse(sessionStorage.getItem('kilat:orders') ?? '[]');
      for (const entry of saved) {
        delete entry.method;
        delete entry.placedAt;
      }
      sessionStorage.setItem('kilat:orders', JSON.stringify([...saved, { order: null }, null]));
    });
    await page.reload();
    await shown();
    await order.getByRole('link').click();
    await expectText(page, 'DANA');
  });
});

describe('in a dark browser', () => {
  it('the shop is dark, and the QR code can be scanned', async () => {
    const page = await visit();
    await page.emulateMedia({ colorScheme: 'dark' });
    await placeOrder(page, shop());
    const brightness = await page.evaluate(() => {
      const colours = [document.body, document.querySelector('.step')].map((part) =>
        part ? getComputedStyle(part).backgroundColor : '',
      );
      return colours.map((colour) => Math.max(...(colour.match(/\d+/g) ?? ['255']).map(Number)));
    });
    expect(Math.max(...brightness)).toBeLessThan(80);
    const qr = page.getByAltText('Kode QR');
    await qr.evaluate((picture: HTMLImageElement) => picture.decode());
    expect(await scanQr(page, page.locator('.pay'))).toMatch(/^000201010212.*54052200058/);
    expect(await quietZone(page, qr)).toBeGreaterThanOrEqual(4);
  });
});

describe('the language', () => {
  it('is the browser’s, also for amounts, until the visitor switches', async () => {
    const page = await visit('#/games/mobile-legends', { locale: 'en-GB' });
    await expectText(page, 'Your account');
    await expectText(page, 'Rp 22,000');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('button', { name: 'Bahasa' }).click();
    await expectText(page, 'Data akun');
    await expectText(page, 'Rp 22.000');
    await page.reload();
    await expectText(page, 'Data akun');
  });

  it('is Indonesian in a browser of any other language', async () => {
    const page = await visit('', { locale: 'fr-FR' });
    await expectText(page, 'Sedang populer');
  });
});
