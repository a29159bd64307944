import type { Localised } from '@topup-kit/core/contract';
import { isStoreFailure } from '@topup-kit/core/engine';
import { html, type Markup } from '../../pages/html.ts';
import { hasToken } from './access.ts';
import { messageOf } from './error-texts.ts';
import type { Page } from './page.ts';
import { type Choosing, type Content, queryText, rowMenu } from './parts.ts';
import type { Section } from './texts.ts';
import type { ConsoleDependencies, View } from './view.ts';

/** One value of a field. */
export interface Choice {
  value: string;
  label: Localised;
  /** Amount that the choice represents, in the smallest unit. */
  amount?: number;
  hint?: Localised | undefined;
  /** Label of the button for this choice. Either all choices of a form have a label, or none has. */
  verb?: Localised;
}

export interface Field {
  name: string;
  label: Localised;
  hint?: Localised;
  required?: boolean;
  /** True if the text has several lines. */
  isLong?: boolean;
  /** True if the text is a time in the shop's time zone. */
  isTime?: boolean;
  /** Allowed values with their meanings. The first value is selected, unless the field is required. */
  choices?: readonly Choice[];
  /** Choice that makes this field visible. */
  of?: 'amount' | 'delivered';
  value?: string;
  /** True if the field only passes on a value from the preview, such as the version of the order. */
  isHidden?: boolean;
}

/** The target of an action, and the operator's input. */
export interface ActionInput {
  params: Readonly<Record<string, string>>;
  /** Values by the field's name. An empty field has an empty text. */
  fields: Readonly<Record<string, string>>;
  /** Reason for the history; empty only if the action takes no reason. */
  note: string;
  /** Path of the previous page below the console's path. */
  from: string;
}

/** The parameters of an action's path and query. */
export type OpenedAction = Pick<ActionInput, 'params'> & { given: Readonly<Record<string, string>> };

/** The facts that the form of an action shows. */
export interface About {
  content: Content;
  /** Label of the button, by default the title; null if nothing can be done, so that there is no button. */
  verb?: string | null;
}

/** The result of a request to an action: a page, or the path of the next page. */
export type ActionResult =
  | { page: Page; input?: ActionInput }
  | { to: string; cookie?: string; input: ActionInput };

/** An operation for operators, with a form that shows its facts. */
export interface ConsoleAction {
  /** The route below the console's path, such as `/orders/:id/retry`. */
  path: string;
  section: Section;
  /** The label of the button, and the heading of the form. */
  title: Localised;
  /** True if the action takes no note, because no history would keep it, as in a sandbox. */
  isWithoutNote?: boolean;
  /** The label of the note, by default `Why`. */
  noteLabel?: Localised;
  fields?: (opened: OpenedAction, view: View) => readonly Field[] | Promise<readonly Field[]>;
  /** Reads the facts for the decision. @throws the reason if the action is impossible now; then there is no form. */
  about?: (opened: OpenedAction, view: View) => Promise<About>;
  /**
   * Describes the effect: in the form, or after it if the effect depends on the fields.
   * @throws the errors of {@link ConsoleAction.perform}.
   */
  preview?: (input: ActionInput, view: View) => Promise<Content>;
  /**
   * Performs the action. Returns the path of the next page below the console's path, and a cookie for the visitor; an empty path is the
   * previous page. An action on several items returns a page.
   */
  perform: (input: ActionInput, view: View) => Promise<string | { to: string; cookie: string } | Page>;
  /** The new state of the target, for the message after the action. */
  now?: (params: ActionInput['params'], view: View) => Promise<Content | null>;
}

