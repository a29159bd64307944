import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { ShownGame } from '@topup-kit/core/engine';
import type { OrderStateCount } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import type { readProblems } from '../counts.ts';
import { icon } from '../icons.ts';
import { choiceLink, queryText } from '../parts.ts';
import type { View } from '../view.ts';
import type { FilterQuery } from './filter.ts';
import { stateLooks } from './order-state.ts';
import type { SavedFilter } from './saved-filters.ts';

const texts = {
  payment: { id: 'Pembayaran', en: 'Payment' },
  delivery: { id: 'Pengiriman', en: 'Delivery' },
  since: { id: 'Sejak', en: 'Since' },
  until: { id: 'Sampai', en: 'Until' },
  any: { id: 'semua', en: 'any' },
  name: { id: 'Simpan sebagai', en: 'Save as' },
  nameHint: { id: 'opsional', en: 'optional' },
  filter: { id: 'Saring', en: 'Filter' },
  filters: { id: 'Saringan', en: 'Filters' },
  forget: { id: 'Hapus saringan', en: 'Delete the filter' },
};

const presets = {
  all: {},
  waiting: { payment: 'UNPAID' },
  processing: { payment: 'PAID', delivery: 'Proses' },
  undelivered: { payment: 'PAID', delivery: 'Gagal' },
  contradicted: { problem: 'contradicted' },
  stuck: { problem: 'stuck' },
  unfunded: { problem: 'unfunded' },
  delivered: { payment: 'PAID', delivery: 'Sukses' },
  refunded: { payment: 'REFUND' },
  expired: { payment: 'EXPIRED' },
} as const satisfies Partial<Record<'all' | keyof typeof stateLooks, FilterQuery>>;

/** Data for the counts on chips. */
interface Counted {
  states: readonly OrderStateCount[];
  problems: Awaited<ReturnType<typeof readProblems>>;
}

/** Returns the number of orders in a preset, from the store's counts of states. */
function countOf({ payment, delivery, problem }: FilterQuery, { states, problems }: Counted): number {
  // Safe: presets name only problems with counts.
  if (problem !== undefined) return problems[problem as keyof typeof problems].size;
  return states
    .filter(
      ({ paymentStatus, buyStatus }) =>
        (payment === undefined || payment === paymentStatus) &&
        (delivery === undefined || delivery === buyStatus),
    )
    .reduce((sum, { count }) => sum + count, 0);
}

/** Renders the presets with their counts, and the visitor's saved filters. */
export function filterChips(
  view: View,
  query: FilterQuery,
  { saved, ...counted }: Counted & { saved: readonly SavedFilter[] },
): Markup {
  const words = view.words(texts);
  const here = queryText(query);
  const chip = (title: string, filter: FilterQuery, count?: number): Markup => {
    const address = queryText(filter);
    const current = address === here ? 'true' : null;
    return choiceLink(view, { path: `/orders${address}`, title, current, count });
  };
  const current = saved.find((filter) => queryText(filter.query) === here);
  // Safe: the entries of a constant have its keys.
  const names = Object.keys(presets) as (keyof typeof presets)[];
  return html`<nav class="chips" aria-label="${words.filters}">${names.map((name) => chip(name === 'all' ? words.all : view.text(stateLooks[name].text), presets[name], countOf(presets[name], counted)))}${saved.map((filter) => chip(filter.name, filter.query))}
${current ? html`<a href="${view.link(`/orders${queryText({ forget: current.name })}`)}">${words.forget} “${current.name}”</a>` : ''}</nav>`;
}

function choice(
  name: string,
  label: string,
  values: readonly (readonly [value: string, shown: string])[],
  chosen: string | undefined,
): Markup {
  return html`<label class="field"><span>${label}</span><select name="${name}">${values.map(
    ([value, shown]) =>
      html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : ''}>${shown}</option>`,
  )}</select></label>`;
}

/** Renders the form of all filters, which can also save a filter under a name. */
export function filterForm(view: View, query: FilterQuery, games: readonly ShownGame[]): Markup {
  const words = view.words(texts);
  const isChosen = Object.keys(query).some((name) => name !== 'problem');
  const any = ['', words.any] as const;
  const input = (name: 'account' | 'since' | 'until', type: string): Markup =>
    html`<label class="field"><span>${words[name]}</span><input type="${type}" name="${name}" value="${query[name] ?? ''}"></label>`;
  const kept = (name: 'q' | 'problem'): Markup | '' =>
    query[name] === undefined ? '' : html`<input type="hidden" name="${name}" value="${query[name]}">`;
  return html`<button type="button"${isChosen ? html` class="main"` : ''} popovertarget="filter">${icon('filter')}${words.filters}</button>
<div class="menu" id="filter" popover><form action="${view.link('/orders')}">${kept('q')}${kept('problem')}
${choice('payment', words.payment, [any, ...paymentStatuses.map((status) => [status, status] as const)], query.payment)}
${choice('delivery', words.delivery, [any, ...buyStatuses.map((status) => [status, status] as const)], query.delivery)}
${choice('game', words.game, [any, ...games.map(({ slug, title }) => [slug, title] as const)], query.game)}
${input('since', 'date')}${input('until', 'date')}${input('account', 'text')}
<label class="field"><span>${words.name}</span><input name="save" placeholder="${words.nameHint}" maxlength="30" autocomplete="off"></label>
<button class="main">${words.filter}</button></form></div>`;
}
