import { describe, expect, it } from 'vitest';
import type { ShopForTests } from './shop.ts';
import { buy, fillCheckout, heading, orderIdOf, placeOrder, says } from './visitor.ts';

/** What a visitor does, whichever backend the shop is on. */
export const journeys = ({ shop, visit }: ShopForTests) =>
  describe('the shop', () => {
    it('leads from the catalogue to a delivered order', async () => {
      const page = await visit();
      await page.getByRole('searchbox').fill('mobile legends');
      await page.getByRole('link', { name: /^Mobile Legends/ }).click();
      await heading(page, 'Mobile Legends: Bang Bang');
      await fillCheckout(page);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await says(page, 'Rp 22.000');
      expect(
        await page.getByAltText('Kode QR').evaluate((qr: HTMLImageElement) => qr.decode()),
      ).toBeUndefined();
      await shop().advance(page, '5m');
      await shop().happen(page, orderIdOf(page), 'pay');
      await says(page, 'Pesanan sudah masuk ke akunmu.');
      await says(page, new RegExp(`SN-${orderIdOf(page)}-1-1`));
    });

    it('takes a promo code, says why it refuses another, and charges what it showed', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      await page.getByLabel('Tambah jumlah').click();
      const code = page.getByLabel('Kode promo (opsional)');
      await code.fill('salah');
      await code.press('Enter');
      await says(page, 'Kode promo tidak ditemukan.');
      await code.fill('ramadan10');
      await code.press('Enter');
      await says(page, 'RAMADAN10 dipakai: hemat Rp 2.000 per item.');
      await says(page, 'Rp 40.000');
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await says(page, 'Rp 40.000');
    });

    it('tells of a declined payment, and offers to order again', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await shop().happen(page, orderId, 'fail');
      await says(page, 'Pembayaran gagal');
      await page.getByRole('link', { name: 'Pesan lagi' }).click();
      await heading(page, 'Mobile Legends: Bang Bang');
    });

    it('tells of an order whose time is over, without being loaded anew', async () => {
      const page = await visit();
      await placeOrder(page, shop());
      await shop().advance(page, '31m');
      await says(page, 'Waktu pembayaran habis');
    });

    it('tells of a delivery that failed', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      // The sandbox's id for a supplier that refuses.
      await page.getByLabel('User ID').fill('900000001');
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await shop().happen(page, orderIdOf(page), 'pay');
      await shop().advance(page, '5m');
      await says(page, 'Pengiriman gagal');
    });

    it("shows a virtual account's number, and the fee in the total", async () => {
      const page = await visit();
      await placeOrder(page, shop(), { method: /^BRI Virtual Account/ });
      await says(page, 'Rp 26.250');
      await says(page, /^77777\d{3}|^7777 7\d{3} \d{4}/);
    });

    it('sends whoever pays by e-wallet to its page, and shows the order delivered when they come back', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop(), { method: /^DANA/ });
      await page.getByRole('link', { name: 'Bayar dengan DANA' }).click();
      await page.getByRole('button', { name: 'Bayar', exact: true }).click();
      await says(page, /Dibayar|Sudah dibayar|Sukses/);
      await page.goto(`${shop().url}#/invoice/${orderId}`);
      await shop().advance(page, '5m');
      await says(page, 'Pesanan sudah masuk ke akunmu.');
    });

    it('keeps what was filled in while the shop is out of reach, and orders once it is back', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      await shop().reach(page, false);
      await buy(page);
      await says(page, 'Koneksi terputus.');
      await says(page, 'Kami belum tahu apakah pesananmu dibuat.');
      await shop().reach(page, true);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await page.getByRole('link', { name: 'Pesanan saya' }).click();
      const orders = page.getByRole('list', { name: 'Di perangkat ini' });
      await orders.waitFor();
      expect(await orders.getByRole('listitem').count()).toBe(1);
    });

    it('says that the catalogue is out of reach, and loads it when asked again', async () => {
      const page = await visit('#/orders');
      await shop().reach(page, false);
      await page.getByRole('link', { name: 'Mulai belanja' }).click();
      await says(page, 'Kami tidak bisa menghubungi toko.');
      await shop().reach(page, true);
      await page.getByRole('button', { name: 'Coba lagi' }).click();
      await says(page, 'Sedang populer');
    });

    it('leads Back from the payment to the filled checkout, which knows of the order that waits', async () => {
      const page = await visit();
      await placeOrder(page, shop());
      await page.goBack();
      await heading(page, 'Mobile Legends: Bang Bang');
      expect(await page.getByLabel('User ID').inputValue()).toBe('12345678');
      await page.getByRole('link', { name: 'Lanjutkan pembayaran' }).click();
      await heading(page, 'Selesaikan pembayaran');
    });

    it('opens an invoice by its link', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await page.goto('about:blank');
      await page.goto(`${shop().url}#/invoice/${orderId}`);
      await says(page, 'Menunggu pembayaran');
      await says(page, '12345678 (2012)');
    });

    it('says that there is no such order', async () => {
      const page = await visit('#/invoice/INV-20260328100000-ABCDEFGH');
      await says(page, 'Pesanan tidak ditemukan');
    });

    it('says what is missing, and puts the focus on the first of it', async () => {
      const page = await visit('#/games/mobile-legends');
      await buy(page);
      await says(page, 'User ID wajib diisi.');
      expect(await page.getByLabel('User ID').evaluate((field) => field === document.activeElement)).toBe(
        true,
      );
      await page.getByLabel('User ID').fill('12345678');
      expect(await page.getByText('User ID wajib diisi.').count()).toBe(0);
    });
  });