/** Wrong input, with a message for the operator. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly words: Localised;
  constructor(words: Localised) {
    super(words.en);
    this.words = words;
  }
}

const texts = {
  note: { id: 'Alasan (masuk riwayat)', en: 'Why (for the history)' },
  next: { id: 'Lanjut', en: 'Continue' },
  back: { id: 'Kembali', en: 'Back' },
  others: { id: 'Tindakan lain untuk', en: 'Other actions for' },
  choose: { id: 'Pilih', en: 'Choose' },
  chosen: { id: 'dipilih', en: 'chosen' },
  all: { id: 'Pilih semua', en: 'Choose all' },
  change: { id: 'Ubah isian', en: 'Change the input' },
  happens: { id: 'Yang akan terjadi', en: 'What will happen' },
  noteMissing: {
    id: 'Tulis alasannya: riwayat mencatatnya bersama nama Anda.',
    en: 'Enter the reason: the history keeps it with your name.',
  },
  missing: { id: 'Wajib diisi:', en: 'Fill in:' },
  outdated: {
    id: 'Halaman ini sudah kedaluwarsa, jadi belum ada yang dilakukan. Periksa lagi.',
    en: 'This page was out of date, so nothing was done yet. Check it again.',
  },
  readOnly: {
    id: 'Konsol ini hanya untuk membaca. Untuk mengubah sesuatu di sini, jalankan server dengan TOPUP_CONSOLE=act.',
    en: 'This console is read-only. To make changes here, start the server with TOPUP_CONSOLE=act.',
  },
};

export const actionPath = (
  action: Pick<ConsoleAction, 'path'>,
  params: Readonly<Record<string, string>>,
): string => action.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Renders the button that opens an action; nothing for a read-only visitor. `fields` prefills the action's form. */
export function actionLink(
  view: View,
  action: ConsoleAction,
  params: Readonly<Record<string, string>>,
  {
    kind = '',
    fields = {},
    label = view.text(action.title),
  }: { kind?: '' | 'main' | 'danger'; fields?: Record<string, string>; label?: string } = {},
): Markup | '' {
  if (!view.visitor.mayAct) return '';
  return html`<a class="button ${kind}" data-act href="${view.link(actionPath(action, params) + queryText({ from: view.here, ...fields }))}">${label}</a>`;
}

/** Renders a button for an action without a form. */
export function actionButton(
  view: View,
  action: ConsoleAction,
  params: Readonly<Record<string, string>>,
  { label, fields = {} }: { label?: string; fields?: Record<string, string> } = {},
): Markup | '' {
  if (!view.visitor.mayAct) return '';
  return html`<form method="post" action="${view.link(actionPath(action, params))}" data-check="${view.link('/live')}">
${hiddenField('token', view.visitor.token)}${hiddenField('from', view.here)}${hiddenField('step', 'perform')}
${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
<button>${label ?? view.text(action.title)}</button></form>`;
}

/** Renders the most likely action of a row as a button, and the others in a menu. `isMenu` puts all of them into the menu. */
export function rowActions(
  view: View,
  row: string,
  params: Readonly<Record<string, string>>,
  actions: readonly ConsoleAction[],
  { isMenu = false }: { isMenu?: boolean } = {},
): Content {
  const label = [view.words(texts).others, ...Object.values(params)].join(' ');
  const links = actions.map((action) => actionLink(view, action, params));
  return isMenu ? rowMenu(row, label, links) : [links[0] ?? '', rowMenu(row, label, links.slice(1))];
}

/**
 * Creates the selection of rows for actions, the most likely action first; null for a read-only visitor. `isChosen` selects all rows
 * initially.
 */
export function choosing<Item>(
  view: View,
  actions: readonly ConsoleAction[],
  idOfRow: (item: Item) => string | null,
  isChosen = false,
): Choosing<Item> | null {
  if (!view.visitor.mayAct) return null;
  const words = view.words(texts);
  const bar = html`<div class="bulk">${hiddenField('from', view.here)}<b>${words.chosen}</b>${actions.map(
    (action, index) =>
      html`<button${index === 0 ? html` class="main"` : ''} formaction="${view.link(action.path)}">${view.text(action.title)}</button>`,
  )}</div>`;
  return { idOfRow, bar, all: words.all, isChosen };
}

/** Renders the button that shows the checkboxes of rows on a phone. */
export const chooseButton = (view: View, isChosen = false): Markup | '' =>
  view.visitor.mayAct
    ? html`<label class="button phone"><input type="checkbox" id="choose"${isChosen ? html` checked` : ''}>${view.words(texts).choose}</label>`
    : '';

