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
import {
  type Content,
  column,
  dataTable,
  detailList,
  numberColumn,
  orderLink,
  state,
  type Tone,
} from '../parts.ts';
import type { View } from '../view.ts';

export type PaymentActions = Record<
  'settle' | 'giveBack' | 'paid' | 'cancel' | 'paidMany' | 'cancelMany',
  ConsoleAction
>;

const texts = {
  noOrder: { id: 'tidak diketahui', en: 'not known' },
  refunded: { id: 'Dikembalikan', en: 'Refunded' },
  purpose: { id: 'Untuk', en: 'For' },
  decided: { id: 'Diputuskan', en: 'Decided' },
  closed: { id: 'Ditutup', en: 'Closed' },
  note: { id: 'Catatan', en: 'Note' },
  because: { id: 'Karena', en: 'Because' },
  open: { id: 'Menunggu', en: 'Open' },
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

/** Renders a row's text about an order: the purchase with a link, and further details. */
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
    .filter((part) => part !== null && String(part) !== '')
    .map((part, index) => [index > 0 ? ' · ' : '', part ?? '']);

/** Renders the table of payments to reconcile with their actions. `orders` are the orders that the payments name. */
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
      column('status', words.state, ({ payment }) =>
        payment.state === 'open'
          ? state('bad', 'wallet', words.open)
          : state('quiet', 'check', view.text(paymentStateWords(payment))),
      ),
      numberColumn('total', words.amount, ({ payment }) => view.money(payment.amount)),
      column('what', words.order, (listed) => {
        const { orderId, reason, reference, closedBy, closedAt, note } = listed.payment;
        const [why, name] = [view.text(reasonWords[reason]), html`<code>${reference}</code>`];
        return bought(
          view,
          orderOf(listed),
          orderId,
          joined(why, name, byWhom(view, closedBy, closedAt), note),
        );
      }),
      column('who', words.customer, (listed) => orderOf(listed)?.contact.whatsapp ?? ''),
      column('when', words.time, ({ payment }) => view.time(payment.paidAt)),
      column('act', '', ({ payment: { reconciliationId: id }, canSettle, canReturn }) =>
        rowActions(view, `payment-${id}`, { id }, [
          ...(canSettle ? [settle] : []),
          ...(canReturn ? [giveBack] : []),
        ]),
      ),
    ],
    idOf: ({ payment }) => `payment-${payment.reconciliationId}`,
    toneOf: ({ payment }) => (payment.state === 'open' ? 'bad' : 'quiet'),
    empty,
  });
}

/** Renders the table of refunds with their actions and their customers. */
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
      column('status', words.state, ({ refund }) => refundState(view, refund)),
      numberColumn('total', words.amount, ({ refund }) => view.money(refund.amount)),
      column('what', words.order, (listed) => {
        const { refund, order, isContradicted } = listed;
        const { operator, note, closedBy, closedAt, reference } = refund;
        const under = refund.state === 'cancelled' ? words.because : words.reference;
        const closed = joined(byWhom(view, closedBy, closedAt), reference && `${under} ${reference}`);
        const more = joined(view.text(purposeWords(refund)), operator, note, closed);
        return html`${bought(view, order, refund.orderId, more)}${isContradicted && isOpen(listed) ? html`<p class="notice bad">${view.text(contradictedWords)}</p>` : ''}`;
      }),
      column(
        'who',
        words.customer,
        ({ order }) =>
          html`<span title="${order?.contact.email ?? ''}">${order?.contact.whatsapp ?? ''}</span>`,
      ),
      column('when', words.time, ({ refund }) => view.time(refund.at)),
      column('act', '', (listed) => {
        const { refundId: id } = listed.refund;
        return isOpen(listed) ? rowActions(view, `refund-${id}`, { id }, [paid, cancel]) : '';
      }),
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
