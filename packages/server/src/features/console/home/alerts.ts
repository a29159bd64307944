import type { Localised } from '@topup-kit/core/contract';
import { type Alert, type AlertKind, alertDescriptions } from '@topup-kit/core/engine';
import type { Reconciliation, Refund, StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { alertLooks } from '../additions.ts';
import { icon } from '../icons.ts';
import { copyable, type Tone } from '../parts.ts';
import type { AlertButtons, AlertLook } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  waits: { id: 'Yang menunggu Anda', en: 'Needs you' },
  things: { id: 'hal, yang mendesak di atas', en: 'things, most urgent first' },
  nothing: {
    id: 'Tidak ada pekerjaan terbuka. Semua pesanan berjalan otomatis.',
    en: 'No open work. All orders proceed automatically.',
  },
  and: { id: 'dan', en: 'and' },
  more: { id: 'lainnya', en: 'more' },
  how: { id: 'Yang bisa dilakukan', en: 'What to do' },
  all: { id: 'Lihat semua', en: 'See all' },
  commands: { id: 'Perintah', en: 'Commands' },
  refund: { id: 'Refund belum dibayar', en: 'Refunds to pay' },
  payBack: { id: 'Bayar', en: 'Pay back' },
  store: { id: 'Tidak menerima pesanan', en: 'Accepts no orders' },
  storeFails: {
    id: 'Penyimpanan tidak menerima perubahan, misalnya karena tempatnya penuh',
    en: 'The store accepts no changes, for example because its disk is full',
  },
};

const look: Localised = { id: 'Lihat', en: 'Look' };
const decide: Localised = { id: 'Putuskan', en: 'Decide' };
const resolve: Localised = { id: 'Selesaikan', en: 'Resolve' };
const setPrices: Localised = { id: 'Atur harga', en: 'Set prices' };
const clearUp: Localised = { id: 'Perjelas', en: 'Clear up' };

const alertLook = (
  tone: AlertLook['tone'],
  icon: AlertLook['icon'],
  verb: Localised,
  id: string,
  en: string,
): AlertLook => ({ tone, icon, verb, title: { id, en } });

/** Presentation of alerts in the order of their ranks: first waiting customers, then supplies and deadlines, then housekeeping. */
const shownAs: Readonly<Record<AlertKind, AlertLook>> = {
  'waiting-for-balance': alertLook('bad', 'wallet', look, 'Menunggu saldo', 'Waits for balance'),
  'failed-deliveries': alertLook('bad', 'stop', resolve, 'Gagal dikirim', 'Delivery failed'),
  contradictions: alertLook('bad', 'question', clearUp, 'Kiriman tidak jelas', 'Delivery unclear'),
  'stuck-orders': alertLook('bad', 'alert', resolve, 'Macet', 'Stuck'),
  'money-without-an-order': alertLook('bad', 'wallet', decide, 'Uang tak cocok', 'Money fits nothing'),
  'refunded-payments': alertLook('bad', 'undo', decide, 'Dikembalikan gateway', 'Gateway paid back'),
  'unclear-payments': alertLook('bad', 'question', clearUp, 'Pembayaran tidak jelas', 'Payment unclear'),
  'rejected-requests': alertLook('bad', 'plug', look, 'Penyedia bermasalah', 'Provider fails'),
  'unpaid-refunds': alertLook('wait', 'undo', texts.payBack, 'Refund terlambat', 'Refund overdue'),
  'low-balance': alertLook('wait', 'wallet', look, 'Saldo rendah', 'Balance runs out'),
  'rejected-by-limits': alertLook('wait', 'alert', look, 'Kena batas', 'Turned away'),
  'overdue-backup': alertLook('wait', 'clock', look, 'Cadangan terlambat', 'Backup overdue'),
  'products-below-cost': alertLook('quiet', 'tag', setPrices, 'Produk merugi', 'Products lose money'),
  ...alertLooks,
};

