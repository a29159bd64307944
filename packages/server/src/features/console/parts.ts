import type { Localised } from '@topup-kit/core/contract';
import { html, type Markup } from '../../pages/html.ts';
import { type IconName, icon } from './icons.ts';
import type { View } from './view.ts';

/** The content of an element. */
export type Content = Markup | string | number | readonly Content[];

/** The meaning of an element's colour: fine, in progress, waiting, needs an operator, or neutral. */
export type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'quiet';

export const badge = (text: string, tone: Tone): Markup => html`<span class="badge ${tone}">${text}</span>`;

export interface StateWords {
  text: Localised;
  tone: Tone;
}

/** Renders a state in words with an icon. A coloured background marks states that need an operator. */
export const state = (tone: Tone, name: IconName | null, text: string): Markup =>
  html`<span class="state ${tone}${tone === 'bad' ? ' loud' : ''}">${name === null ? '' : icon(name)}${text}</span>`;

const toneIcons: Record<Tone, IconName | null> = {
  good: 'check',
  busy: 'spin',
  wait: 'clock',
  bad: 'stop',
  quiet: null,
};

export const wordsBadge = (view: View, { text, tone }: StateWords): Markup =>
  state(tone, toneIcons[tone], view.text(text));

/** A column of a table: its heading and its cells. */
export interface Column<Item> {
  title: string;
  cell: (item: Item) => Content;
  /** Right-aligned, with digits of equal width. */
  isNumber?: boolean;
  /**
   * Place of the column on a phone, where a row has two lines: `what` and `total`, then `status`, `who` and `when`, with `act` next to
   * both. A phone hides `mid` and `wide`, and a tablet hides `wide`. On a desktop, a table with places is a list whose rows have one line.
   */
  as?: 'status' | 'total' | 'what' | 'who' | 'when' | 'act' | 'mid' | 'wide';
}

type Place<Item> = NonNullable<Column<Item>['as']>;

/** Creates a column of a list of rows by its place on a phone. */
export const column = <Item>(as: Place<Item>, title: string, cell: Column<Item>['cell']): Column<Item> => ({
  title,
  cell,
  as,
});

export const numberColumn = <Item>(
  as: Place<Item>,
  title: string,
  cell: Column<Item>['cell'],
): Column<Item> => ({ title, cell, as, isNumber: true });

/** Selection of a table's rows for an action. */
export interface Choosing<Item> {
  /** Returns the id of a row for the action; null if no action is possible. */
  idOfRow: (item: Item) => string | null;
  /** The buttons of the actions, with the page to return to. */
  bar: Markup;
  all: string;
  /** True if all rows are selected initially. */
  isChosen: boolean;
}

/** Renders a table that scrolls separately when it is wider than the page. Without rows, it shows `empty`. */
export function dataTable<Item>(
  items: readonly Item[],
  {
    caption,
    columns,
    idOf,
    toneOf = () => 'quiet',
    empty,
    stacks = false,
    groupOf,
    choosing: offered,
  }: {
    caption: string;
    columns: readonly Column<Item>[];
    /** Returns the id of a row, which is equal in each rendering of a page, so that a row can be refreshed in place. */
    idOf: (item: Item) => string;
    toneOf?: (item: Item) => Tone;
    empty: string;
    /** Shows each row as a block of two columns on a phone. */
    stacks?: boolean;
    /** Returns a heading for several rows, such as a day. */
    groupOf?: (item: Item) => string;
    choosing?: Choosing<Item> | null;
  },
): Markup {
  if (items.length === 0) return html`<p class="empty">${empty}</p>`;
  const kind = ({ isNumber, as }: Column<Item>): string => `${isNumber ? 'number ' : ''}${as ?? ''}`;
  const choosing = items.some((item) => offered?.idOfRow(item)) ? offered : null;
  const isList = columns.some(({ as }) => as !== undefined);
  const groups = Map.groupBy(items, (item) => groupOf?.(item) ?? '');
  const pick = (name: string, { isChosen }: Choosing<Item>, value: string | null): Markup =>
    html`<label><input type="checkbox" ${value === null ? html`class="pick-all"` : html`name="id" value="${value}"`} aria-label="${name}"${isChosen ? html` checked` : ''}></label>`;
  const row = (item: Item): Markup => {
    const value = choosing?.idOfRow(item) ?? null;
    return html`<tr id="${idOf(item)}" class="row ${toneOf(item)}">${choosing ? html`<td class="pick">${value === null ? '' : pick(value, choosing, value)}</td>` : ''}${columns.map(
      (column) => html`<td class="${kind(column)}" data-title="${column.title}">${column.cell(item)}</td>`,
    )}</tr>`;
  };
  const table = html`<div class="scroll${isList ? ' list' : ''}" tabindex="0" role="region" aria-label="${caption}"><table${stacks && !isList ? html` class="stacks"` : ''}>
<caption class="hidden">${caption}</caption>
<thead><tr>${choosing ? html`<td class="pick"><span class="needs-script">${pick(choosing.all, choosing, null)}</span></td>` : ''}${columns.map((column) => (column.title === '' ? html`<td class="${kind(column)}"></td>` : html`<th scope="col" class="${kind(column)}">${column.title}</th>`))}</tr></thead>
${[...groups].map(([name, items]) => html`<tbody>${name === '' ? '' : html`<tr class="group"><th scope="rowgroup" colspan="${columns.length + (choosing ? 1 : 0)}">${name}</th></tr>`}${items.map(row)}</tbody>`)}
</table></div>`;
  return choosing ? html`<form class="choose">${table}${choosing.bar}</form>` : table;
}