/** Maximum length of a long text, so that its form stays below the limit of form.ts. */
const maxLongText = 5_000;

const hiddenField = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

function control(
  { name, required, isLong, isTime, isHidden, choices, of, value = '', label, hint }: Field,
  view: View,
  isFirstProblem: boolean,
): Markup {
  if (isHidden) return hiddenField(name, value);
  const attributes = html`name="${name}"${required ? html` required` : ''}${isFirstProblem ? html` autofocus` : ''}`;
  if (choices)
    return html`<fieldset><legend>${view.text(label)}</legend>${choices.map(
      ({ value: own, label, amount, hint }, index) =>
        html`<label><input type="radio" ${attributes} value="${own}"${value === own || (value === '' && index === 0 && !required) ? html` checked` : ''}><span>${view.text(label)}${hint ? html`<br><span class="soft">${view.text(hint)}</span>` : ''}</span>${amount === undefined ? '' : html` <b>${view.money(amount)}</b>`}</label>`,
    )}</fieldset>`;
  const input = isLong
    ? html`<textarea ${attributes} rows="2" maxlength="${maxLongText}">${value}</textarea>`
    : html`<input ${attributes}${isTime ? html` type="datetime-local"` : ''} value="${value}" autocomplete="off">`;
  return html`<label class="field${of ? ` of-${of}` : ''}"><span>${view.text(label)}</span>${input}${hint ? html`<span class="soft">${view.text(hint)}</span>` : ''}</label>`;
}

/** Renders the fields and the note with the given values. */
async function fieldsOf(
  action: ConsoleAction,
  { params, given }: OpenedAction,
  method: 'GET' | 'POST',
  view: View,
): Promise<Field[]> {
  const own = (await action.fields?.({ params, given }, view)) ?? [];
  const note: Field = {
    name: 'note',
    label: action.noteLabel ?? texts.note,
    required: true,
    isLong: true,
  };
  return [...own, ...(action.isWithoutNote ? [] : [note])].map((field) => ({
    ...field,
    // A sent form contains all typed values and the values from its page.
    value:
      method === 'POST' && (!field.isHidden || given.step === 'perform')
        ? (given[field.name] ?? '')
        : ((field.isHidden ? null : given[field.name]) ?? field.value ?? ''),
  }));
}

/** Returns the page of the console to return to. Any other address is ignored, because it could be on another site. */
const backTo = (from: string | undefined): string =>
  from !== undefined && /^(\/[\w-][\x21-\x5b\x5d-\x7e]*)?$/.test(from) && !from.includes('//') ? from : '';

function missingWords(view: View, missing: readonly Field[]): string {
  const words = view.words(texts);
  const others = missing.filter(({ name }) => name !== 'note').map(({ label }) => view.text(label));
  return [
    ...(others.length > 0 ? [`${words.missing} ${others.join(', ')}.`] : []),
    ...(others.length < missing.length ? [words.noteMissing] : []),
  ].join('\n');
}

/**
 * Handles a request to an action. `GET` shows its form; `POST` with `step=perform` performs it. If the effect depends
 * on the fields, a `POST` shows it first. A form with another visitor's token is shown again with its values.
 */
