import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { holdClipboard } from '../../../test/shared.ts';
import { screens } from './helpers/screens.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import { buy, expectAccessible, expectText, heading, placeOrder } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

screens(tools);

/** Runs the text of a test file without its imports, and returns them. */
async function runTest(text: string): Promise<string[]> {
  const imports = text.match(/^import .*$/gm) ?? [];
  const tests: { title: string; run: () => Promise<void> }[] = [];
  const names = { createTopupMock, createTopupClient, expect };
  const addTest = (title: string, run: () => Promise<void>) => tests.push({ title, run });
  const body = text.replace(/^import .*$/gm, '');
  new Function(...Object.keys(names), 'it', body)(...Object.values(names), addTest);
  for (const { run } of tests) await run();
  return imports;
}

describe('the drawer of the sandbox', () => {
  it('copies a test that repeats the session and passes', async () => {
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

  it('keeps orders, clock and scenarios after a reload', async () => {
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

  it('resets everything', async () => {
    const page = await visit();
    await placeOrder(page, shop());
    await inDrawer(page, async (drawer) => {
      await drawer.getByRole('button', { name: 'Reset world' }).click();
      await drawer.getByText('None yet.').waitFor();
    });
    await page.getByRole('link', { name: 'Pesanan saya' }).click();
    await expectText(page, 'Belum ada pesanan di perangkat ini.');
  });

  it('does not disturb a visitor who orders with the keyboard only', async () => {
    const page = await visit();
    await expectText(page, 'Sedang populer');
    const { keyboard } = page;
    /** Presses Tab until an element with this name has the focus. */
    async function tabTo(name: RegExp) {
      for (let step = 0; step < 60; step += 1) {
        await keyboard.press('Tab');
        const focused: string = await page.evaluate(() => {
          const active = document.activeElement;
          const labels = active instanceof HTMLInputElement ? [...(active.labels ?? [])] : [];
          return [active, ...labels]
            .map((element) => `${element?.textContent} ${element?.querySelector('img')?.alt}`)
            .join(' ');
        });
        if (name.test(focused)) return;
      }
      throw new Error(`no element named ${name} can have the focus`);
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
    // The heading of the new screen has the focus, so that a screen reader reads it first.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('axe finds no violations in the drawer and the wallet', async () => {
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
