import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { ShownGame } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { choiceLink, queryText } from '../parts.ts';
import type { View } from '../view.ts';
import type { FilterQuery } from './filter.ts';
import type { SavedFilter } from './saved-filters.ts';

const texts = {
  id: {
    account: 'Akun',
    payment: 'Pembayaran',
    delivery: 'Pengiriman',
    game: 'Game',
    since: 'Sejak',
    until: 'Sampai',
    any: 'semua',
    name: 'Simpan sebagai',
    nameHint: 'opsional',
    filter: 'Saring',
    filters: 'Saringan',
    forget: 'Hapus saringan',
    chips: {
      all: 'Semua',
      unpaid: 'Menunggu pembayaran',
      delivery: 'Sedang dikirim',
      stuck: 'Macet',
      failed: 'Gagal dikirim',
      unfunded: 'Menunggu saldo',
      contradicted: 'Dibantah pemasok',
      payments: 'Uang yang menunggu',
    },
  },
  en: {
    account: 'Account',
    payment: 'Payment',
    delivery: 'Delivery',
    game: 'Game',
    since: 'Since',
    until: 'Until',
    any: 'any',
    name: 'Save as',
    nameHint: 'optional',
    filter: 'Filter',
    filters: 'Filters',
    forget: 'Delete the filter',
    chips: {
      all: 'All',
      unpaid: 'Waiting for payment',
      delivery: 'In delivery',
      stuck: 'Stuck',
      failed: 'Delivery failed',
      unfunded: 'Waiting for balance',
      contradicted: 'Contradicted',
      payments: 'Money that waits',
    },
  },
};

const presets = {
  all: {},
  unpaid: { payment: 'UNPAID' },
  delivery: { payment: 'PAID', delivery: 'Proses' },
  stuck: { problem: 'stuck' },
  failed: { payment: 'PAID', delivery: 'Gagal' },
  unfunded: { problem: 'unfunded' },
  contradicted: { problem: 'contradicted' },
} as const satisfies Record<string, FilterQuery>;

/** The filters that can be chosen at once: those that everybody has, and the visitor's own. */
export function filterChips(view: View, query: FilterQuery, saved: readonly SavedFilter[]): Markup {
  const words = view.text(texts);
  const here = queryText(query);
  const chip = (name: string, filter: FilterQuery): Markup => {
    const address = queryText(filter);
    return choiceLink(view, {
      path: `/orders${address}`,
      title: name,
      current: address === here ? 'true' : null,
    });
  };
  const current = saved.find((filter) => queryText(filter.query) === here);
  return html`<nav class="chips" aria-label="${words.filters}">${Object.entries(presets).map(
    ([name, filter]) =>
      // Safe: the entries of a constant have its keys.
      chip(words.chips[name as keyof typeof presets], filter),
  )}${saved.map((filter) => chip(filter.name, filter.query))}
<a class="button" href="${view.link('/payments')}">${words.chips.payments}</a>
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

/** The form of all filters, with which a visitor can also keep one under a name. */
export function filterForm(view: View, query: FilterQuery, games: readonly ShownGame[]): Markup {
  const words = view.text(texts);
  const any = ['', words.any] as const;
  const input = (name: 'account' | 'since' | 'until', type: string): Markup =>
    html`<label class="field"><span>${words[name]}</span><input type="${type}" name="${name}" value="${query[name] ?? ''}"></label>`;
  const kept = (name: 'q' | 'problem'): Markup | '' =>
    query[name] === undefined ? '' : html`<input type="hidden" name="${name}" value="${query[name]}">`;
  return html`<details id="filter"${Object.keys(query).some((name) => name !== 'problem') ? html` open` : ''}><summary>${words.filters}</summary>
<form class="filters" action="${view.link('/orders')}">${kept('q')}${kept('problem')}
${choice('payment', words.payment, [any, ...paymentStatuses.map((status) => [status, status] as const)], query.payment)}
${choice('delivery', words.delivery, [any, ...buyStatuses.map((status) => [status, status] as const)], query.delivery)}
${choice('game', words.game, [any, ...games.map(({ slug, title }) => [slug, title] as const)], query.game)}
${input('since', 'date')}${input('until', 'date')}${input('account', 'text')}
<label class="field"><span>${words.name}</span><input name="save" placeholder="${words.nameHint}" maxlength="30" autocomplete="off"></label>
<div class="field"><button class="main">${words.filter}</button></div></form></details>`;
}
