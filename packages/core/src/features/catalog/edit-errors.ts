import type { Localised } from '../../contract/index.ts';
import { type Formats, OperatorError } from '../../engine/errors.ts';
import type { EditedValue } from '../../store/index.ts';

type Words = (show: Pick<Formats, 'money'>) => Localised;

/** The error for a rejected edit of the catalogue. Nothing was changed. */
export class EditError extends OperatorError {
  override readonly name = 'EditError';
  /** `unknown`: the catalogue lacks an entry that the edit names; `no-rule`: the margin rule is not found; `refused`: it would do harm. */
  readonly problem: 'unknown' | 'no-rule' | 'refused';
  readonly words: Words;

  constructor(problem: EditError['problem'], words: Localised | Words) {
    const wordsOf = typeof words === 'function' ? words : () => words;
    super(wordsOf({ money: grouped }).en);
    this.problem = problem;
    this.words = wordsOf;
  }
}

/** The error for an edit whose catalogue has changed since the operator's preview. Nothing was edited. */
export class CatalogChangedError extends OperatorError {
  override readonly name = 'CatalogChangedError';
  readonly words = (): Localised => ({
    id: 'Katalog sudah berubah sejak halaman ini dibuka, jadi tidak ada yang dilakukan. Periksa lagi.',
    en: 'The catalogue has changed in the meantime, so nothing was done. Check it again.',
  });
}

export const grouped = (amount: number): string => amount.toLocaleString('en');

/** Words for the fields that operators change most. `phrase` is for an English sentence. */
export const editedFields: ReadonlyMap<string, Localised & { phrase: string }> = new Map([
  ['selling_price', { id: 'harga', en: 'price', phrase: 'the price' }],
  ['price_locked', { id: 'kunci harga', en: 'price lock', phrase: 'the lock' }],
  ['status', { id: 'buka', en: 'open', phrase: 'open or closed' }],
  ['rule', { id: 'aturan', en: 'rule', phrase: 'the rule' }],
]);

const maxNamed = 5;

/** Writes the first names of a list, and the number of other names. */
export function firstNames(names: readonly Localised[]): Localised {
  const [first, more] = [names.slice(0, maxNamed), names.length - maxNamed];
  return {
    id: first.map(({ id }) => id).join(', ') + (more > 0 ? ` dan ${more} lainnya` : ''),
    en: first.map(({ en }) => en).join(', ') + (more > 0 ? ` and ${more} more` : ''),
  };
}

/** Creates the error for each reason to reject an edit. Amounts are per unit: integers in the smallest unit. */
export const editErrors = {
  noProduct: (codes: readonly string[]) =>
    new EditError('unknown', {
      id: `Katalog tidak punya produk ${codes.join(', ')}.`,
      en: `The catalogue has no product ${codes.join(', ')}.`,
    }),
  noGame: (slug: string) =>
    new EditError('unknown', {
      id: `Katalog tidak punya game ${slug}.`,
      en: `The catalogue has no game ${slug}.`,
    }),
  noMethod: (codes: readonly string[], has: readonly string[]) =>
    new EditError('unknown', {
      id: `Katalog tidak punya metode pembayaran ${codes.join(', ')}; yang ada: ${has.join(', ') || 'tidak ada'}.`,
      en: `The catalogue has no payment method ${codes.join(', ')}; it has ${has.join(', ') || 'none'}.`,
    }),
  /** `has` names the existing categories. */
  noCategory: (category: string, has: string) =>
    new EditError('unknown', {
      id: `Katalog tidak punya kategori ${category}; yang ada: ${has || 'tidak ada'}.`,
      en: `The catalogue has no category ${category}; it has ${has || 'none'}.`,
    }),
  noBrand: (supplier: string, brands: readonly string[]) =>
    new EditError('unknown', {
      id: `Daftar ${supplier} tidak memuat merek ${brands.join(', ')}.`,
      en: `${supplier} lists no products of the brand ${brands.join(', ')}.`,
    }),
  noRule: (scope: string) =>
    new EditError('no-rule', {
      id: `Tidak ada aturan margin untuk ${scope}.`,
      en: `There is no margin rule for ${scope}.`,
    }),
  noPrice: (slug: string) =>
    new EditError('refused', {
      id: `Tidak ada aturan margin untuk ${slug}, jadi produknya tidak punya harga. Buat aturannya dulu, misalnya: catalog margin set --percent 8 --round-up 100`,
      en: `There is no margin rule for ${slug}, so its products have no price. Set one first, such as: catalog margin set --percent 8 --round-up 100`,
    }),
  belowCost: (code: string, price: number, cost: number) =>
    new EditError('refused', ({ money }) => ({
      id: `Modal ${code} adalah ${money(cost)}. Dengan harga ${money(price)}, produk ini dijual di bawah modal, dan server akan menutup produk ini.`,
      en: `${code} costs ${grouped(cost)}, so a price of ${grouped(price)} would sell it below cost, and the service would close it.`,
    })),
  /** `rule` is a rule of catalogue files that the catalogue would break, in English. */
  invalid: (path: string, rule: string) =>
    new EditError('refused', {
      id: `Katalog akan melanggar aturannya: ${path} ${rule}.`,
      en: `${path} ${rule}.`,
    }),
  notTrusted: (supplier: string, has: number, had: number) =>
    new EditError('refused', {
      id: `Daftar ${supplier} memuat ${has} produk, padahal ${had} saat harga terakhir dihitung.`,
      en: `The list of ${supplier} has ${has} products, but had ${had} when prices were last computed.`,
    }),
  irreversible: (edit: number) =>
    new EditError('refused', {
      id: `Perubahan ${edit} menambah, menghapus, atau mengganti entri, yang tidak bisa dibatalkan satu per satu. Impor berkas katalog sebelumnya.`,
      en: `Edit ${edit} added, removed or replaced entries, which can't be undone separately. Import the previous catalogue file.`,
    }),
  changedSince(edit: number, values: readonly Pick<EditedValue, 'kind' | 'key' | 'field'>[]) {
    const { id, en } = firstNames(
      values.map(({ kind, key, field }) => {
        const { id = field, phrase = field } = editedFields.get(field) ?? {};
        return { id: `${id} ${key}`, en: `${phrase} ${kind === 'margin' ? 'for' : 'of'} ${key}` };
      }),
    );
    return new EditError('refused', {
      id: `Setelah perubahan ${edit}, perubahan lain mengubah ${id}.`,
      en: `Since edit ${edit}, something else changed ${en}.`,
    });
  },
};
