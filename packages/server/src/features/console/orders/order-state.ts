import type { Localised } from '@topup-kit/core/contract';
import { stuckAfterMs } from '@topup-kit/core/engine';
import type { OrderState, Reconciliation, Refund, StoredUnit } from '@topup-kit/core/store';
import { type DisplayStatus, displayStatusOf } from '../../../pages/display-status.ts';
import { html, type Markup } from '../../../pages/html.ts';
import { type IconName, icon } from '../icons.ts';
import type { Content, Tone } from '../parts.ts';
import type { View } from '../view.ts';

/** Problems of an order that the states in the API don't show. */
export type ShownProblem = 'contradicted' | 'unfunded' | 'stuck' | 'owing' | 'money';

/** Presentation of each state. A coloured background marks states that need an operator. */
export const stateLooks: Record<
  DisplayStatus | ShownProblem,
  { text: Localised; icon: IconName; tone: Tone; isLoud?: true }
> = {
  waiting: { text: { id: 'Menunggu pembayaran', en: 'Waiting for payment' }, icon: 'clock', tone: 'wait' },
  processing: { text: { id: 'Sedang dikirim', en: 'In delivery' }, icon: 'spin', tone: 'busy' },
  unfunded: {
    text: { id: 'Menunggu saldo', en: 'Waits for balance' },
    icon: 'wallet',
    tone: 'wait',
    isLoud: true,
  },
  stuck: { text: { id: 'Macet', en: 'Stuck' }, icon: 'alert', tone: 'wait', isLoud: true },
  delivered: { text: { id: 'Terkirim', en: 'Delivered' }, icon: 'check', tone: 'good' },
  undelivered: { text: { id: 'Gagal', en: 'Failed' }, icon: 'stop', tone: 'bad', isLoud: true },
  contradicted: { text: { id: 'Tidak jelas', en: 'Unclear' }, icon: 'question', tone: 'bad', isLoud: true },
  owing: {
    text: { id: 'Refund belum dibayar', en: 'Refund to pay' },
    icon: 'undo',
    tone: 'wait',
    isLoud: true,
  },
  money: { text: { id: 'Uang menunggu', en: 'Money waits' }, icon: 'wallet', tone: 'bad', isLoud: true },
  refunded: { text: { id: 'Dikembalikan', en: 'Refunded' }, icon: 'undo', tone: 'quiet' },
  expired: { text: { id: 'Kedaluwarsa', en: 'Expired' }, icon: 'hourglass', tone: 'quiet' },
  failed: { text: { id: 'Pembayaran gagal', en: 'Payment failed' }, icon: 'cross', tone: 'quiet' },
  cancelled: { text: { id: 'Batal', en: 'Cancelled' }, icon: 'cross', tone: 'quiet' },
};

const silentWords = { id: 'belum memberi hasil sejak', en: 'has given no result since' };

/** The ids of orders with each problem. */
export type OrderProblems = Readonly<Record<ShownProblem, Pick<ReadonlySet<string>, 'has'>>>;

/** Returns an order's most important problem. A contradicted order never looks delivered, and an order with a due refund never finished. */
export const problemIn = (
  { orderId, paymentStatus }: OrderState & { orderId: string },
  problems: OrderProblems,
): ShownProblem | undefined =>
  (['contradicted', 'unfunded', 'stuck', 'owing', 'money'] as const).find(
    (problem) => problems[problem].has(orderId) && (problem !== 'owing' || paymentStatus === 'REFUND'),
  );

/** Returns whether the supplier should have given a result by now. */
export const isLate = ({ state, askedAt }: StoredUnit, now: number): boolean =>
  state === 'unknown' || (state === 'asked' && askedAt !== null && askedAt < now - stuckAfterMs);

/** Explains why an item is open, unclear or failed; empty if the supplier gave no reason. */
export function reasonOf(view: View, units: readonly StoredUnit[]): Content {
  const late = units.find((unit) => isLate(unit, view.now));
  if (late?.reason === null && late.askedAt !== null)
    return html`${late.supplier} ${view.text(silentWords)} ${view.clock(late.askedAt)}.`;
  const contradiction = units.find((unit) => unit.contradiction !== null)?.contradiction;
  return contradiction ?? (late ?? units.find(({ reason }) => reason !== null))?.reason ?? '';
}

/** Finds the problem of one order in its stored data. */
export function problemOf(
  {
    order,
    units,
    refunds,
    reconciliations,
  }: {
    order: OrderState;
    units: readonly StoredUnit[];
    refunds: readonly Pick<Refund, 'state'>[];
    reconciliations: readonly Pick<Reconciliation, 'state'>[];
  },
  now: number,
): ShownProblem | undefined {
  if (units.some(({ contradiction }) => contradiction !== null)) return 'contradicted';
  const money = reconciliations.some(({ state }) => state === 'open') ? 'money' : undefined;
  if (order.paymentStatus === 'REFUND')
    return refunds.some(({ state }) => state === 'to-pay') ? 'owing' : money;
  if (order.buyStatus !== 'Proses') return money;
  if (units.some(({ waitsFor }) => waitsFor === 'balance')) return 'unfunded';
  return units.some((unit) => isLate(unit, now)) ? 'stuck' : money;
}

/** Renders an order's state in words, with the API's names in the title. */
export function stateWords(view: View, state: OrderState, problem?: ShownProblem): Markup {
  const { text, icon: name, tone, isLoud } = stateLooks[problem ?? displayStatusOf(state)];
  return html`<span class="state ${tone}${isLoud ? ' loud' : ''}" title="${state.paymentStatus} / ${state.buyStatus}">${icon(name)}${view.text(text)}</span>`;
}

/** Renders an order's state in words, next to the API's names. */
export const stateBadge = (view: View, state: OrderState, problem?: ShownProblem): Markup =>
  html`${stateWords(view, state, problem)} <span class="soft">${state.paymentStatus} / ${state.buyStatus}</span>`;
