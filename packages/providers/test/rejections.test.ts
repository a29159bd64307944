import { describe, expect, it } from 'vitest';
import { createTokovoucherSupplier } from '../src/tokovoucher/adapter.ts';
import { createVipResellerSupplier } from '../src/vip-reseller/adapter.ts';
import { purchase, signal, startFake } from './helpers/suppliers.ts';

const order = purchase({ productCode: 'ML86' });

/** What becomes of a purchase that VIP Reseller rejects with these words, with a page of this status instead of words. */
async function atVipReseller(message: string, page?: { status: number; body: string }) {
  const { baseUrl } = await startFake((body) =>
    body.includes('type=services')
      ? { body: { result: true, data: [{ code: 'ML86', status: 'available', price: { basic: 1 } }] } }
      : (page ?? { body: { result: false, data: null, message } }),
  );
  return createVipResellerSupplier({ apiId: 'id1', apiKey: 'key1', baseUrl }).submit(order, signal);
}

async function atTokovoucher(error_msg: string) {
  const { baseUrl } = await startFake((body) => ({
    body:
      body === ''
        ? { status: 1, data: { produk: [{ kode_produk: 'ML86', price: 1, status: 1 }] } }
        : { status: 0, error_msg },
  }));
  const settings = { memberCode: 'MEM1', secret: 'secret', signature: 'default' };
  return createTokovoucherSupplier({ ...settings, baseUrl }).submit(order, signal);
}

describe.each([
  ['VIP Reseller', atVipReseller],
  ['Tokovoucher', atTokovoucher],
] as const)('a purchase that %s rejects', (_name, reject) => {
  it.each([
    'System error, silakan cek riwayat pesanan',
    'Server error',
    'Server sibuk',
    'Transaksi sedang diproses, coba lagi nanti',
    'Pesanan dengan data yang sama masih diproses, coba lagi',
    'Pesanan diproses oleh system',
    'Saldo terpotong, transaksi sedang diproses',
    'Saldo tidak mencukupi, cek riwayat',
    'Sistem sedang maintenance, transaksi Anda pending',
    'Terlalu banyak permintaan, pesanan sebelumnya berhasil',
    'Service temporarily unavailable',
    'Terjadi gangguan, coba lagi nanti',
    'Saldo',
    'Coba lagi',
    'Server: transaksi tidak ditemukan',
    'Akun Anda tidak ditemukan',
    'Duplicate ref id',
    '',
  ])('leaves the outcome unknown after %j', async (words) => {
    await expect(reject(words)).rejects.toThrow('look the purchase up in its dashboard');
  });

  it.each([
    ['Saldo Anda tidak cukup', 'balance'],
    ['Saldo kurang', 'balance'],
    ['Insufficient balance', 'balance'],
    ['Layanan tidak tersedia', 'product'],
    ['Layanan sedang tidak tersedia', 'product'],
    ['Produk Gangguan', 'product'],
    ['Stok produk habis', 'product'],
  ])('waits after %j for the %s', async (words, waitsFor) => {
    expect(await reject(words)).toMatchObject({ state: 'pending', waitsFor });
  });

  it.each([
    ['Layanan tidak ditemukan', 'product_unavailable'],
    ['Kode produk tidak ditemukan', 'product_unavailable'],
    ['Nomor tujuan salah', 'account_not_found'],
    ['User ID tidak ditemukan', 'account_not_found'],
  ])('fails a purchase after %j', async (words, kind) => {
    expect(await reject(words)).toMatchObject({ state: 'failed', kind });
  });
});

describe('a page instead of a response of VIP Reseller', () => {
  it.each([401, 403, 429])('waits after VIP Reseller rejects an unread request with %i', async (status) => {
    const refused = await atVipReseller('', { status, body: '<html>' });
    expect(refused).toMatchObject({ state: 'pending', waitsFor: 'supplier' });
  });

  it.each([400, 404, 408, 409, 410, 422, 499, 502])(
    'learns nothing about the purchase from a page with %i',
    async (status) => {
      await expect(atVipReseller('', { status, body: '<html>' })).rejects.toThrow(`status ${status}`);
    },
  );
});
