import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
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

const { shop, visit } = shopForTests('mock', { width: 360, height: 740 });

/** Runs the text of a test file unchanged, except for its imports. */
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

describe('the drawer of the sandbox', () => {
  it("copies a test that repeats the user's actions, and the test passes", async () => {
    const page = await visit();
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
    const copied = await ownClipboard(page);
    await inDrawer(page, (drawer) => drawer.getByRole('button', { name: 'Copy as test' }).click());
    const text = (await copied()) ?? '';

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

  it('offers the actions that an order allows, including a failed delivery and a refund', async () => {
    const page = await visit();
    await placeOrder(page, shop());
    const copied = await ownClipboard(page);
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
    const text = (await copied()) ?? '';
    expect(text).toContain('await mock.orders.failDelivery(order1.orderId);');
    expect(text).toContain('await mock.orders.refund(order1.orderId);');
    await runTest(text);
  });

  it('covers nothing on a phone, and shows the active scenarios on its button', async () => {
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

  it('keeps orders, clock and scenarios when the page is reloaded', async () => {
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

  it('keeps an order that was placed seconds after its request arrived', async () => {
    const page = await visit('#/games/mobile-legends', { hurried: false });
    const makeSlow = (slow: boolean) =>
      inDrawer(page, (drawer) =>
        drawer.getByRole('checkbox', { name: 'slow', exact: true }).setChecked(slow),
      );
    await fillCheckout(page);
    await makeSlow(true);
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    const orderId = orderIdOf(page);
    await makeSlow(false);
    await page.reload();
    await page.getByRole('link', { name: 'Pesanan saya' }).click();
    await page.getByRole('link', { name: orderId }).getByText('Menunggu pembayaran').waitFor();
  });

  it('deletes all data when the user asks for it', async () => {
    const page = await visit();
    await placeOrder(page, shop());
    await inDrawer(page, async (drawer) => {
      await drawer.getByRole('button', { name: 'Reset world' }).click();
      await drawer.getByText('None yet.').waitFor();
    });
    await page.getByRole('link', { name: 'Pesanan saya' }).click();
    await expectText(page, 'Belum ada pesanan di perangkat ini.');
  });

  it('leaves orders undisturbed when the user operates the drawer with the keyboard', async () => {
    const page = await visit();
    await expectText(page, 'Sedang populer');
    const { keyboard } = page;
    /** Presses Tab until an element with this name has the focus. */
    async function tabTo(name: RegExp) {
      for (let step = 0; step < 60; step += 1) {
        await keyboard.press('Tab');
        const focused: string = await page.evaluate(() => {
          const at = document.activeElement;
          const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
          return [at, ...labels].map((element) => element?.textContent).join(' ');
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
    // Tab reaches the first product, which is the cheapest, and the arrow keys reach the others.
    await tabTo(/5 Diamond/);
    for (let step = 0; step < 4; step += 1) await keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: /^86 Diamond/ }).isChecked()).toBe(true);
    await tabTo(/QRIS Gratis/);
    await keyboard.press('Space');
    await tabTo(/Nomor WhatsApp/);
    await keyboard.type('081234567890');
    await keyboard.press('Enter');
    await heading(page, 'Selesaikan pembayaran');
    // The heading of the new screen has the focus, so that screen readers read it first.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('has no accessibility violations in the drawer and in the wallet', async () => {
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
