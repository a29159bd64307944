import type { Localised } from '@topup-kit/core/contract';
import { html } from 'hono/html';
import type { Markup } from '../../pages/html.ts';
import { type IconName, icon } from './icons.ts';
import type { View } from './view.ts';

// What several pages of the console show alike.

/** Something that can stand in a page. */
export type Content = Markup | string | number | readonly Content[];

/** What an element says of what it shows: that all is well, that it waits, or that somebody has to look. */
export type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'quiet';

export const badge = (text: string, tone: Tone): Markup => html`<span class="badge ${tone}">${text}</span>`;

export interface StateWords {
  text: Localised;
  tone: Tone;
}

/** A state in words with an icon; a wash is for what needs somebody. */
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

/** A column of a table: its heading, and what a row has in it. */
export interface Column<Item> {
  title: string;
  cell: (item: Item) => Content;
  /** Aligned to the right, with digits of one width. */
  isNumber?: boolean;
  /**
   * Where it stands on a phone, where a row is two lines: `what` and `total`, then `status`, `who` and `when`, with `act` beside both. `mid` is
   * left out there, `wide` also on a tablet. A table whose columns say so is a list with rows of one line on a desktop.
   */
  as?: 'status' | 'total' | 'what' | 'who' | 'when' | 'act' | 'mid' | 'wide';
}

/** How rows of a table are chosen, to do something with several at once. */
export interface Choosing<Item> {
  /** What an action takes as the id of a row; null for a row with which nothing can be done. */
  idOfRow: (item: Item) => string | null;
  /** The button of each action, and where it goes back to. */
  bar: Markup;
  all: string;
  /** Whether all are chosen from the beginning. */
  isChosen: boolean;
}

/** A table, which scrolls on its own when it is wider than the page. `empty` stands there when there are no rows. */
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
    /** The same in each rendering of a page, so that a row can be renewed in its place. */
    idOf: (item: Item) => string;
    toneOf?: (item: Item) => Tone;
    empty: string;
    /** On a phone, each row is a block of two columns instead. */
    stacks?: boolean;
    /** What rows that follow each other have in common, as their heading: a day. */
    groupOf?: (item: Item) => string;
    choosing?: Choosing<Item> | null;
  },
): Markup {
  if (items.length === 0) return html`<p class="empty">${empty}</p>`;
  const kind = ({ isNumber, as }: Column<Item>): string => `${isNumber ? 'number ' : ''}${as ?? ''}`;
  const choosing = items.some((item) => offered?.idOfRow(item)) ? offered : null;
  const isList = columns.some(({ as }) => as !== undefined);
  const groups: { name: string; items: Item[] }[] = [];
  for (const item of items) {
    const name = groupOf?.(item) ?? '';
    const last = groups.at(-1);
    if (last?.name === name) last.items.push(item);
    else groups.push({ name, items: [item] });
  }
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
${groups.map(({ name, items }) => html`<tbody>${name === '' ? '' : html`<tr class="group"><th scope="rowgroup" colspan="${columns.length + (choosing ? 1 : 0)}">${name}</th></tr>`}${items.map(row)}</tbody>`)}
</table></div>`;
  return choosing ? html`<form class="choose">${table}${choosing.bar}</form>` : table;
}

/** What can be done with a row, in a menu; nothing when there is nothing. */
export function rowMenu(id: string, label: string, entries: readonly (Markup | '')[]): Markup | '' {
  const offered = entries.filter((entry) => entry !== '');
  if (offered.length === 0) return '';
  return html`<button type="button" class="bare" popovertarget="menu-${id}" aria-label="${label}">${icon('dots')}</button><div class="menu" id="menu-${id}" popover>${offered}</div>`;
}

export const card = (title: string, content: Content, { id = '' }: { id?: string } = {}): Markup =>
  html`<section class="card"${id === '' ? '' : html` id="${id}"`}><h2>${title}</h2>${content}</section>`;

/** A figure of the overview, and how it compares, in words and with a tone for better or worse. */
export const figure = (
  name: Content,
  value: Content,
  { tone, text }: { tone: Tone; text: Content },
): Markup =>
  html`<div><dt>${name}</dt><dd class="figure">${value}</dd><dd class="delta ${tone}">${text}</dd></div>`;

/** Names and values, without those that have no value. */
export const facts = (entries: readonly (readonly [name: string, value: Content | null])[]): Markup =>
  html`<dl>${entries.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )}</dl>`;

/** A text to copy as it is: a command, a body, a reference. */
export const copyable = (id: string, text: string, name: string): Markup =>
  html`<div class="copyable"><pre id="${id}" tabindex="0">${text}</pre><span class="copy" data-target="${id}" data-name="${name}"></span></div>`;

/** A short text within a line, with a button that copies it. */
export const copyableCode = (id: string, text: string, name: string): Markup =>
  html`<span class="together"><code id="${id}">${text}</code> <span class="copy" data-target="${id}" data-name="${name}"></span></span>`;

/** The link to an order; `text` is the last part of its id where its page has the whole. */
export const orderLink = (view: View, orderId: string, text = orderId): Markup =>
  html`<a href="${view.link(`/orders/${encodeURIComponent(orderId)}`)}" class="step" title="${orderId}"><code>${text}</code></a>`;

/** A link of several of which one is current: a page, or a filter of a list. */
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
    /** How many there are. */
    count?: number | undefined;
  },
): Markup =>
  html`<a href="${view.link(path)}"${current === null ? '' : html` aria-current="${current}"`}>${title}${count === undefined ? '' : html` <span>${view.number(count)}</span>`}</a>`;

/** A filter of a list, by its name in the address of a page. */
interface Filter<Value extends string> {
  name: string;
  values: readonly Value[];
  titleOf: (value: Value) => string;
  /** What the link without the filter says; null for a filter that is always on. */
  all: string | null;
}

/** Links from a page of a list to the same list by each value of a filter, and by all, the current one marked. */
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

/** Links to pages that belong together, the current one marked. */
export const tabLinks = (view: View, tabs: Readonly<Record<string, Localised>>, current: string): Markup =>
  html`<div class="tabs">${Object.entries(tabs).map(([path, title]) =>
    choiceLink(view, { path, title: view.text(title), current: path === current ? 'page' : null }),
  )}</div>`;

/** What is shown when its summary is opened. */
export const details = (id: string, summary: Content, content: Content): Markup =>
  html`<details id="${id}"><summary>${summary}</summary>${content}</details>`;

/** A query, without what is left out or empty. */
export function queryText(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}
