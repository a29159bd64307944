import type { Localised } from '@topup-kit/core/contract';
import { html } from '../../pages/html.ts';
import { type ActionInput, type ConsoleAction, type Field, InputError } from './actions.ts';
import { messageOf } from './error-texts.ts';
import { icon } from './icons.ts';
import type { Content } from './parts.ts';
import type { SectionDependencies } from './section.ts';
import type { View } from './view.ts';

/** An action on the selected rows of a list. */
export interface ChosenAction<Item>
  extends Pick<ConsoleAction, 'path' | 'section' | 'title' | 'noteLabel' | 'isWithoutNote'> {
  read: (ids: readonly string[]) => Promise<readonly Item[]>;
  idOf: (item: Item) => string;
  /** Version of the item that the operator saw. The action stops if the version has changed. */
  versionOf?: (item: Item) => number;
  /** Amount of the item in the smallest unit. */
  amountOf: (item: Item) => number | null;
  /** Renders the item and its current state. */
  show: (view: View, item: Item) => Content;
  /** Reason why the action is impossible for an item now. */
  refusalOf?: (item: Item) => Error | null;
  fields?: (view: View, possible: readonly Item[]) => readonly Field[] | Promise<readonly Field[]>;
  /** Text that the operator should read before the action. */
  says?: Localised | undefined;
  verb: (of: { count: string; sum: string }) => Localised;
  perform: (view: View, item: { id: string; version: number }, input: ActionInput) => Promise<unknown>;
  /** The likely next action with the same items. */
  next?: (view: View, items: readonly Item[]) => Content | Promise<Content>;
}

const texts = {
  none: {
    id: 'Pilih setidaknya satu baris di daftar.',
    en: 'Select at least one row of the list.',
  },
  impossible: { id: 'Tidak bisa untuk:', en: 'Not possible for:' },
  left: {
    id: 'Terlalu banyak sekaligus. Pilih sisanya nanti:',
    en: 'Too many at one time. Select the remaining ones again later:',
  },
  failed: {
    id: 'Terjadi kesalahan di server; log server menjelaskannya.',
    en: 'An error occurred on the server; see its log.',
  },
  back: { id: 'Kembali ke daftar', en: 'Back to the list' },
};

/** Maximum number of selected items in one form. */
export const mostChosen = 200;

const namesIn = (text = ''): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

/** Reads the items in a form or an address, each with the version that the operator saw. */
const readChosen = (text: string | undefined): { id: string; version: number }[] =>
  namesIn(text)
    .slice(0, mostChosen)
    .map((word) => {
      const [id = '', version] = word.split('@');
      return { id, version: Number(version) };
    });

/** Creates an action that first shows the number and the sum of the selected items, then acts on each item and shows the results. */
export function chosenAction<Item>(action: ChosenAction<Item>, deps: SectionDependencies): ConsoleAction {
  const { path, section, title, idOf, versionOf, amountOf, show, refusalOf = () => null } = action;
  const readAll = (text: string | undefined): Promise<readonly Item[]> =>
    action.read(readChosen(text).map(({ id }) => id));
  const lines = (
    view: View,
    items: readonly Item[],
    reasonOf: (item: Item) => string | undefined,
    shownAmount = amountOf,
  ): Content =>
    html`<ul class="lines">${items.map((item) => {
      const [amount, reason] = [shownAmount(item), reasonOf(item)];
      return html`<li><span><span id="now-${idOf(item)}" data-renew>${show(view, item)}</span>${reason === undefined ? '' : html`<br><span class="toned bad">${reason}</span>`}</span>${amount === null ? '' : html`<b class="number">${view.money(amount)}</b>`}</li>`;
    })}</ul>`;
  const reasonFor = (error: unknown, view: View): string => {
    if (error instanceof InputError) return view.text(error.words);
    const message = messageOf(error, view, deps);
    if (message === null) deps.reportError(error);
    return message ?? view.text(texts.failed);
  };
  const possibleOf = (items: readonly Item[]): Item[] => items.filter((item) => refusalOf(item) === null);
  const sumOf = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + (amountOf(item) ?? 0), 0);

  return {
    path,
    section,
    title,
    ...(action.noteLabel && { noteLabel: action.noteLabel }),
    ...(action.isWithoutNote && { isWithoutNote: true }),
    async fields({ given }, view) {
      // Keeps the input even if the store can't be read.
      const possible = await readAll(given.id).then(possibleOf, () => []);
      const value = possible
        .map((item) => `${idOf(item)}${versionOf ? `@${versionOf(item)}` : ''}`)
        .join(' ');
      const chosen = { name: 'id', label: { id: '', en: '' }, isHidden: true, value };
      return [chosen, ...((await action.fields?.(view, possible)) ?? [])];
    },
    async about({ given }, view) {
      const words = view.words(texts);
      const items = await readAll(given.id);
      if (items.length === 0) throw new InputError(texts.none);
      const possible = possibleOf(items);
      const others = items.filter((item) => !possible.includes(item));
      const [count, sum] = [view.number(possible.length), view.money(sumOf(possible))];
      const left = namesIn(given.id).length - mostChosen;
      return {
        content: html`<p class="pair"><b>${count} ${words.of} ${view.number(items.length)}</b><b>${sumOf(possible) === 0 ? '' : sum}</b></p>${left > 0 ? html`<p class="notice wait">${words.left} ${view.number(left)}</p>` : ''}
${possible.length === 0 ? '' : lines(view, possible, () => undefined)}
${others.length === 0 ? '' : html`<p>${words.impossible}</p>${lines(view, others, (item) => reasonFor(refusalOf(item), view))}`}${action.says && possible.length > 0 ? html`<p class="notice wait">${view.text(action.says)}</p>` : ''}`,
        verb: possible.length === 0 ? null : view.text(action.verb({ count, sum })),
      };
    },
    async perform(input, view) {
      const words = view.words(texts);
      const chosen = readChosen(input.fields.id);
      const before = await readAll(input.fields.id);
      if (before.length === 0) throw new InputError(texts.none);
      // Reads the refunds before the action, because a paid refund is no longer owed.
      const amounts = new Map(before.map((item) => [idOf(item), amountOf(item)]));
      const reasons = new Map<string, string>();
      for (const item of chosen)
        try {
          await action.perform(view, item, input);
        } catch (error) {
          reasons.set(item.id, reasonFor(error, view));
        }
      const position = await deps.position();
      // Shows the results even if the items can't be read any more.
      const items = await readAll(input.fields.id).catch(() => before);
      const done = items.filter((item) => !reasons.has(idOf(item)));
      return {
        section,
        title: view.text(title),
        status: done.length === 0 ? 409 : 200,
        live: { orders: 'all', position, everySeconds: 5 },
        content: html`<div class="asks"><div class="form card"><p class="notice ${reasons.size === 0 ? 'good' : 'wait'}" role="status">${icon(reasons.size === 0 ? 'check' : 'alert')}${view.text(title)}: ${view.number(done.length)} ${words.of} ${view.number(chosen.length)}</p>
${lines(
  view,
  items,
  (item) => reasons.get(idOf(item)),
  (item) => amounts.get(idOf(item)) ?? null,
)}
<div class="actions">${done.length === 0 ? '' : await action.next?.(view, done)}<a class="button" href="${view.link(input.from)}">${words.back}</a></div></div></div>`,
      };
    },
  };
}
