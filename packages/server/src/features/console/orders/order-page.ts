import { createUrls } from '@topup-kit/core/app';
import { alertDescriptions, commandRefusal, type OperatorCommand, withActions } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { card } from '../parts.ts';
import { type PaymentActions, paymentsTable, refundsTable } from '../payments/items.ts';
import type { ConsolePage, CreateOrderCard, SectionDependencies } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { View } from '../view.ts';
import { copyId, customerCard, priceCard } from './cards.ts';
import type { OrderActions } from './order-actions.ts';
import { isLate, problemOf, reasonOf, type ShownProblem, stateBadge } from './order-state.ts';
import { type OrderStory, readStory } from './story.ts';
import { timeline } from './timeline.ts';
import { unclearPage } from './unclear-order.ts';
import { unitsCard } from './units-card.ts';

const texts = {
  player: { id: 'pemain', en: 'player' },
  story: { id: 'Riwayat', en: 'Timeline' },
  money: { id: 'Uang yang menunggu', en: 'Money that waits' },
  stuck: {
    id: 'Cari referensinya di pemasok, lalu tandai pesanan ini.',
    en: 'Look up the reference at the supplier, and mark the order.',
  },
  asking: {
    id: 'Jika pemasok sedang gangguan, tunggu: server terus bertanya.',
    en: 'If the supplier is down, wait: the server keeps asking.',
  },
};

/** Seconds between two refreshes of an order in delivery, whose items change without a change of the order. */
const inDeliverySeconds = 5;

/** Returns the actions that the order's state allows, most likely first. */
function possibleActions(story: OrderStory, all: OrderActions['one']): ConsoleAction[] {
  const { order, units } = story;
  const may = (does: OperatorCommand['does']): boolean => commandRefusal(story, does) === null;
  const hasFailed = units.some(({ state, contradiction }) => state === 'failed' && contradiction === null);
  const refund = may('refund') ? [all.refund] : [];
  const isDelivered = order.buyStatus === 'Sukses';
  return [
    ...(may('retry') ? [hasFailed ? all.retry : all.tryNow] : []),
    ...(isDelivered ? [] : refund),
    ...(may('mark') ? [all.mark] : []),
    all.note,
    ...(isDelivered ? refund : []),
  ];
}

/** Explains why an order in delivery does not proceed, and what to do; nothing for other problems. */
function problemNotice(view: View, { units }: OrderStory, problem: ShownProblem | undefined): Markup | '' {
  const words = view.words(texts);
  if (problem === 'contradicted')
    return html`<p class="notice bad">${view.text(alertDescriptions.contradictions.advice)}</p>`;
  if (problem === 'unfunded')
    return html`<p class="notice wait">${view.text(alertDescriptions['waiting-for-balance'].advice)}</p>`;
  const late = problem === 'stuck' && units.find((unit) => isLate(unit, view.now));
  if (!late) return '';
  return html`<p class="notice wait"><span>${reasonOf(view, units)} ${words.stuck} ${late.state === 'asked' ? words.asking : ''}</span></p>`;
}

/** Renders the payments and refunds of an order that wait for an operator. */
async function moneyCard(
  view: View,
  { order, units, reconciliations, refunds }: OrderStory,
  { store, actions }: { store: Store; actions: PaymentActions },
): Promise<Markup | ''> {
  const open = reconciliations.filter(({ state }) => state === 'open');
  const toPay = refunds.filter(({ state }) => state === 'to-pay');
  if (open.length + toPay.length === 0) return '';
  const isContradicted = units.some(({ contradiction }) => contradiction !== null);
  const caption = view.words(texts).money;
  return card(caption, [
    open.length === 0
      ? ''
      : paymentsTable(view, await withActions(store, open), { orders: [order], caption, empty: '' }, actions),
    toPay.length === 0
      ? ''
      : refundsTable(
          view,
          toPay.map((refund) => ({ refund, order, isContradicted })),
          { caption, empty: '', isAlone: true },
          actions,
        ),
  ]);
}

export function createOrderPage(
  deps: SectionDependencies,
  {
    orders,
    abandon,
    payments,
    cards,
  }: {
    orders: OrderActions['one'];
    abandon: ConsoleAction;
    payments: PaymentActions;
    cards: readonly (NonNullable<ReturnType<CreateOrderCard>> & { name: string })[];
  },
): ConsolePage {
  const { store, settings } = deps;
  const urls = createUrls(settings.publicUrl);
  return {
    path: '/orders/:id',
    async render(view, { params: { id = '' } }) {
      const words = view.words(texts);
      const position = await deps.position();
      const story = await readStory(store, id);
      if (!story) return unclearPage(view, id, { ...deps, abandon });
      const { order } = story;
      const { product, game, pricing, target, contact } = order;
      const problem = problemOf(story, view.now);
      const possible = possibleActions(story, orders);
      const actions = possible.map((action) =>
        actionLink(
          view,
          action,
          { id },
          { kind: action === orders.retry || action === orders.tryNow ? 'main' : '' },
        ),
      );
      const mark = possible.includes(orders.mark) ? orders.mark : null;
      return {
        section: 'orders',
        title: order.orderId,
        back: { path: '/orders', title: view.text(sectionTitles.orders) },
        content: html`<div id="order-head" class="card title" data-renew><div><p class="dots">${stateBadge(view, order, problem)} ${copyId(view, id)}</p><p class="figure">${view.money(pricing.total_price)}</p>
<p class="dots"><span><b>${product.title} × ${pricing.quantity}</b> ${game.title}</span><span class="soft">${words.player} ${target.id}</span><span class="soft">${contact.whatsapp}</span>${view.time(order.createdAt)}</p></div><div class="actions">${actions}</div></div>
<div id="order-units" data-renew>${problemNotice(view, story, problem)}${unitsCard(view, story, mark)}</div>
<div class="columns"><div><div id="order-money" data-renew>${await moneyCard(view, story, { store, actions: payments })}</div>
<div id="order-story" data-renew>${card(words.story, timeline(view, story))}</div></div>
<div>${cards.map(({ name, render }) => html`<div id="order-${name}" data-renew>${render(view, story)}</div>`)}
<div id="order-customer" data-renew>${customerCard(view, story, { urls })}</div>
<div id="order-price" data-renew>${priceCard(view, story)}</div></div></div>`,
        live: {
          orders: id,
          position,
          ...(order.buyStatus === 'Proses' && { everySeconds: inDeliverySeconds }),
        },
      };
    },
  };
}
