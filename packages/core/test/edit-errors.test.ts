import { describe, expect, it } from 'vitest';
import { highestAmount, readAmount } from '../src/contract/index.ts';
import { editErrors } from '../src/features/catalog/edit-errors.ts';
import { type EditError, type KeptOut, keptOutWords, readCatalogFile } from '../src/features/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';

const money = (amount: number): string => `Rp${amount}`;
const price = { kind: 'product', field: 'selling_price' } as const;

const refusals: Record<keyof typeof editErrors, [EditError, string, string]> = {
  noProduct: [
    editErrors.noProduct(['P8', 'P9']),
    'Katalog tidak punya produk P8, P9.',
    'The catalogue has no product P8, P9.',
  ],
  noGame: [editErrors.noGame('chess'), 'Katalog tidak punya game chess.', 'The catalogue has no game chess.'],
  noMethod: [
    editErrors.noMethod(['OVO'], ['QRIS', 'DANA']),
    'Katalog tidak punya metode pembayaran OVO; yang ada: QRIS, DANA.',
    'The catalogue has no payment method OVO; it has QRIS, DANA.',
  ],
  noCategory: [
    editErrors.noCategory('9', ''),
    'Katalog tidak punya kategori 9; yang ada: tidak ada.',
    'The catalogue has no category 9; it has none.',
  ],
  noBrand: [
    editErrors.noBrand('depot', ['CHESS']),
    'Daftar depot tidak memuat merek CHESS.',
    'depot lists no products of the brand CHESS.',
  ],
  noRule: [
    editErrors.noRule('game chess'),
    'Tidak ada aturan margin untuk game chess.',
    'There is no margin rule for game chess.',
  ],
  noPrice: [
    editErrors.noPrice('chess'),
    'Tidak ada aturan margin untuk chess, jadi produknya tidak punya harga. Buat aturannya dulu, misalnya: catalog margin set --percent 8 --round-up 100',
    'There is no margin rule for chess, so its products have no price. Set one first, such as: catalog margin set --percent 8 --round-up 100',
  ],
  belowCost: [
    editErrors.belowCost('P1', 9_999, 10_000),
    'Modal P1 adalah Rp10000. Dengan harga Rp9999, produk ini dijual di bawah modal, dan server akan menutup produk ini.',
    'P1 costs 10,000, so a price of 9,999 would sell it below cost, and the service would close it.',
  ],
  invalid: [
    editErrors.invalid('games[0].title', 'must not be empty'),
    'Katalog akan melanggar aturannya: games[0].title must not be empty.',
    'games[0].title must not be empty.',
  ],
  notTrusted: [
    editErrors.notTrusted('depot', 3, 30),
    'Daftar depot memuat 3 produk, padahal 30 saat harga terakhir dihitung.',
    'The list of depot has 3 products, but had 30 when prices were last computed.',
  ],
  irreversible: [
    editErrors.irreversible(7),
    'Perubahan 7 menambah, menghapus, atau mengganti entri, yang tidak bisa dibatalkan satu per satu. Impor berkas katalog sebelumnya.',
    "Edit 7 added, removed or replaced entries, which can't be undone separately. Import the previous catalogue file.",
  ],
  changedSince: [
    editErrors.changedSince(7, [
      { kind: 'margin', key: 'shop', field: 'rule' },
      ...['P1', 'P2', 'P3', 'P4', 'P5'].map((key) => ({ ...price, key })),
    ]),
    'Setelah perubahan 7, perubahan lain mengubah aturan shop, harga P1, harga P2, harga P3, harga P4 dan 1 lainnya.',
    'Since edit 7, something else changed the rule for shop, the price of P1, the price of P2, the price of P3, the price of P4 and 1 more.',
  ],
};

describe('a rejected edit of the catalogue', () => {
  it.each(Object.entries(refusals))(
    'explains in both languages why an edit is rejected: %s',
    (_reason, [error, id, en]) => {
      expect(error.words({ money })).toEqual({ id, en });
      expect(error.message).toBe(en);
    },
  );
});

describe('an amount that an operator types', () => {
  it.each([
    ['0', 0],
    ['25000', 25_000],
    ['1000000000', 1_000_000_000],
    ['1000000001', null],
    ['25.000', null],
    ['-1', null],
    ['1e3', null],
    [' 1', null],
    ['', null],
  ])('reads the typed amount "%s" as %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it('accepts a typed amount up to the limit of catalogue files', () => {
    const fileWith = (selling_price: number) => {
      const [game, ...games] = sandboxCatalog().games;
      if (!game) throw new Error('no game');
      const products = game.products.map((product) => ({ ...product, selling_price }));
      return {
        ...sandboxCatalog(),
        format: 'topup-kit/catalog@1',
        games: [{ ...game, products }, ...games],
      };
    };
    expect(readCatalogFile(fileWith(highestAmount))).toHaveProperty('catalog');
    expect(readCatalogFile(fileWith(highestAmount + 1))).toHaveProperty('problems');
  });
});

it('explains in both languages why a product keeps its price', () => {
  const row = (code: string, why: KeptOut['why']): KeptOut => ({
    ...{ code, title: 'x', why },
    ...{ cost: 60_000, from: 22_000, to: 66_000 },
  });
  const rows = [row('P1', 'several-prices'), row('P2', 'limit'), row('P3', 'zero'), row('P4', 'far')];
  expect(keptOutWords(rows, money)).toEqual({
    id: 'P1 (beberapa harga di daftar), P2 (harganya menjadi Rp66000, di atas batas katalog), P3 (modal 0 di daftar), P4 (modalnya Rp60000, yang mengubah harganya dari Rp22000 menjadi Rp66000)',
    en: 'P1 (listed at several prices), P2 (its price would be Rp66000, above the maximum price of a catalogue), P3 (listed at 0), P4 (costs Rp60000, which would change its price from Rp22000 to Rp66000)',
  });
  expect(keptOutWords([...rows, ...rows]).en).toMatch(/costs 60,000, .* and 3 more$/);
});
