import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shopForTests } from './helpers/shop.ts';
import {
  buy,
  choose,
  expectText,
  fillCheckout,
  heading,
  placeOrder,
  quietZone,
  scanQr,
} from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

describe('the checkout', () => {
  it('lists the products of each category by price', async () => {
    const page = await visit('#/games/mobile-legends');
    await expectText(page, 'Data akun');
    const groups = await page.locator('#field-product > details').all();
    expect(groups.length).toBe(2);
    for (const group of groups) {
      const texts = await group.locator('.product-price strong').allTextContents();
      const prices = texts.map((text) => Number(text.replace(/\D/g, '')));
      expect(prices.length).toBeGreaterThan(1);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    }
  });
});

describe('the checkout on a phone', () => {
  const heightOf = (page: Page): Promise<number> => page.evaluate(() => document.body.scrollHeight);
  const isInSight = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

  it('fits the checkout into three phone screens, and always shows the total', async () => {
    const page = await visit('#/games/mobile-legends');
    await expectText(page, 'Data akun');
    expect(await heightOf(page)).toBeLessThan(3 * 740);
    await choose(page, /^86 Diamond/);
    for (const top of [0, 700, 1e6]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      expect(await isInSight(page.locator('.buy-total').getByText('Rp 22.000'))).toBe(true);
      expect(await isInSight(page.getByRole('button', { name: 'Beli sekarang' }))).toBe(true);
    }
  });

  it('folds optional parts of the checkout, shows their selection, and opens them on a tap', async () => {
    const page = await visit('#/games/mobile-legends');
    const method = page.getByRole('radio', { name: /^BCA Virtual Account/ });
    await expectText(page, 'Metode pembayaran');
    expect(await method.count()).toBe(0);
    const summary = page.locator('summary').filter({ hasText: 'Virtual account' });
    expect(await summary.textContent()).toContain('BRI Virtual Account, BCA Virtual Account');
    await summary.click();
    await choose(page, /^BCA Virtual Account/);
    await summary.click();
    await summary.getByText(/^BCA Virtual Account$/).waitFor();
    // The selection is visible when the visitor returns.
    await page.reload();
    await method.waitFor();
  });

  it('shows the first products, shows the other products on demand, and focuses the first of them', async () => {
    const page = await visit('#/games/mobile-legends');
    await expectText(page, '5 Diamond');
    const card = page.getByText('2195 Diamond');
    expect(await card.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Tampilkan semua (11)' }).click();
    expect(await card.isVisible()).toBe(true);
    const focused = await page.evaluate(() => document.activeElement?.closest('label')?.textContent);
    expect(focused).toMatch(/^257 Diamond/);
  });

  it("breaks no amount over two lines, even in the service's messages", async () => {
    const page = await visit('#/games/mobile-legends');
    await fillCheckout(page, { method: /^BCA Bank Transfer/ });
    await page.getByLabel('Tambah jumlah').click();
    const texts = await page.locator('body').evaluate((body) => body.textContent ?? '');
    expect(texts).toMatch(/Rp\u00a0\d/);
    expect(texts).not.toMatch(/Rp \d/);
    const code = page.getByLabel('Kode promo (opsional)');
    await code.fill('HEMAT5K');
    await code.press('Enter');
    const minimum = page.getByText(/^Minimal pembelian/);
    await minimum.waitFor();
    expect(await minimum.textContent()).toMatch(/Rp\u00a0\d/);
  });

  it('shows the unique code of a bank transfer on a separate line, before and after the order is placed', async () => {
    const page = await visit('#/games/mobile-legends');
    await fillCheckout(page, { method: /^BCA Bank Transfer/ });
    const namesOf = (part: Locator): Promise<string[]> => part.locator('.lines dt').allTextContents();
    expect(await namesOf(page.locator('.summary'))).toEqual([
      '86 Diamond × 1',
      'Biaya layanan (BCA Bank Transfer)',
      'Kode unik',
      'Perkiraan total',
    ]);
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    expect(await namesOf(page.locator('.screen'))).toEqual([
      'Harga satuan × 1',
      'Biaya layanan',
      'Kode unik',
      'Total',
    ]);
  });
});

describe('the drawer', () => {
  it('closes the drawer with Escape even if the focus is in the shop, and leaves the focus there', async () => {
    const page = await visit();
    await expectText(page, 'Sedang populer');
    const opener = page.getByRole('button', { name: 'Sandbox' });
    const drawer = page.locator('.sandbox-drawer');
    await opener.click();
    await drawer.waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.setViewportSize({ width: 1280, height: 800 });
    await opener.click();
    const search = page.getByRole('searchbox');
    await search.click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('the list of orders', () => {
  it('shows the time and the payment method of each order, even if another device placed it', async () => {
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
  it('shows a dark shop with a scannable QR code', async () => {
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
  it('uses the browser’s language, even for amounts, until the visitor switches', async () => {
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

  it('uses Indonesian if the browser prefers neither language', async () => {
    const page = await visit('', { locale: 'fr-FR' });
    await expectText(page, 'Sedang populer');
  });
});
