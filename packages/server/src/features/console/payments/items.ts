import type { ListedRefund } from '@topup-kit/core/engine';
import type { Reconciliation } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionLink } from '../actions.ts';
import { reasonWords, reconciledWords, refundWords } from '../orders/words.ts';
import { badge, facts, orderLink, wordsBadge } from '../parts.ts';
import type { View } from '../view.ts';
import type { PaymentActions } from './payment-actions.ts';

export type { PaymentActions };

const texts = {
  id: {
    order: 'Pesanan',
    noOrder: 'tidak diketahui',
    reference: 'Referensi',
    paid: 'Dibayar',
    refunded: 'Dikembalikan',
    items: 'Untuk barang',
    excess: 'Untuk',
    excessWords: 'yang dibayar di atas total pesanan',
    decided: 'Diputuskan',
    closed: 'Ditutup',
    gateway: 'gateway',
    note: 'Catatan',
    because: 'Karena',
    customer: 'Pelanggan',
    careful: 'Pemasok membantah hasilnya: cari tahu dulu apa yang terkirim.',
  },
  en: {
    order: 'Order',
    noOrder: 'not known',
    reference: 'Reference',
    paid: 'Paid',
    refunded: 'Refunded',
    items: 'For items',
    excess: 'For',
    excessWords: 'what was paid over the order’s total',
    decided: 'Decided',
    closed: 'Closed',
    gateway: 'the gateway',
    note: 'Note',
    because: 'Because',
    customer: 'Customer',
    careful: 'The supplier contradicted itself: find out first what was delivered.',
  },
};

const byWhom = (view: View, who: string | null, at: number): Markup =>
  html`${who ?? view.text(texts).gateway}, ${view.time(at)}`;

/** A payment to reconcile, with what can be done about it. */
export function reconciliationItem(
  view: View,
  one: Reconciliation,
  { settle, giveBack }: PaymentActions,
): Markup {
  const words = view.text(texts);
  const { reconciliationId: id, orderId, reference, amount, reason, state, note } = one;
  const isOpen = state === 'open';
  // A refund is money that left, so it pays for nothing.
  const actions = isOpen
    ? [
        ...(reason === 'refunded' ? [] : [actionLink(view, settle, { id })]),
        actionLink(view, giveBack, { id }),
      ]
    : [];
  return html`<li class="${isOpen ? 'bad' : 'quiet'} row" id="payment-${id}"><strong>${view.money(amount)}</strong> ${badge(view.text(reconciledWords(one)), isOpen ? 'bad' : 'quiet')}
<p>${view.text(reasonWords[reason])}</p>${facts([
    [words.order, orderId === null ? words.noOrder : orderLink(view, orderId)],
    [words.reference, html`<code>${reference}</code>`],
    [reason === 'refunded' ? words.refunded : words.paid, view.time(one.paidAt)],
    [words.closed, one.closedAt === null ? null : byWhom(view, one.closedBy, one.closedAt)],
    [words.note, note === null ? null : html`<span class="note">${note}</span>`],
  ])}<div class="actions">${actions}</div></li>`;
}

/** A refund, with what can be done about it and what is known of its customer. */
export function refundItem(
  view: View,
  { refund, order, isContradicted }: ListedRefund,
  { paid, cancel }: PaymentActions,
): Markup {
  const words = view.text(texts);
  const { refundId: id, amount, state, units, reference, note } = refund;
  const isOpen = state === 'to-pay';
  return html`<li class="${isOpen ? 'bad' : 'quiet'} row" id="refund-${id}"><strong>${view.money(amount)}</strong> ${wordsBadge(view, refundWords[state])}
${isContradicted && isOpen ? html`<p class="notice bad">${words.careful}</p>` : ''}${facts([
  [words.order, orderLink(view, refund.orderId)],
  [words.customer, [order?.contact.whatsapp, order?.contact.email].filter(Boolean).join(', ')],
  units.length === 0 ? [words.excess, words.excessWords] : [words.items, units.join(', ')],
  [words.decided, byWhom(view, refund.operator, refund.at)],
  [words.note, note === null ? null : html`<span class="note">${note}</span>`],
  [words.closed, refund.closedAt === null ? null : byWhom(view, refund.closedBy, refund.closedAt)],
  [state === 'cancelled' ? words.because : words.reference, reference],
])}<div class="actions">${isOpen ? [actionLink(view, paid, { id }), actionLink(view, cancel, { id })] : ''}</div></li>`;
}
