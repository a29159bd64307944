import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { holdClipboard } from '../../../test/shared.ts';
import { addressOf, loseAnswers, openGame, ordersMade } from './helpers/dialects.ts';
import { screens } from './helpers/screens.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import {
  buy,
  expectAccessible,
  expectText,
  fillCheckout,
  heading,
  orderIdOf,
  placeOrder,
  quietZone,
  scanQr,
  whitePart,
} from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

screens(tools);

/** Runs the text of a test file as it stands, but for what it imports. */
async function runTest(text: string): Promise<string[]> {
  const imports = text.match(/^import .*$/gm) ?? [];
  const tests: { title: string; run: () => Promise<void> }[] = [];
  const names = { createTopupMock, createTopupClient, expect };
  const noteTest = (title: string, run: () => Promise<void>) => tests.push({ title, run });
  const body = text.replace(/^import .*$/gm, '');
  new Function(...Object.keys(names), 'it', body)(...Object.values(names), noteTest);
  for (const { run } of tests) await run();
  return imports;
}

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

  it('has the names of payment methods as text, and no white box on what is chosen', async () => {
    const page = await visit('#/games/mobile-legends');
    await fillCheckout(page, { method: /^BRI Virtual Account/ });
    await expectText(page, 'BRI Virtual Account');
    for (const chosen of [page.locator('.product'), page.locator('.method')]) {
      const card = chosen.filter({ has: page.locator(':checked') });
      await card.scrollIntoViewIfNeeded();
      await card.locator('img').evaluate((picture: HTMLImageElement) => picture.decode());
      expect(await whitePart(page, card.locator('> span'))).toBeLessThan(0.01);
    }
  });
});

