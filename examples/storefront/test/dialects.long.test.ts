import { forEachDialect } from '@topup-kit/mock';
import { describe, expect, it } from 'vitest';
import { addressOf, loseAnswers, openGame, ordersMade, withoutDelivery } from './helpers/dialects.ts';
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

forEachDialect((_createMock, name) => {
  if (withoutDelivery.has(name)) return;
  describe(`on a service with ${name}`, () => {
    it('a visitor gets from the catalogue to a delivered order', async () => {
      const page = await openGame(tools, name);
      await fillCheckout(page);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await expectText(page, 'Rp 22.000');
      // The test doesn't wait for deliveries, because the orders of a dozen services take long enough.
      await inDrawer(page, async (drawer) => {
        await drawer.getByRole('button', { name: 'Pay' }).click();
        await drawer
          .getByRole('region', { name: 'Orders' })
          .getByText(/PAID . Proses$/)
          .waitFor();
        await drawer.getByRole('button', { name: 'Advance 5m' }).click();
      });
      await expectText(page, 'Pesanan sudah masuk ke akunmu.');
      await expectText(page, new RegExp(`SN-${orderIdOf(page)}-1-1`));
    });
  });
});

describe('on a service with interface-only', () => {
  it("shows how to pay for an order that this device placed, and says that the shop can't track the order", async () => {
    const page = await visit();
    const orderId = await placeOrder(page, shop());
    await page.goto(`${shop().url}${addressOf('interface-only', `#/pay/${orderId}`)}`);
    await expectText(page, 'Rp 22.000');
    await expectText(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Menunggu pembayaranmu.').count()).toBe(0);
    await page.getByRole('link', { name: 'Lihat invoice' }).click();
    await expectText(page, '12345678 (2012)');
    await expectText(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Sukses').count()).toBe(0);
    await expectAccessible(page);
  });
});

describe('an order whose answer was lost', () => {
  it('resends a lost order to a service that ignores keys only if the visitor confirms that no order exists', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).check());
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).uncheck());
    await page.getByRole('button', { name: 'Sudah dipastikan belum dibuat: pesan lagi' }).click();
    await heading(page, 'Selesaikan pembayaran');
    expect(await ordersMade(page)).toBe(1);
  });
});

it('lists the known dialects for an unknown dialect', async () => {
  const page = await visit('?dialect=klingon');
  await heading(page, 'There is no dialect “klingon”');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'other statuses' }).click();
  await expectText(page, 'Sedang populer');
});

describe('on a service of another dialect', () => {
  it('shows a game of an interface-only service without a checkout', async () => {
    const page = await openGame(tools, 'interface-only');
    await expectText(page, 'Game ini belum bisa dipesan di sini.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Beli sekarang' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Tampilkan semua game' }).click();
    await expectText(page, 'Sedang populer');
  });

  it('shows unfamiliar statuses of a service, and claims no success', async () => {
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

  it('never resends an order with a lost response to a service that ignores keys', async () => {
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

describe('a game that does not exist', () => {
  it.each(['kit', 'interface-only'] as const)(
    'is reported as unknown on a service of %s',
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
