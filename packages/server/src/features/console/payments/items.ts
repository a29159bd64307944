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
import type { Reconciliation, Refund, StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { type ConsoleAction, choosing, rowActions } from '../actions.ts';
import type { IconName } from '../icons.ts';
import { type Content, dataTable, detailList, orderLink, state, type Tone } from '../parts.ts';
import type { View } from '../view.ts';

export type PaymentActions = Record<
  'settle' | 'giveBack' | 'paid' | 'cancel' | 'paidMany' | 'cancelMany',
  ConsoleAction
>;

const texts = {
  order: { id: 'Pesanan', en: 'Order' },
  noOrder: { id: 'tidak diketahui', en: 'not known' },
  reference: { id: 'Referensi', en: 'Reference' },
  paid: { id: 'Dibayar', en: 'Paid' },
  refunded: { id: 'Dikembalikan', en: 'Refunded' },
  purpose: { id: 'Untuk', en: 'For' },
  decided: { id: 'Diputuskan', en: 'Decided' },
  closed: { id: 'Ditutup', en: 'Closed' },
  note: { id: 'Catatan', en: 'Note' },
  because: { id: 'Karena', en: 'Because' },
  customer: { id: 'Pelanggan', en: 'Customer' },
  state: { id: 'Status', en: 'State' },
  open: { id: 'Menunggu', en: 'Open' },
  amount: { id: 'Jumlah', en: 'Amount' },
  total: { id: 'Total pesanan', en: 'Total of the order' },
  time: { id: 'Waktu', en: 'Time' },
};

const byWhom = (view: View, who: string | null, at: number | null): Markup | null =>
  at === null ? null : html`${who ?? view.text(gatewayWords)}, ${view.time(at)}`;

const noteOf = (note: string | null): Markup | null =>
  note === null ? null : html`<span class="note">${note}</span>`;

export function paymentFacts(view: View, payment: Reconciliation, order?: StoredOrder): Markup {
  const words = view.words(texts);
  const { orderId, reference, reason } = payment;
  return detailList([
    [words.order, orderId === null ? words.noOrder : orderLink(view, orderId)],
    [words.amount, view.money(payment.amount)],
    [words.total, order ? view.money(order.pricing.total_price) : null],
    [words.reference, html`<code>${reference}</code>`],
    [reason === 'refunded' ? words.refunded : words.paid, view.time(payment.paidAt)],
    [words.closed, byWhom(view, payment.closedBy, payment.closedAt)],
    [words.note, noteOf(payment.note)],
  ]);
}

export function refundFacts(view: View, refund: Refund): Markup {
  const words = view.words(texts);
  return detailList([
    [words.order, orderLink(view, refund.orderId)],
    [words.amount, view.money(refund.amount)],
    [words.purpose, view.text(purposeWords(refund))],
    [words.decided, byWhom(view, refund.operator, refund.at)],
    [words.note, noteOf(refund.note)],
    [words.closed, byWhom(view, refund.closedBy, refund.closedAt)],
    [refund.state === 'cancelled' ? words.because : words.reference, refund.reference],
  ]);
}

export const refundState = (view: View, { state: is }: Refund): Markup =>
  state(...refundLooks[is], view.text(refundStateWords[is]));

/** A row's text about an order: the purchase with a link, and more. */
const bought = (
  view: View,
  order: StoredOrder | undefined | null,
  orderId: string | null,
  more: Content,
): Markup =>
  html`${
    orderId === null
      ? html`<b>${view.text(texts.noOrder)}</b>`
      : html`<a class="open step" href="${view.link(`/orders/${orderId}`)}">${order ? `${order.product.title} × ${order.pricing.quantity}` : orderId.slice(-8)}</a>`
  } <span class="soft whole">${more}</span>`;

/** Joins the known parts with dots. */
const joined = (...parts: readonly (Content | null)[]): Content =>
  parts
    .filter((part) => part !== null && part !== '')
    .map((part, index) => [index > 0 ? ' · ' : '', part ?? '']);

/** The table of payments to reconcile with their actions. `orders` are the orders that they name. */
export function paymentsTable(
  view: View,
  listed: readonly ListedReconciliation[],
  { orders, caption, empty }: { orders: readonly StoredOrder[]; caption: string; empty: string },
  { settle, giveBack }: PaymentActions,
): Markup {
  const words = view.words(texts);
  const orderOf = ({ payment }: ListedReconciliation) =>
    orders.find(({ orderId }) => orderId === payment.orderId);
  return dataTable(listed, {
    caption,
    columns: [
      {
        title: words.state,
        cell: ({ payment }) =>
          payment.state === 'open'
            ? state('bad', 'wallet', words.open)
            : state('quiet', 'check', view.text(paymentStateWords(payment))),
        as: 'status',
      },
      { title: words.amount, cell: ({ payment }) => view.money(payment.amount), isNumber: true, as: 'total' },
      {
        title: words.order,
        cell: (listed) =>
          bought(
            view,
            orderOf(listed),
            listed.payment.orderId,
            joined(
              view.text(reasonWords[listed.payment.reason]),
              html`<code>${listed.payment.reference}</code>`,
              byWhom(view, listed.payment.closedBy, listed.payment.closedAt),
              listed.payment.note,
            ),
          ),
        as: 'what',
      },
      { title: words.customer, cell: (listed) => orderOf(listed)?.contact.whatsapp ?? '', as: 'who' },
      { title: words.time, cell: ({ payment }) => view.time(payment.paidAt), as: 'when' },
      {
        title: '',
        cell: ({ payment: { reconciliationId: id }, canSettle, canReturn }) =>
          rowActions(view, `payment-${id}`, { id }, [
            ...(canSettle ? [settle] : []),
            ...(canReturn ? [giveBack] : []),
          ]),
        as: 'act',
      },
    ],
    idOf: ({ payment }) => `payment-${payment.reconciliationId}`,
    toneOf: ({ payment }) => (payment.state === 'open' ? 'bad' : 'quiet'),
    empty,
  });
}

/** The table of refunds with their actions and their customers. */
export function refundsTable(
  view: View,
  listed: readonly ListedRefund[],
  { caption, empty, isAlone }: { caption: string; empty: string; isAlone?: true },
  { paid, cancel, paidMany, cancelMany }: PaymentActions,
): Markup {
  const words = view.words(texts);
  const isOpen = ({ refund }: ListedRefund): boolean => refundRefusal(refund) === null;
  return dataTable(listed, {
    caption,
    columns: [
      {
        title: words.state,
        cell: ({ refund }) => refundState(view, refund),
        as: 'status',
      },
      { title: words.amount, cell: ({ refund }) => view.money(refund.amount), isNumber: true, as: 'total' },
      {
        title: words.order,
        cell: (listed) => {
          const { refund, order, isContradicted } = listed;
          const more = joined(
            view.text(purposeWords(refund)),
            refund.operator,
            refund.note,
            byWhom(view, refund.closedBy, refund.closedAt),
            refund.reference &&
              `${refund.state === 'cancelled' ? words.because : words.reference} ${refund.reference}`,
          );
          return html`${bought(view, order, refund.orderId, more)}${isContradicted && isOpen(listed) ? html`<p class="notice bad">${view.text(contradictedWords)}</p>` : ''}`;
        },
        as: 'what',
      },
      {
        title: words.customer,
        cell: ({ order }) =>
          html`<span title="${order?.contact.email ?? ''}">${order?.contact.whatsapp ?? ''}</span>`,
        as: 'who',
      },
      { title: words.time, cell: ({ refund }) => view.time(refund.at), as: 'when' },
      {
        title: '',
        cell: (listed) => {
          const { refundId: id } = listed.refund;
          return isOpen(listed) ? rowActions(view, `refund-${id}`, { id }, [paid, cancel]) : '';
        },
        as: 'act',
      },
    ],
    idOf: ({ refund }) => `refund-${refund.refundId}`,
    toneOf: (listed) => (isOpen(listed) ? 'bad' : 'quiet'),
    empty,
    choosing: isAlone
      ? null
      : choosing(view, [paidMany, cancelMany], (listed) => (isOpen(listed) ? listed.refund.refundId : null)),
  });
}

const refundLooks: Record<Refund['state'], readonly [Tone, IconName]> = {
  'to-pay': ['bad', 'undo'],
  paid: ['good', 'check'],
  cancelled: ['quiet', 'cross'],
};
