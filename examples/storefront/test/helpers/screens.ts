import { describe, it } from 'vitest';
import type { ShopForTests } from './shop.ts';
import { buy, expectSound, heading, placeOrder, says } from './visitor.ts';

/** Every screen, as axe sees it. */
export const screens = ({ shop, visit }: ShopForTests) =>
  describe('axe finds nothing wrong', () => {
    it('with the catalogue, and with a search that finds nothing', async () => {
      const page = await visit();
      await says(page, 'Sedang populer');
      await expectSound(page);
      await page.getByRole('searchbox').fill('tidak ada');
      await says(page, 'Tidak ada game yang cocok');
      await expectSound(page);
    });

    it('with the checkout, and with what is missing in it', async () => {
      const page = await visit('#/games/mobile-legends');
      await says(page, 'Data akun');
      await expectSound(page);
      await buy(page);
      await says(page, 'User ID wajib diisi.');
      await expectSound(page);
    });

    it('with the payment, the invoice in each state, and the list of orders', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await expectSound(page);
      await page.getByRole('link', { name: 'Lihat invoice' }).click();
      await says(page, 'Menunggu pembayaran');
      await expectSound(page);
      await shop().happen(page, orderId, 'pay');
      await says(page, 'Sedang diproses');
      await expectSound(page);
      await shop().advance(page, '5m');
      await says(page, 'Pesanan sudah masuk ke akunmu.');
      await expectSound(page);
      await page.getByRole('link', { name: 'Pesanan saya' }).click();
      await page.getByRole('list', { name: 'Di perangkat ini' }).getByText('Sukses').waitFor();
      await expectSound(page);
    });

    it('with a failed payment, an order that is not there, and a page that is not there', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await shop().happen(page, orderId, 'fail');
      await says(page, 'Pembayaran gagal');
      await expectSound(page);
      await page.goto(`${shop().url}#/invoice/INV-20260328100000-ABCDEFGH`);
      await says(page, 'Pesanan tidak ditemukan');
      await expectSound(page);
      await page.goto(`${shop().url}#/nowhere`);
      await heading(page, 'Halaman tidak ditemukan');
      await expectSound(page);
    });

    it('out of reach', async () => {
      const page = await visit('#/orders');
      await shop().reach(page, false);
      await page.getByRole('link', { name: 'Mulai belanja' }).click();
      await says(page, 'Kami tidak bisa menghubungi toko.');
      await expectSound(page);
    });
  });
