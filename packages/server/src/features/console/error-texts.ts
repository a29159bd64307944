import { errorBody } from '@topup-kit/core/contract';
import {
  DomainError,
  EditError,
  type EditProblem,
  isOfStore,
  OperatorError,
  OrderChangedError,
} from '@topup-kit/core/engine';
import { fieldNames } from './catalog/words.ts';
import type { ConsoleDependencies, View } from './view.ts';

const texts = {
  id: {
    storeFails:
      'Penyimpanan sedang tidak menerima perubahan, jadi tidak ada yang dilakukan. Isian Anda tetap di sini; coba lagi.',
    changed:
      'Pesanan ini sudah berubah sejak halaman ini dibuka, mungkin karena formulir yang sama terkirim dua kali. Kali ini tidak ada yang dilakukan; periksa sekali lagi.',
    noOrder: 'Pesanan ini tidak ada.',
    state: 'Keadaan pesanan tidak memungkinkan ini:',
  },
  en: {
    storeFails:
      'The store accepts no changes at the moment, so nothing was done. What you typed is still here; try again.',
    changed:
      'The order has changed since this page was opened, perhaps because the same form was sent twice. Nothing was done this time; check it once more.',
    noOrder: 'There is no such order.',
    state: 'The state of the order does not allow this:',
  },
};

// In English, the words of this error are those of the command line.

/** How many of what was changed since are named. */
const maxNamed = 5;

function editInIndonesian(view: View, problem: EditProblem): string {
  switch (problem.is) {
    case 'no-product':
      return `Katalog tidak punya produk ${problem.codes.join(', ')}.`;
    case 'no-game':
      return `Katalog tidak punya game ${problem.slug}.`;
    case 'below-cost':
      return `Modal ${problem.code} adalah ${view.money(problem.cost)}, jadi harga ${view.money(problem.price)} menjualnya di bawah modal, dan server akan menutupnya.`;
    case 'irreversible':
      return `Perubahan ${problem.edit} menambah, menghapus, atau mengganti entri, yang tidak bisa dibatalkan satu per satu. Impor berkas katalog yang sebelumnya.`;
    case 'changed-since': {
      const names = problem.values.map(({ field, key }) => `${fieldNames.get(field)?.id ?? field} ${key}`);
      const more = names.length > maxNamed ? ` dan ${names.length - maxNamed} lainnya` : '';
      return `Sejak perubahan ${problem.edit}, yang lain mengubah ${names.slice(0, maxNamed).join(', ')}${more}.`;
    }
  }
}

/** An error as the operator is told of it; null when it is none that they can do something about. */
export function messageOf(error: unknown, view: View, { settings }: ConsoleDependencies): string | null {
  const words = view.text(texts);
  if (isOfStore(error)) return words.storeFails;
  if (error instanceof DomainError) {
    if (error.code === 'STATE_CONFLICT')
      return `${words.state} ${error.params.payment} / ${error.params.buy}.`;
    // Its own words are for customers, who know invoices.
    if (error.code === 'INVOICE_NOT_FOUND') return words.noOrder;
    return errorBody(error, 'message', { locale: view.locale, currency: settings.currency }).message;
  }
  if (error instanceof OrderChangedError) return words.changed;
  if (error instanceof OperatorError)
    return view.text(error.words({ money: view.money, time: view.exactTime }));
  if (!(error instanceof EditError)) return null;
  const { about, message } = error;
  return view.text({ id: about === null ? message : editInIndonesian(view, about), en: message });
}