describe('a game that does not exist', () => {
  it.each(['kit', 'interface-only'] as const)(
    'is said to be unknown, on a service of %s',
    async (dialect) => {
      const page = await visit(addressOf(dialect, '#/games/tetris'));
      await heading(page, 'Game tidak ditemukan');
      await expectText(page, '“tetris”');
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Tampilkan semua game' }).click();
      await expectText(page, 'Sedang populer');
    },
  );
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

describe('the drawer of the sandbox', () => {
  it('copies a test that does again what was done, and passes', async () => {
    const page = await visit();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const first = await placeOrder(page, shop());
    await shop().advance(page, '5m');
    await shop().act(page, first, 'pay');
    await expectText(page, 'Pesanan sudah masuk ke akunmu.');
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'gateway-down' }).check());
    await page.goto(`${shop().url}#/games/mobile-legends`);
    await buy(page);
    await expectText(page, 'Pembayaran tidak bisa dibuat.');
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'gateway-down' }).uncheck());
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    await shop().advance(page, '31m');
    await expectText(page, 'Waktu pembayaran habis');
    using _clipboard = await holdClipboard();
    await inDrawer(page, (drawer) => drawer.getByRole('button', { name: 'Copy as test' }).click());
    const text = await page.evaluate(() => navigator.clipboard.readText());

    expect(await runTest(text)).toEqual([
      "import { createTopupMock } from '@topup-kit/mock';",
      "import { createTopupClient } from '@topup-kit/sdk';",
      "import { expect, it } from 'vitest';",
    ]);
    expect(text).toContain('await mock.orders.pay(order1.orderId);');
    expect(text).toContain('rejects.toMatchObject({ status: 500 })');
    expect(text).toContain(
      "expect(state2).toMatchObject({ payment_status: 'EXPIRED', buy_status: 'Batal' });",
    );
    await expect(runTest(text.replace("'EXPIRED'", "'PAID'"))).rejects.toThrow("payment_status: 'PAID'");
  });

  it('offers what an order allows, also that its delivery fails and that it is refunded', async () => {
    const page = await visit();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await placeOrder(page, shop());
    using _clipboard = await holdClipboard();
    await inDrawer(page, async (drawer) => {
      const orders = drawer.getByRole('region', { name: 'Orders' });
      const offered = () => orders.getByRole('button').allTextContents();
      await orders.getByText(/UNPAID . Pending$/).waitFor();
      expect(await offered()).toEqual(['Pay', 'Fail', 'Expire']);
      await orders.getByRole('button', { name: 'Pay' }).click();
      await orders.getByText(/PAID . Proses$/).waitFor();
      expect(await offered()).toEqual(['Deliver', 'Fail delivery']);
      await orders.getByRole('button', { name: 'Fail delivery' }).click();
      await orders.getByText(/PAID . Gagal$/).waitFor();
      expect(await offered()).toEqual(['Refund']);
      await orders.getByRole('button', { name: 'Refund' }).click();
      await orders.getByText(/REFUND . Gagal$/).waitFor();
      expect(await offered()).toEqual([]);
      await drawer.getByRole('button', { name: 'Copy as test' }).click();
      await drawer.getByText('Copied').waitFor();
    });
    await expectText(page, 'Dana dikembalikan');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain('await mock.orders.failDelivery(order1.orderId);');
    expect(text).toContain('await mock.orders.refund(order1.orderId);');
    await runTest(text);
  });

  it('covers nothing on a phone, and shows on its button which scenarios are active', async () => {
    const page = await visit('#/games/mobile-legends');
    await expectText(page, 'Data akun');
    const opener = page.getByRole('button', { name: 'Sandbox' });
    const parts = page.locator('.header, .main, .footer, .buy');
    for (const top of [0, 1e6]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      const own = await opener.boundingBox();
      const others = await Promise.all((await parts.all()).map((part) => part.boundingBox()));
      expect(others.length).toBe(4);
      for (const other of others)
        expect(
          own && other && own.y < other.y + other.height && other.y < own.y + own.height ? [own, other] : [],
        ).toEqual([]);
    }
    expect(await opener.textContent()).toBe('Sandbox');
    await inDrawer(page, async (drawer) => {
      await drawer.getByRole('checkbox', { name: 'gateway-down' }).check();
      await drawer.getByRole('checkbox', { name: 'slow', exact: true }).check();
    });
    expect(await opener.textContent()).toBe('Sandboxgateway-down, slow');
    await expectAccessible(page);
  });

  it('keeps its world when the page is loaded anew: orders, clock and scenarios', async () => {
    const page = await visit();
    const orderId = await placeOrder(page, shop());
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'supplier-down' }).check());
    await shop().advance(page, '5m');
    await shop().act(page, orderId, 'pay');
    await expectText(page, 'Sedang diproses');
    await page.reload();
    await expectText(page, 'Sedang diproses');
    await inDrawer(page, async (drawer) => {
      expect(await drawer.getByRole('checkbox', { name: 'supplier-down' }).isChecked()).toBe(true);
      await drawer.getByText(orderId).waitFor();
      await drawer.getByRole('button', { name: 'Deliver', exact: true }).click();
    });
    await expectText(page, 'Pesanan sudah masuk ke akunmu.');
  });

  it('forgets everything when asked to', async () => {
    const page = await visit();
    await placeOrder(page, shop());
    await inDrawer(page, async (drawer) => {
      await drawer.getByRole('button', { name: 'Reset world' }).click();
      await drawer.getByText('None yet.').waitFor();
    });
    await page.getByRole('link', { name: 'Pesanan saya' }).click();
    await expectText(page, 'Belum ada pesanan di perangkat ini.');
  });

  it('is not in the way of whoever orders with the keyboard alone', async () => {
    const page = await visit();
    await expectText(page, 'Sedang populer');
    const { keyboard } = page;
    /** Goes on by Tab until something with this name has the focus. */
    async function tabTo(name: RegExp) {
      for (let step = 0; step < 60; step += 1) {
        await keyboard.press('Tab');
        const focused: string = await page.evaluate(() => {
          const at = document.activeElement;
          const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
          return [at, ...labels].map((one) => one?.textContent).join(' ');
        });
        if (name.test(focused)) return;
      }
      throw new Error(`nothing named ${name} takes the focus`);
    }
    await tabTo(/^Mobile Legends/);
    await keyboard.press('Enter');
    await heading(page, 'Mobile Legends: Bang Bang');
    await tabTo(/User ID/);
    await keyboard.type('12345678');
    await tabTo(/Zone ID/);
    await keyboard.type('2012');
    // Tab reaches the first product, the cheapest, and the arrow keys the others.
    await tabTo(/5 Diamond/);
    for (let step = 0; step < 4; step += 1) await keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: /^86 Diamond/ }).isChecked()).toBe(true);
    await tabTo(/QRIS/);
    await keyboard.press('Space');
    await tabTo(/Nomor WhatsApp/);
    await keyboard.type('081234567890');
    await keyboard.press('Enter');
    await heading(page, 'Selesaikan pembayaran');
    // The new screen's heading has the focus, so that it is read first.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('axe finds nothing wrong with the drawer, and with the wallet', async () => {
    const page = await visit();
    await placeOrder(page, shop(), { method: /^DANA/ });
    await inDrawer(page, async (drawer) => {
      await drawer.getByText('UNPAID / Pending').waitFor();
      await expectAccessible(page);
    });
    await page.getByRole('link', { name: 'Bayar dengan DANA' }).click();
    await heading(page, 'Dompet contoh');
    await expectAccessible(page);
  });
});

// `dialects.slow.test.ts` walks through the shop on every other one.
describe('on a service of another dialect', () => {
  it('that is interface-only, shows the game, and says that it cannot be ordered here', async () => {
    const page = await openGame(tools, 'interface-only');
    await expectText(page, 'Game ini belum bisa dipesan di sini.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Beli sekarang' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Tampilkan semua game' }).click();
    await expectText(page, 'Sedang populer');
  });

  it('with other statuses, shows the states as they are told, and claims no success', async () => {
    const page = await openGame(tools, 'other statuses');
    await fillCheckout(page);
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    await shop().act(page, orderIdOf(page), 'pay');
    await expectText(page, 'SETTLED / Processing');
    await expectText(page, 'SETTLED / Success');
    await expectText(page, 'Sedang diperiksa');
    expect(await page.getByText('Pesanan sudah masuk ke akunmu.').count()).toBe(0);
    expect(await page.locator('.progress-done').count()).toBe(1);
  });

  it('that ignores keys, an order whose answer was lost is not sent again by itself, by hand or after a reload', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await loseAnswers(page);
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await expectAccessible(page);
    await buy(page);
    expect(await ordersMade(page)).toBe(1);
    await page.reload();
    await heading(page, 'Mobile Legends: Bang Bang');
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    expect(await ordersMade(page)).toBe(1);
  });
});