function sentenceOf(view: View, { kind, count, sentence, reasons }: Alert): string {
  if (view.locale === 'en') return sentence;
  const why = reasons ? ` (ada yang menunggu karena: ${reasons.join('; ')})` : '';
  return alertDescriptions[kind].indonesian.replace('#', view.number(count)) + why;
}

/** Returns the commands for one name in an alert. The operator replaces the remaining words in brackets. */
const commandsOf = (kind: AlertKind, name: string | undefined): string =>
  alertDescriptions[kind].commands
    .map((command) =>
      `topup ${command}`.replace(/<(order-id|payment|refund|callback-id|endpoint-id|code)>/, name ?? '$&'),
    )
    .join('\n');

/** Data for the rows. */
export interface Waiting {
  alerts: readonly Alert[];
  /** The orders that alerts name. */
  orders: readonly StoredOrder[];
  payments: readonly Reconciliation[];
  toPay: readonly Refund[];
  /** True if the store rejects changes. */
  storeFails: boolean;
  /** Buttons that solve an alert on this page. */
  buttons: AlertButtons;
}

interface Row {
  id: string;
  shown: AlertLook;
  /** Amount, by which rows of the same rank are sorted. */
  amount: number;
  detail: string;
  /** Number of further items that the row is about; this text is never cut. */
  others?: number;
  since: number | null;
  /** Path that the row's button opens; null if the console can't solve the problem. */
  to: string | null;
  /** A button that replaces the link. */
  button?: Markup | undefined;
  /** Instructions, which are folded. */
  more?: Markup;
}

/** Returns the text of a row, and the named item with the largest amount. */
function detailOf(view: View, alert: Alert, { orders, payments, toPay }: Waiting) {
  const subjects = new Set(alert.subjects);
  const sums = [
    ...orders
      .filter(({ orderId }) => alert.names.includes(orderId))
      .map((order) => ({
        name: order.orderId,
        amount: order.pricing.total_price,
        since: order.createdAt,
        order,
      })),
    ...payments
      .filter(({ reconciliationId }) => subjects.has(reconciliationId))
      .map(({ reconciliationId: name, amount, noticedAt, orderId }) => ({
        name,
        amount,
        since: noticedAt,
        order: orderId,
      })),
    ...toPay
      .filter(({ refundId }) => subjects.has(refundId))
      .map(({ refundId: name, amount, at, orderId }) => ({ name, amount, since: at, order: orderId })),
  ].toSorted((a, b) => b.amount - a.amount);
  const [first] = sums;
  if (!first) return { name: alert.names[0], amount: 0, since: null, detail: sentenceOf(view, alert) };
  const amount = sums.reduce((sum, part) => sum + part.amount, 0);
  const since = Math.min(...sums.map((part) => part.since));
  const about =
    typeof first.order === 'object' && first.order !== null
      ? `${first.order.contact.whatsapp} · ${first.order.product.title}, ${first.order.game.title}`
      : (first.order?.slice(-8) ?? '');
  // An alert names only some of many orders, so their sum would be misleading.
  const sum = sums.length < alert.count ? [] : [view.money(amount)];
  return {
    name: first.name,
    amount,
    since,
    detail: [...sum, about].filter(Boolean).join(' · '),
    others: alert.count - 1,
  };
}

function alertRow(view: View, alert: Alert, waiting: Waiting): Row {
  const { kind } = alert;
  const words = view.words(texts);
  const { advice, place } = alertDescriptions[kind];
  const at = (name: string): string => place?.one.replace('{name}', encodeURIComponent(name)) ?? '';
  const names = alert.names.map((name) =>
    place === null
      ? html`<code>${name}</code> `
      : html`<a href="${view.link(at(name))}"><code>${name}</code></a> `,
  );
  const { name, ...row } = detailOf(view, alert, waiting);
  const commands = commandsOf(kind, name);
  // Several orders are handled together.
  const isOfSeveral = alert.count > 1 && place?.all.startsWith('/orders?');
  return {
    id: `alert-${kind}`,
    shown: shownAs[kind],
    ...row,
    to: place && name !== undefined ? (isOfSeveral ? `${place.all}&choose=all` : at(name)) : null,
    button: waiting.buttons[kind],
    more: html`<p>${sentenceOf(view, alert)}. ${view.text(advice)}</p><p>${names}${place === null ? '' : html`<a href="${view.link(place.all)}">${words.all}</a>`}</p>
${commands === '' ? '' : copyable(`command-${kind}`, commands, words.commands)}`,
  };
}

