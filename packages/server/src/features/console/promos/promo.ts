import { overusedWords } from '@topup-kit/core/engine';
import type { Catalog, Promo } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { InputError } from '../actions.ts';
import type { SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  most: { id: 'maks.', en: 'max' },
  from: { id: 'mulai', en: 'from' },
  perCustomer: { id: 'per pelanggan', en: 'per customer' },
  losses: {
    id: 'produk akan dijual di bawah modal dengan promo ini; server menolaknya untuk produk itu.',
    en: 'products would be sold below cost with this promo; the server rejects it for these products.',
  },
};

export function offText(view: View, { discount }: Promo): string {
  const { max_discount: most } = discount;
  const off =
    discount.type === 'PERCENT' ? `${view.number(discount.basis_points / 100)}%` : view.money(discount.value);
  return most === null ? off : `${off}, ${view.words(texts).most} ${view.money(most)}`;
}

/** Renders the conditions of a promo in words, with the titles of products and methods. */
export function conditionText(view: View, promo: Promo, { games, payment_methods }: Catalog): string {
  const words = view.words(texts);
  const products = games.flatMap((game) => game.products);
  return [
    ...(promo.minimum_purchase > 0 ? [`${words.from} ${view.money(promo.minimum_purchase)}`] : []),
    ...(promo.per_customer === null ? [] : [`${view.number(promo.per_customer)} ${words.perCustomer}`]),
    ...promo.games.flatMap((slug) => games.find((game) => game.slug === slug)?.title ?? slug),
    ...promo.products.flatMap((id) => products.find((product) => product.id === id)?.title ?? String(id)),
    ...promo.payment_methods.flatMap(
      (id) => payment_methods.find((method) => method.id === id)?.name ?? String(id),
    ),
  ].join(', ');
}

export const lossesNotice = (view: View, losses: readonly unknown[]): Markup | '' =>
  losses.length === 0
    ? ''
    : html`<p class="notice wait">${view.number(losses.length)} ${view.words(texts).losses}</p>`;

/** Stores a promo and the operator's name. @throws InputError if the promo was already used more often than its quota allows. */
export async function savePromo(
  { store, realClock }: SectionDependencies,
  promo: Promo,
  { visitor: { operator } }: View,
): Promise<void> {
  const outcome = await store.putPromo(promo);
  if ('conflict' in outcome) throw new InputError(overusedWords(outcome));
  await store.addActivity({
    at: realClock(),
    operator,
    action: 'promo.saved',
    subject: promo.code,
    amount: null,
  });
}
