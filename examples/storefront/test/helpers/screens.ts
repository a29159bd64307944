import { describe, it } from 'vitest';
import type { ShopForTests } from './shop.ts';
import { buy, expectAccessible, expectText, heading, placeOrder } from './visitor.ts';

/** Checks the accessibility of every screen. */
export const screens = ({ shop, visit }: ShopForTests) =>
  describe('axe finds no violations', () => {
    it('in the catalogue, even with a search without results', async () => {
      const page = await visit();
      await expectText(page, 'Sedang populer');
      await expectAccessible(page);
      await page.getByRole('searchbox').fill('tidak ada');
      await expectText(page, 'Tidak ada game yang cocok');
      await expectAccessible(page);
    });

    it('in the checkout, even with missing fields', async () => {
      const page = await visit('#/games/mobile-legends');
      await expectText(page, 'Data akun');
      await expectAccessible(page);
      await buy(page);
      await expectText(page, 'User ID wajib diisi.');
      await expectAccessible(page);
    });

    it('in the payment, the invoice in each state, and the list of orders', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Lihat invoice' }).click();
      await expectText(page, 'Menunggu pembayaran');
      await expectAccessible(page);
      await shop().act(page, orderId, 'pay');
      await expectText(page, 'Sedang diproses');
      await expectAccessible(page);
      await shop().advance(page, '5m');
      await expectText(page, 'Pesanan sudah masuk ke akunmu.');
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Pesanan saya' }).click();
      await page.getByRole('list', { name: 'Di perangkat ini' }).getByText('Sukses').waitFor();
      await expectAccessible(page);
    });

    it('in a failed payment, an order that does not exist, and a page that does not exist', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await shop().act(page, orderId, 'fail');
      await expectText(page, 'Pembayaran gagal');
      await expectAccessible(page);
      await page.goto(`${shop().url}#/invoice/INV-20260328100000-ABCDEFGH`);
      await expectText(page, 'Pesanan tidak ditemukan');
      await expectAccessible(page);
      await page.goto(`${shop().url}#/nowhere`);
      await heading(page, 'Halaman tidak ditemukan');
      await expectAccessible(page);
    });

    it('without a connection', async () => {
      const page = await visit('#/orders');
      await shop().setOnline(page, false);
      await page.getByRole('link', { name: 'Mulai belanja' }).click();
      await expectText(page, 'Kami tidak bisa menghubungi toko.');
      await expectAccessible(page);
    });
  });
