import { amountToPay, attachOrders, withActions } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { chooseButton } from '../actions.ts';
import { unclearItem } from '../orders/unclear-order.ts';
import { limitNotice } from '../paging.ts';
import { card, choiceLink } from '../parts.ts';
import type { ConsolePage, SectionDependencies } from '../section.ts';
import { type PaymentActions, paymentsTable, refundsTable } from './items.ts';

const texts = {
  title: { id: 'Uang yang menunggu', en: 'Money that waits' },
  payments: { id: 'Pembayaran untuk dicocokkan', en: 'Payments to reconcile' },
  noPayments: { id: 'Semua pembayaran cocok dengan pesanannya.', en: 'All payments match their orders.' },
  refunds: { id: 'Pengembalian dana', en: 'Refunds' },
  noRefunds: { id: 'Tidak ada yang harus dibayar kembali.', en: 'There are no refunds to pay.' },
  toPay: { id: 'refund belum dibayar', en: 'refunds to pay' },
  unclear: { id: 'Pesanan yang pembayarannya belum jelas', en: 'Orders whose payment is unclear' },
  noneUnclear: { id: 'Tidak ada.', en: 'None.' },
  closed: { id: 'Termasuk yang selesai', en: 'With closed ones' },
  open: { id: 'Menunggu', en: 'Waiting' },
};

const most = 100;

/** Creates the page of money that waits for an operator: payments that fit no order, open refunds, and orders with an unclear payment. */
export const createPaymentsPage = (
  { store, position }: SectionDependencies,
  actions: PaymentActions,
): ConsolePage => ({
  path: '/payments',
  filters: { closed: ['0', '1'] },
  async render(view, { query }) {
    const words = view.words(texts);
    const showsClosed = query.closed === '1';
    const place = await position();
    const [payments, refunds, reserved] = await Promise.all([
      view.open.listReconciliations(showsClosed ? {} : { state: 'open' }),
      view.open.listRefunds(showsClosed ? undefined : 'to-pay'),
      store.findReservedOrders(most + 1),
    ]);
    const toPay = amountToPay(refunds);
    // Open items are sorted by age, closed items with the newest first.
    const newest = <One>(all: readonly One[]): readonly One[] =>
      showsClosed ? all.slice(-most).toReversed() : all.slice(0, most);
    const [listedPayments, listedRefunds] = await Promise.all([
      withActions(store, newest(payments)),
      attachOrders(store, newest(refunds)),
    ]);
    const named = listedPayments.flatMap(({ payment }) => payment.orderId ?? []);
    const orders = await store.findOrders(named);
    const limit = ({ length }: readonly unknown[]): Markup | '' =>
      limitNotice(view, length, most, showsClosed ? 'newest' : 'oldest');
    return {
      section: 'payments',
      title: words.title,
      actions: chooseButton(view),
      content: html`<nav class="chips" aria-label="${words.title}">${choiceLink(view, { path: '/payments', title: words.open, current: showsClosed ? null : 'true' })}${choiceLink(view, { path: '/payments?closed=1', title: words.closed, current: showsClosed ? 'true' : null })}</nav>
<div id="payments" data-renew>${card(words.payments, html`${limit(payments)}${paymentsTable(view, listedPayments, { orders, caption: words.payments, empty: words.noPayments }, actions)}`)}</div>
<div id="refunds" data-renew><section class="card"><div class="head"><h2>${words.refunds}</h2>${toPay > 0 ? html`<span><b>${view.money(toPay)}</b> ${words.toPay}</span>` : ''}</div>${limit(refunds)}${refundsTable(view, listedRefunds, { caption: words.refunds, empty: words.noRefunds }, actions)}</section>
${card(words.unclear, reserved.length === 0 ? html`<p class="empty">${words.noneUnclear}</p>` : html`${limitNotice(view, reserved.length, most, 'oldest')}<ul class="timeline">${reserved.slice(0, most).map((order) => unclearItem(view, order))}</ul>`, { id: 'unclear' })}</div>`,
      live: { orders: 'all', position: place },
    };
  },
});