/** Renders the menu of a row; nothing without entries. */
export function rowMenu(id: string, label: string, entries: readonly (Markup | '')[]): Markup | '' {
  const offered = entries.filter((entry) => entry !== '');
  if (offered.length === 0) return '';
  return html`<button type="button" class="bare" popovertarget="menu-${id}" aria-label="${label}">${icon('dots')}</button><div class="menu" id="menu-${id}" popover>${offered}</div>`;
}

export const card = (title: string, content: Content, { id = '' }: { id?: string } = {}): Markup =>
  html`<section class="card"${id === '' ? '' : html` id="${id}"`}><h2>${title}</h2>${content}</section>`;

/** Renders a figure of the overview with its comparison, in words and in a tone. */
export const figure = (
  name: Content,
  value: Content,
  { tone, text }: { tone: Tone; text: Content },
): Markup =>
  html`<div><dt>${name}</dt><dd class="figure">${value}</dd><dd class="delta ${tone}">${text}</dd></div>`;

/** Formats a profit. Unknown costs make it an upper limit. */
export const profitText = (
  view: View,
  { profit, unknownCosts }: { profit: number; unknownCosts: number },
): string => `${unknownCosts > 0 ? '≤ ' : ''}${view.money(profit)}`;

/** Renders names and values, and omits entries without a value. */
export const detailList = (entries: readonly (readonly [name: string, value: Content | null])[]): Markup =>
  html`<dl>${entries.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )}</dl>`;

/** Renders a text with a copy button: a command, a body, a reference. */
export const copyable = (id: string, text: string, name: string): Markup =>
  html`<div class="copyable"><pre id="${id}" tabindex="0">${text}</pre><span class="copy" data-target="${id}" data-name="${name}"></span></div>`;

/** Renders a short inline text with a copy button. */
export const copyableCode = (id: string, text: string, name: string): Markup =>
  html`<span class="together"><code id="${id}">${text}</code> <span class="copy" data-target="${id}" data-name="${name}"></span></span>`;

/** Renders the link to an order. `text` is the last part of the order's id if the page shows the whole id elsewhere. */
export const orderLink = (view: View, orderId: string, text = orderId): Markup =>
  html`<a href="${view.link(`/orders/${encodeURIComponent(orderId)}`)}" class="step" title="${orderId}"><code>${text}</code></a>`;

/** Renders one of several links, one of which is current: a page, or a filter of a list. */
export const choiceLink = (
  view: View,
  {
    path,
    title,
    current,
    count,
  }: {
    path: string;
    title: string;
    current: 'page' | 'true' | null;
    count?: number | undefined;
  },
): Markup =>
  html`<a href="${view.link(path)}"${current === null ? '' : html` aria-current="${current}"`}>${title}${count === undefined ? '' : html` <span>${view.number(count)}</span>`}</a>`;

/** Filter of a list. Its name is a parameter of the address. */
interface Filter<Value extends string> {
  name: string;
  values: readonly Value[];
  titleOf: (value: Value) => string;
  /** The label of the link without the filter; null for a filter that is always on. */
  all: string | null;
}

/** Renders links to the same list for each value of a filter, and without a filter. Marks the current link. */
export function filterLinks<Value extends string>(
  view: View,
  path: string,
  { after: _other, ...query }: Readonly<Record<string, string | undefined>>,
  { name, values, titleOf, all }: Filter<Value>,
): Markup {
  const chosen = values.find((value) => value === query[name]);
  const link = (title: string, value?: Value): Markup =>
    choiceLink(view, {
      path: path + queryText({ ...query, [name]: value }),
      title: title.charAt(0).toUpperCase() + title.slice(1),
      current: value === chosen ? 'true' : null,
    });
  return html`<div class="chips">${all === null ? '' : link(all)}${values.map((value) => link(titleOf(value), value))}</div>`;
}

/** Renders links to related pages. Marks the current link. */
export const tabLinks = (view: View, tabs: Readonly<Record<string, Localised>>, current: string): Markup =>
  html`<div class="tabs">${Object.entries(tabs).map(([path, title]) =>
    choiceLink(view, { path, title: view.text(title), current: path === current ? 'page' : null }),
  )}</div>`;

/** Renders a fold, whose content becomes visible after a click on its summary. */
export const details = (id: string, summary: Content, content: Content): Markup =>
  html`<details id="${id}"><summary>${summary}</summary>${content}</details>`;

/** Creates a query string without empty values. */
export function queryText(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}
