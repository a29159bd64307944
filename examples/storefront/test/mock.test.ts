import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { holdClipboard } from '../../../test/shared.ts';
import { loseAnswers, openGame, ordersMade } from './helpers/dialects.ts';
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
      await drawer.getByRole('button', { name: 'Deliver' }).click();
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
          return [at, ...labels]
            .map((one) => `${one?.textContent} ${one?.querySelector('img')?.alt}`)
            .join(' ');
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
    await tabTo(/86 Diamond/);
    await keyboard.press('Space');
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
