import { amountToPay, withActions, withOrders } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { unclearItem } from '../orders/unclear-order.ts';
import { type Content, card } from '../parts.ts';
import type { ConsolePage, SectionDependencies } from '../section.ts';
import { type PaymentActions, reconciliationItem, refundItem } from './items.ts';

const texts = {
  id: {
    title: 'Uang yang menunggu',
    payments: 'Pembayaran untuk dicocokkan',
    noPayments: 'Semua pembayaran cocok dengan pesanannya.',
    refunds: 'Pengembalian dana',
    noRefunds: 'Tidak ada yang harus dibayar kembali.',
    toPay: 'harus dibayar seluruhnya',
    unclear: 'Pesanan yang pembayarannya belum jelas',
    noneUnclear: 'Tidak ada.',
    closed: 'Tampilkan juga yang sudah ditutup',
    open: 'Hanya yang menunggu',
    limited: 'Hanya yang terbaru yang ditampilkan.',
  },
  en: {
    title: 'Money that waits',
    payments: 'Payments to reconcile',
    noPayments: 'All payments fit their orders.',
    refunds: 'Refunds',
    noRefunds: 'Nothing is to be paid back.',
    toPay: 'to pay in all',
    unclear: 'Orders whose payment is unclear',
    noneUnclear: 'None.',
    closed: 'Show those that are closed, too',
    open: 'Only what waits',
    limited: 'Only the newest are shown.',
  },
};

const most = 100;

const items = (list: readonly Markup[], empty: string): Content =>
  list.length === 0 ? html`<p class="empty">${empty}</p>` : html`<ul class="timeline">${list}</ul>`;

/** Money that waits for an operator: payments that fit no order, refunds to pay, and orders whose payment is unclear. */
export const createPaymentsPage = (
  { store, position }: SectionDependencies,
  actions: PaymentActions,
): ConsolePage => ({
  path: '/payments',
  filters: { closed: ['0', '1'] },
  async render(view, { query }) {
    const words = view.text(texts);
    const showsClosed = query.closed === '1';
    const place = await position();
    const [payments, refunds, reserved] = await Promise.all([
      store.listReconciliations(showsClosed ? {} : { state: 'open' }),
      store.listRefunds(showsClosed ? undefined : 'to-pay'),
      store.findReservedOrders(most),
    ]);
    const toPay = amountToPay(refunds);
    // What waits longest comes first; with what is closed, the newest.
    const newest = <One>(all: readonly One[]): readonly One[] =>
      showsClosed ? all.slice(-most).toReversed() : all.slice(0, most);
    const [listedPayments, listedRefunds] = await Promise.all([
      withActions(store, newest(payments)),
      withOrders(store, newest(refunds)),
    ]);
    const isLimited = payments.length > most || refunds.length > most;
    return {
      section: 'payments',
      title: words.title,
      content: html`<p><a href="${view.link(showsClosed ? '/payments' : '/payments?closed=1')}">${showsClosed ? words.open : words.closed}</a></p>
${isLimited ? html`<p class="notice">${words.limited}</p>` : ''}
<div class="columns"><div id="payments" data-renew>${card(
        words.payments,
        items(
          listedPayments.map((listed) => reconciliationItem(view, listed, actions)),
          words.noPayments,
        ),
      )}</div><div id="refunds" data-renew>${card(
        words.refunds,
        html`${toPay > 0 ? html`<p><strong>${view.money(toPay)}</strong> ${words.toPay}</p>` : ''}${items(
          listedRefunds.map((listed) => refundItem(view, listed, actions)),
          words.noRefunds,
        )}`,
      )}${card(
        words.unclear,
        items(
          reserved.map((order) => unclearItem(view, order)),
          words.noneUnclear,
        ),
        { id: 'unclear' },
      )}</div></div>`,
      live: { orders: 'all', position: place },
    };
  },
});
