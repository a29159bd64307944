import { abandonOrder, abandonWords, findAbandonable, findUnclear } from '@topup-kit/core/engine';
import type { ReservedOrder } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import type { Page } from '../page.ts';
import { badge, card, detailList, orderLink } from '../parts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { operatorOf } from './order-action.ts';

const texts = {
  unclear: { id: 'pembayaran belum jelas', en: 'payment unclear' },
  why: {
    id: 'Tidak diketahui apakah pesanan ini punya pembayaran di gateway. Server terus bertanya. Jika dasbor gateway tidak memuatnya, lepaskan pesanan ini.',
    en: 'It is unknown whether the gateway has a payment for this order. The server keeps asking. If the gateway’s dashboard shows no payment, abandon the order.',
  },
  creating: {
    id: 'Pembayarannya mungkin masih dibuat; server menyelesaikannya sendiri.',
    en: 'The gateway may still be creating its payment. The server resolves this automatically.',
  },
};

function known(view: View, order: ReservedOrder): Markup {
  const words = view.words(texts);
  const { product, game, pricing, contact, paymentMethod, createdAt } = order;
  return detailList([
    [words.placed, view.time(createdAt)],
    [words.product, `${game.title}, ${product.title} × ${pricing.quantity}`],
    [words.method, paymentMethod.name],
    [words.total, view.money(pricing.total_price)],
    [words.phone, contact.whatsapp],
  ]);
}

const listed = (view: View, order: ReservedOrder): Markup =>
  html`${orderLink(view, order.orderId)}${known(view, order)}`;

/** Creates the action that gives up an order without a payment. The order stays FAILED. */
export const createAbandonAction = (deps: ConsoleDependencies): ConsoleAction => ({
  path: '/orders/:id/abandon',
  section: 'orders',
  title: { id: 'Lepaskan', en: 'Abandon' },
  noteLabel: {
    id: 'Dari mana Anda tahu bahwa pesanan ini tidak bisa dibayar',
    en: 'How you know that it can’t be paid',
  },
  async preview({ params: { id = '' } }, view) {
    const order = await findAbandonable(operatorOf(deps, view), id);
    return html`<p>${view.text(abandonWords(id))}</p>${listed(view, order)}`;
  },
  async perform({ params: { id = '' }, note }, view) {
    await abandonOrder(operatorOf(deps, view), id, note);
    return '/payments';
  },
});

/** Renders the page of an order whose payment is unclear; null if the order is not found. */
export async function unclearPage(
  view: View,
  orderId: string,
  { store, now, abandon }: ConsoleDependencies & { abandon: ConsoleAction },
): Promise<Page | null> {
  const words = view.words(texts);
  const order = await store.findReservedOrder(orderId);
  if (!order) return null;
  const isUnclear = (await findUnclear({ store, worldClock: now }, orderId)).state === 'unclear';
  return {
    section: 'orders',
    title: orderId,
    actions: isUnclear ? actionLink(view, abandon, { id: orderId }, { kind: 'danger' }) : '',
    content: html`<p>${badge(words.unclear, isUnclear ? 'bad' : 'busy')}</p><p>${isUnclear ? words.why : words.creating}</p>
${card(words.order, known(view, order))}`,
  };
}

export const unclearItem = (view: View, order: ReservedOrder): Markup =>
  html`<li class="busy row" id="reserved-${order.orderId}">${listed(view, order)}</li>`;
