import { errorBody } from '@topup-kit/core/contract';
import { DomainError, isStoreFailure, OperatorError, OrderChangedError } from '@topup-kit/core/engine';
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
      'The order has changed since this page was opened, perhaps because the same form was sent twice. Nothing was done this time; check it again.',
    noOrder: 'There is no such order.',
    state: 'The state of the order does not allow this:',
  },
};

/** Returns an error's message for operators; null for an internal error. */
export function messageOf(error: unknown, view: View, { settings }: ConsoleDependencies): string | null {
  const words = view.text(texts);
  if (isStoreFailure(error)) return words.storeFails;
  if (error instanceof DomainError) {
    if (error.code === 'STATE_CONFLICT')
      return `${words.state} ${error.params.payment} / ${error.params.buy}.`;
    // The error's own message is for customers, who know invoices.
    if (error.code === 'INVOICE_NOT_FOUND') return words.noOrder;
    return errorBody(error, 'message', { locale: view.locale, currency: settings.currency }).message;
  }
  if (error instanceof OrderChangedError) return words.changed;
  if (error instanceof OperatorError)
    return view.text(error.words({ money: view.money, time: view.exactTime }));
  return null;
}
