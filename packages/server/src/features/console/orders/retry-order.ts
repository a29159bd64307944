import { type RetryOrder, retryOrder } from '@topup-kit/core/engine';
import type { ActionInput } from '../actions.ts';
import type { ConsoleDependencies } from '../view.ts';
import { badAmount, type OrderAction, readNumber } from './order-action.ts';

const texts = {
  upTo: { id: 'Harga beli paling tinggi per barang', en: 'Highest cost of an item' },
  costsNow: { id: 'Harga beli sekarang di', en: 'Cost of an item now at' },
  balance: { id: 'Saldo di', en: 'Balance at' },
  failedFor: { id: 'Alasan pemasok', en: 'The supplier’s reason' },
};

const readRetry = ({ fields, note }: ActionInput): RetryOrder => ({
  note,
  maxLoss: readNumber(fields.maxLoss, badAmount),
});

export const retryOf = ({ store, settings, engine, providers }: ConsoleDependencies): OrderAction => ({
  name: 'retry',
  title: { id: 'Kirim ulang', en: 'Retry' },
  does: 'retry',
  fields: () => [
    {
      name: 'maxLoss',
      label: { id: 'Kerugian maksimum per barang', en: 'Accepted loss of an item' },
      hint: {
        id: `Kelebihan modal maksimum dari harga jual, dalam satuan terkecil ${settings.currency}. Kosong: tanpa kerugian.`,
        en: `Maximum amount by which an item's cost may exceed its price, in the smallest unit of ${settings.currency}. Empty: no loss.`,
      },
    },
  ],
  async details(view, { order, units }) {
    const words = view.words(texts);
    const [{ listing }, balances] = await Promise.all([engine.catalog(), store.readSupplierBalances()]);
    const costs = providers.suppliers.flatMap((supplier) => {
      const price = listing.findAt(order.product, supplier)?.price;
      return price === undefined ? [] : [[`${words.costsNow} ${supplier}`, view.money(price)] as const];
    });
    return [
      [words.failedFor, units.find(({ reason }) => reason !== null)?.reason ?? null],
      ...costs,
      [words.upTo, view.money(order.pricing.unit_price_before_promo)],
      ...balances.map(
        ({ supplier, balance }) => [`${words.balance} ${supplier}`, view.money(balance)] as const,
      ),
    ];
  },
  perform: (operator, id, input) => retryOrder(operator, id, readRetry(input)),
});