export async function runAction(
  action: ConsoleAction,
  request: OpenedAction & { method: 'GET' | 'POST' },
  view: View,
  deps: ConsoleDependencies,
): Promise<ActionResult> {
  const words = view.words(texts);
  const { method, params, given } = request;
  const from = backTo(given.from);
  // The id in the title distinguishes several tabs.
  const title = [view.text(action.title), ...Object.values(params)].join(' · ');
  const page = (content: Content, status: Page['status'] = 200): ActionResult => ({
    page: { section: action.section, title, content: html`<div class="asks">${content}</div>`, status },
  });
  if (!view.visitor.mayAct) return page(html`<p class="notice">${words.readOnly}</p>`, 403);
  const messageFor = (error: unknown): string => {
    const message = error instanceof InputError ? view.text(error.words) : messageOf(error, view, deps);
    if (message === null) throw error;
    return message;
  };
  const back = html`<a class="button back-out" href="${view.link(from)}">${words.back}</a>`;
  const impossible = (why: string, status: Page['status'] = 409): ActionResult =>
    page(
      html`<div class="form card"><p class="notice">${why}</p><div class="actions">${back}</div></div>`,
      status,
    );
  const isForeign = method === 'POST' && !hasToken(view.visitor, given.token);
  let fields: Field[];
  try {
    fields = await fieldsOf(action, request, method, view);
  } catch (error) {
    // The error is usually about the target, which does not exist.
    if (isStoreFailure(error)) throw error;
    return isForeign ? impossible(words.outdated, 403) : impossible(messageFor(error));
  }
  const values = Object.fromEntries(fields.map(({ name, value = '' }) => [name, value.trim()]));
  const { note = '', ...own } = values;
  const input: ActionInput = { params, fields: own, note, from };
  const isSeenFirst = fields.every(({ name, isHidden }) => isHidden || name === 'note');
  const hidden = (step: string): Markup =>
    html`${hiddenField('token', view.visitor.token)}${hiddenField('from', from)}${hiddenField('step', step)}`;
  // The result's address selects the same items again.
  const again = queryText({ id: own.id, from: own.id && from });
  const open = html`<form method="post" class="form card" action="${view.link(actionPath(action, params) + again)}" data-check="${view.link('/live')}">`;

  async function readAbout(): Promise<About> {
    if (action.about) return action.about({ params, given }, view);
    return { content: action.preview && isSeenFirst ? await action.preview(input, view) : '' };
  }
  const form = async (
    problem: string | null,
    status?: Page['status'],
    firstProblem?: string,
  ): Promise<ActionResult> => {
    let about: About = { content: '' };
    try {
      about = await readAbout();
    } catch (error) {
      if (problem === null && isStoreFailure(error)) throw error;
      const why = messageFor(error);
      // Keeps the input, although the action may be impossible now.
      if (problem === null && method === 'GET') return impossible(why);
    }
    const reread = { params, given: { ...given, step: 'check' } };
    const shown = method === 'GET' ? fields : await fieldsOf(action, reread, method, view);
    const verbs = shown.flatMap(({ choices = [] }) => choices.flatMap(({ verb }) => verb ?? []));
    const isLast = !action.preview || isSeenFirst;
    const verb = isLast ? (about.verb ?? view.text(action.title)) : words.next;
    const main = html`<button class="main">${verbs.length === 0 ? verb : [...verbs, action.title].map((verb) => html`<span class="verb">${view.text(verb)}</span>`)}</button>`;
    return page(
      html`${problem === null ? '' : html`<p class="notice bad note" role="alert">${problem}</p>`}${open}${hidden(isLast ? 'perform' : 'check')}
${about.content}${about.verb === null ? '' : shown.map((field) => control(field, view, field.name === firstProblem))}
<div class="actions">${about.verb === null ? '' : main}${back}</div></form>`,
      status,
    );
  };

  const step = method === 'POST' ? given.step : undefined;
  if (isForeign) return form(words.outdated, 403);
  const isPreviewed = step === 'check' && action.preview && !isSeenFirst;
  if (step !== 'perform' && !isPreviewed) return form(null);
  const missing = fields.filter(({ required, value }) => required && value?.trim() === '');
  if (missing.length > 0) return form(missingWords(view, missing), 400, missing[0]?.name);
  try {
    if (action.preview && isPreviewed)
      return page(html`${open}${hidden('perform')}
<h2>${words.happens}</h2>${await action.preview(input, view)}
${fields.map(({ name, value = '' }) => hiddenField(name, value))}
${input.note === '' ? '' : html`<p class="note">${input.note}</p>`}
<div class="actions"><button class="main">${view.text(action.title)}</button><button name="step" value="change">${words.change}</button>${back}</div></form>`);
    const result = await action.perform(input, view);
    if (typeof result === 'string') return { to: result || from, input };
    return 'content' in result ? { page: result, input } : { ...result, input };
  } catch (error) {
    return form(messageFor(error), isStoreFailure(error) ? 503 : 409);
  }
}