const ranks: readonly Tone[] = ['bad', 'wait', 'quiet'];

/** Returns the open work, most urgent first; within a rank, the largest amount first. */
function rowsOf(view: View, waiting: Waiting): Row[] {
  const { alerts, toPay, storeFails } = waiting;
  const rows = alerts.map((alert) => alertRow(view, alert, waiting));
  if (storeFails)
    rows.push({
      id: 'store-has-no-room',
      shown: { tone: 'bad', icon: 'stop', title: texts.store, verb: look },
      amount: Number.POSITIVE_INFINITY,
      detail: view.text(texts.storeFails),
      since: null,
      to: null,
    });
  // The alert about unpaid refunds is raised only after a day.
  if (toPay.length > 0 && !alerts.some(({ kind }) => kind === 'unpaid-refunds')) {
    const amount = toPay.reduce((sum, refund) => sum + refund.amount, 0);
    rows.push({
      id: 'refunds-to-pay',
      shown: { tone: 'wait', icon: 'undo', title: texts.refund, verb: texts.payBack },
      amount,
      since: Math.min(...toPay.map(({ at }) => at)),
      to: '/payments#refunds',
      detail: view.money(amount),
      others: toPay.length - 1,
    });
  }
  const rank = ({ shown }: Row): number => ranks.indexOf(shown.tone);
  return rows.toSorted((a, b) => rank(a) - rank(b) || b.amount - a.amount);
}

function rowItem(view: View, { id, shown, detail, others = 0, since, to, button, more }: Row): Markup {
  const { title, verb } = shown;
  return html`<li class="${shown.tone} row" id="${id}">${icon(shown.icon)}<b>${view.text(title)}</b><span class="about"><span title="${detail}">${detail}</span>${others > 0 ? html`<span>· ${view.text(texts.and)} ${view.number(others)} ${view.text(texts.more)}</span>` : ''}</span>${since === null ? html`<span></span>` : html`<time>${view.duration(Math.max(0, view.now - since), 1)}</time>`}${
    button && String(button) !== ''
      ? button
      : to === null
        ? html`<span></span>`
        : html`<a class="button step" href="${view.link(to)}">${view.text(verb)}</a>`
  }${more ? html`<details id="how-${id}"><summary>${icon('question')}<span class="hidden">${view.text(texts.how)}</span></summary>${more}</details>` : ''}</li>`;
}

/** Number of rows outside the fold, so that the most urgent rows stand out. */
const mostShown = 7;

/** Renders the card of open work: each row has its facts and one action. */
export function alertsCard(view: View, waiting: Waiting): Markup {
  const words = view.words(texts);
  const rows = rowsOf(view, waiting);
  const [first, rest] = [rows.slice(0, mostShown), rows.slice(mostShown)];
  const list = (shown: readonly Row[]): Markup =>
    html`<ol class="alerts">${shown.map((row) => rowItem(view, row))}</ol>`;
  return html`<section class="card" id="needs"><div class="head"><h2>${words.waits}</h2>${rows.length > 1 ? html`<span class="soft">${view.number(rows.length)} ${words.things}</span>` : ''}</div>
${rows.length === 0 ? html`<p class="notice good">${icon('check')}${words.nothing}</p>` : list(first)}
${rest.length === 0 ? '' : html`<details id="more-needs"><summary>${view.number(rest.length)} ${words.more}</summary>${list(rest)}</details>`}</section>`;
}
