import {
  contradictedWords,
  gatewayWords,
  type ListedReconciliation,
  type ListedRefund,
  paymentStateWords,
  purposeWords,
  reasonWords,
  refundRefusal,
  refundStateWords,
} from '@topup-kit/core/engine';
import type { Reconciliation, Refund } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { badge, facts, orderLink, type Tone } from '../parts.ts';
import type { View } from '../view.ts';

export type PaymentActions = Record<'settle' | 'giveBack' | 'paid' | 'cancel', ConsoleAction>;

const texts = {
  id: {
    order: 'Pesanan',
    noOrder: 'tidak diketahui',
    reference: 'Referensi',
    paid: 'Dibayar',
    refunded: 'Dikembalikan',
    purpose: 'Untuk',
    decided: 'Diputuskan',
    closed: 'Ditutup',
    note: 'Catatan',
    because: 'Karena',
    customer: 'Pelanggan',
  },
  en: {
    order: 'Order',
    noOrder: 'not known',
    reference: 'Reference',
    paid: 'Paid',
    refunded: 'Refunded',
    purpose: 'For',
    decided: 'Decided',
    closed: 'Closed',
    note: 'Note',
    because: 'Because',
    customer: 'Customer',
  },
};

const byWhom = (view: View, who: string | null, at: number | null): Markup | null =>
  at === null ? null : html`${who ?? view.text(gatewayWords)}, ${view.time(at)}`;

const noteOf = (note: string | null): Markup | null =>
  note === null ? null : html`<span class="note">${note}</span>`;

export function paymentFacts(view: View, payment: Reconciliation): Markup {
  const words = view.text(texts);
  const { orderId, reference, reason } = payment;
  return facts([
    [words.order, orderId === null ? words.noOrder : orderLink(view, orderId)],
    [words.reference, html`<code>${reference}</code>`],
    [reason === 'refunded' ? words.refunded : words.paid, view.time(payment.paidAt)],
    [words.closed, byWhom(view, payment.closedBy, payment.closedAt)],
    [words.note, noteOf(payment.note)],
  ]);
}

export function refundFacts(view: View, refund: Refund, customer: string | null = null): Markup {
  const words = view.text(texts);
  return facts([
    [words.order, orderLink(view, refund.orderId)],
    [words.customer, customer],
    [words.purpose, view.text(purposeWords(refund))],
    [words.decided, byWhom(view, refund.operator, refund.at)],
    [words.note, noteOf(refund.note)],
    [words.closed, byWhom(view, refund.closedBy, refund.closedAt)],
    [refund.state === 'cancelled' ? words.because : words.reference, refund.reference],
  ]);
}

export function reconciliationItem(
  view: View,
  { payment, canSettle, canReturn }: ListedReconciliation,
  { settle, giveBack }: PaymentActions,
): Markup {
  const { reconciliationId: id } = payment;
  const tone = payment.state === 'open' ? 'bad' : 'quiet';
  return html`<li class="${tone} row" id="payment-${id}"><strong>${view.money(payment.amount)}</strong> ${badge(view.text(paymentStateWords(payment)), tone)}
<p>${view.text(reasonWords[payment.reason])}</p>${paymentFacts(view, payment)}<div class="actions">${[
    ...(canSettle ? [actionLink(view, settle, { id })] : []),
    ...(canReturn ? [actionLink(view, giveBack, { id })] : []),
  ]}</div></li>`;
}

const refundTones: Record<Refund['state'], Tone> = { 'to-pay': 'bad', paid: 'good', cancelled: 'quiet' };

export function refundItem(
  view: View,
  { refund, order, isContradicted }: ListedRefund,
  { paid, cancel }: PaymentActions,
): Markup {
  const { refundId: id, state } = refund;
  const isOpen = refundRefusal(refund) === null;
  const customer = [order?.contact.whatsapp, order?.contact.email].filter(Boolean).join(', ');
  return html`<li class="${isOpen ? 'bad' : 'quiet'} row" id="refund-${id}"><strong>${view.money(refund.amount)}</strong> ${badge(view.text(refundStateWords[state]), refundTones[state])}
${isContradicted && isOpen ? html`<p class="notice bad">${view.text(contradictedWords)}</p>` : ''}${refundFacts(view, refund, customer)}<div class="actions">${isOpen ? [actionLink(view, paid, { id }), actionLink(view, cancel, { id })] : ''}</div></li>`;
}
