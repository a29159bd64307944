import { describe, expect, it } from 'vitest';
import type { ShopForTests } from './shop.ts';
import { buy, expectText, fillCheckout, heading, orderIdOf, placeOrder } from './visitor.ts';

/** Tests the main actions of visitors, which are the same for both backends. */
export const mainJourneys = ({ shop, visit }: ShopForTests) =>
  describe('the shop', () => {
    it('a visitor gets from the catalogue to a delivered order', async () => {
      const page = await visit();
      await page.getByRole('searchbox').fill('mobile legends');
      await page.getByRole('link', { name: /^Mobile Legends/ }).click();
      await heading(page, 'Mobile Legends: Bang Bang');
      await fillCheckout(page);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await expectText(page, 'Rp 22.000');
      expect(
        await page.getByAltText('Kode QR').evaluate((qr: HTMLImageElement) => qr.decode()),
      ).toBeUndefined();
      await shop().advance(page, '5m');
      await shop().act(page, orderIdOf(page), 'pay');
      await shop().advance(page, '5m');
      await expectText(page, 'Pesanan sudah masuk ke akunmu.');
      await expectText(page, new RegExp(`SN-${orderIdOf(page)}-1-1`));
    });

    it('accepts a promo code, explains why another code is rejected, and charges the price that was shown', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      await page.getByLabel('Tambah jumlah').click();
      const code = page.getByLabel('Kode promo (opsional)');
      await code.fill('salah');
      await code.press('Enter');
      await expectText(page, 'Kode promo tidak ditemukan.');
      await code.fill('ramadan10');
      await code.press('Enter');
      await expectText(page, 'RAMADAN10 dipakai: hemat Rp 2.000 per item.');
      await expectText(page, 'Rp 40.000');
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await expectText(page, 'Rp 40.000');
    });

    it('opens the page of an e-wallet, and shows the delivered order afterwards', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop(), { method: /^DANA/ });
      await page.getByRole('link', { name: 'Bayar dengan DANA' }).click();
      await page.getByRole('button', { name: 'Bayar', exact: true }).click();
      await expectText(page, /Dibayar|Sudah dibayar|Sukses/);
      await page.getByRole('link', { name: /^Kembali ke/ }).click();
      await heading(page, 'Invoice');
      await expectText(page, orderId);
      await shop().advance(page, '5m');
      await expectText(page, 'Pesanan sudah masuk ke akunmu.');
    });

    it('keeps the filled form while the connection is lost, and places one order when it is back', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      await shop().setOnline(page, false);
      await buy(page);
      await expectText(page, 'Koneksi terputus.');
      await expectText(page, 'Kami belum tahu apakah pesananmu dibuat.');
      await shop().setOnline(page, true);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await page.getByRole('link', { name: 'Pesanan saya' }).click();
      const orders = page.getByRole('list', { name: 'Di perangkat ini' });
      await orders.waitFor();
      expect(await orders.getByRole('listitem').count()).toBe(1);
    });
  });

/** Tests the other actions of visitors. */
export const otherJourneys = ({ shop, visit }: ShopForTests) =>
  describe('the shop', () => {
    it('shows a declined payment, and offers a new order', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await shop().act(page, orderId, 'fail');
      await expectText(page, 'Pembayaran gagal');
      await page.getByRole('link', { name: 'Pesan lagi' }).click();
      await heading(page, 'Mobile Legends: Bang Bang');
    });

    it('shows an expired order without a reload', async () => {
      const page = await visit();
      await placeOrder(page, shop());
      await shop().advance(page, '31m');
      await expectText(page, 'Waktu pembayaran habis');
    });

    it('shows a failed delivery', async () => {
      const page = await visit('#/games/mobile-legends');
      await fillCheckout(page);
      // The sandbox's supplier rejects an order with this id.
      await page.getByLabel('User ID').fill('900000001');
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await shop().act(page, orderIdOf(page), 'pay');
      await shop().advance(page, '5m');
      await expectText(page, 'Pengiriman gagal');
    });

    it("shows a virtual account's number, and the fee in the total", async () => {
      const page = await visit();
      await placeOrder(page, shop(), { method: /^BRI Virtual Account/ });
      await expectText(page, 'Rp 26.250');
      await expectText(page, /^77777\d{3}|^7777 7\d{3} \d{4}/);
    });

    it('names the bank of a bank transfer with its account number', async () => {
      const page = await visit();
      await placeOrder(page, shop(), { method: /^BCA Bank Transfer/ });
      await expectText(page, 'Bayar lewat BCA Bank Transfer: transfer ke nomor rekening ini.');
      await expectText(page, '1234 5678 90');
      await expectText(page, 'Transfer tepat sampai tiga angka terakhir');
    });

    it('shows that the catalogue could not be loaded, and retries', async () => {
      const page = await visit('#/orders');
      await shop().setOnline(page, false);
      await page.getByRole('link', { name: 'Mulai belanja' }).click();
      await expectText(page, 'Kami tidak bisa menghubungi toko.');
      await shop().setOnline(page, true);
      await page.getByRole('button', { name: 'Coba lagi' }).click();
      await expectText(page, 'Sedang populer');
    });

    it('returns with Back from the payment to the filled checkout, which links to the unpaid order', async () => {
      const page = await visit();
      await placeOrder(page, shop());
      await page.goBack();
      await heading(page, 'Mobile Legends: Bang Bang');
      expect(await page.getByLabel('User ID').inputValue()).toBe('12345678');
      await page.getByRole('link', { name: 'Lanjutkan pembayaran' }).click();
      await heading(page, 'Selesaikan pembayaran');
    });

    it('opens an invoice from its link', async () => {
      const page = await visit();
      const orderId = await placeOrder(page, shop());
      await page.goto('about:blank');
      await page.goto(`${shop().url}#/invoice/${orderId}`);
      await expectText(page, 'Menunggu pembayaran');
      await expectText(page, '12345678 (2012)');
    });

    it('shows that an order does not exist', async () => {
      const page = await visit('#/invoice/INV-20260328100000-ABCDEFGH');
      await expectText(page, 'Pesanan tidak ditemukan');
    });

    it('shows which fields are missing, and moves the focus to the first missing field', async () => {
      const page = await visit('#/games/mobile-legends');
      await buy(page);
      await expectText(page, 'User ID wajib diisi.');
      expect(await page.getByLabel('User ID').evaluate((field) => field === document.activeElement)).toBe(
        true,
      );
      await page.getByLabel('User ID').fill('12345678');
      expect(await page.getByText('User ID wajib diisi.').count()).toBe(0);
    });
  });
