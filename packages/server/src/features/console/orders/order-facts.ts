import { earningsOf, refundBalance } from '@topup-kit/core/engine';
import type { StoredOrder } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { type Content, detailList, profitText } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderStory } from './story.ts';

const texts = {
  paid: { id: 'Dibayar dengan', en: 'Paid by' },
  refunded: { id: 'Sudah dikembalikan', en: 'Refunded so far' },
  owed: { id: 'Tidak terkirim', en: 'Not delivered' },
};

/** Renders the purchase and its customer. */
export const brief = ({ product, game, pricing, contact }: Omit<StoredOrder, 'payment'>): Markup =>
  html`<b>${product.title} × ${pricing.quantity}</b> <span class="soft">${game.title} · ${contact.whatsapp}</span>`;

/** Renders the facts for an action on an order. `more` are the facts of this action only. */
export function orderFacts(
  view: View,
  story: OrderStory,
  more: readonly (readonly [name: string, value: Content | null])[] = [],
): Markup {
  const words = view.words(texts);
  const { order, units } = story;
  const { received, refunded, delivered, owed } = refundBalance(order, story);
  const earnings = earningsOf(story);
  const paid = earnings
    ? ([`${words.paid} ${order.paymentMethod.name}`, view.money(received)] as const)
    : ([words.total, view.money(order.pricing.total_price)] as const);
  return html`<p>${brief(order)}</p>${detailList([
    paid,
    [
      words.delivered,
      units.length === 0 ? null : `${view.number(delivered.length)} ${words.of} ${view.number(units.length)}`,
    ],
    [words.cost, earnings && view.money(earnings.cost)],
    [words.profit, earnings && profitText(view, earnings)],
    [words.refunded, refunded === 0 ? null : view.money(refunded)],
    [words.owed, earnings && owed > 0 ? html`<strong>${view.money(owed)}</strong>` : null],
    ...more,
  ])}`;
}
