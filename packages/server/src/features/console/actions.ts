import type { Localised } from '@topup-kit/core/contract';
import { isOfStore } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import type { Markup } from '../../pages/html.ts';
import { hasToken } from './access.ts';
import { messageOf } from './error-texts.ts';
import type { Page } from './page.ts';
import { type Content, queryText } from './parts.ts';
import type { Section } from './texts.ts';
import type { ConsoleDependencies, View } from './view.ts';

export interface Field {
  name: string;
  label: Localised;
  hint?: Localised;
  required?: boolean;
  /** Several lines. */
  isLong?: boolean;
  /** The only values, with what they mean; the first one is chosen. */
  choices?: readonly { value: string; label: Localised }[];
  value?: string;
  /** What the action was decided by, such as the version of an order: the form carries it, from the preview on as it was there. */
  isHidden?: boolean;
}

/** What an action is about, and what its operator filled in. */
export interface ActionInput {
  params: Readonly<Record<string, string>>;
  /** By the names of its fields; a field that was left empty is an empty text. */
  fields: Readonly<Record<string, string>>;
  /** Why, for the history; empty only where the action takes none. */
  note: string;
}

/** Something that an operator can do: a form, then what will happen, then it is done. */
export interface ConsoleAction {
  /** The route below the console's path, such as `/orders/:id/retry`. */
  path: string;
  section: Section;
  /** What a button says, and the heading of the form. */
  title: Localised;
  /** Whether it takes no note, because no history would keep it: what is of the sandbox, for example. */
  isWithoutNote?: boolean;
  /** What the note says; `Why` by default. */
  noteLabel?: Localised;
  fields?: (input: Pick<ActionInput, 'params'>, view: View) => readonly Field[] | Promise<readonly Field[]>;
  /** Says what will happen. @throws what {@link ConsoleAction.perform} throws. */
  preview?: (input: ActionInput, view: View) => Promise<Content>;
  /** Does it. Returns the path to go on to, below the console's, and a cookie that the visitor gets; empty for where the visitor came from. */
  perform: (input: ActionInput, view: View) => Promise<string | { to: string; cookie: string }>;
}

/** A wrong input, which the operator is told of. */
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
  confirm: { id: 'Lakukan', en: 'Do it' },
  back: { id: 'Batal', en: 'Cancel' },
  change: { id: 'Ubah isian', en: 'Change the input' },
  happens: { id: 'Yang akan terjadi', en: 'What will happen' },
  noteMissing: {
    id: 'Tulis alasannya: riwayat mencatatnya bersama nama Anda.',
    en: 'Say why: the history keeps it with your name.',
  },
  missing: { id: 'Isian ini wajib:', en: 'This field is required:' },
  outdated: {
    id: 'Halaman ini sudah usang, jadi belum ada yang dilakukan. Periksa sekali lagi.',
    en: 'This page was out of date, so nothing was done yet. Check it once more.',
  },
  readOnly: {
    id: 'Konsol ini hanya untuk membaca. Server memerlukan TOPUP_CONSOLE=act agar bisa melakukan sesuatu.',
    en: 'This console is only for reading. The server needs TOPUP_CONSOLE=act to do something here.',
  },
};

export const actionPath = (
  action: Pick<ConsoleAction, 'path'>,
  params: Readonly<Record<string, string>>,
): string => action.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** The button that leads to an action; nothing for a visitor who may only read. `fields` fills its form. */
export function actionLink(
  view: View,
  action: ConsoleAction,
  params: Readonly<Record<string, string>>,
  { kind = '', fields = {} }: { kind?: '' | 'main' | 'danger'; fields?: Record<string, string> } = {},
): Markup | '' {
  if (!view.visitor.mayAct) return '';
  return html`<a class="button ${kind}" href="${view.link(actionPath(action, params) + queryText({ ...fields, from: view.here }))}">${view.text(action.title)}</a>`;
}

/** The button of an action that is done at once, without a form of its own. */
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

/** The longest text of several lines, so that its form is read whatever is in it (see form.ts). */
const maxLongText = 5_000;

const hiddenField = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

function control(
  { name, required, isLong, isHidden, choices, value = '', label, hint }: Field,
  view: View,
): Markup {
  if (isHidden) return hiddenField(name, value);
  if (choices)
    return html`<fieldset><legend>${view.text(label)}</legend>${choices.map(
      (choice, index) =>
        html`<label><input type="radio" name="${name}" value="${choice.value}"${value === choice.value || (value === '' && index === 0) ? html` checked` : ''}> ${view.text(choice.label)}</label> `,
    )}</fieldset>`;
  const attributes = html`name="${name}"${required ? html` required` : ''}`;
  const input = isLong
    ? html`<textarea ${attributes} maxlength="${maxLongText}">${value}</textarea>`
    : html`<input ${attributes} value="${value}" autocomplete="off">`;
  return html`<label class="field"><span>${view.text(label)}</span>${input}${hint ? html`<span class="soft">${view.text(hint)}</span>` : ''}</label>`;
}

/** The fields with the note as the last one, and the values that were given. */
async function fieldsOf(
  action: ConsoleAction,
  params: ActionInput['params'],
  { method, given }: { method: 'GET' | 'POST'; given: Readonly<Record<string, string>> },
  view: View,
): Promise<Field[]> {
  const own = (await action.fields?.({ params }, view)) ?? [];
  const note: Field = {
    name: 'note',
    label: action.noteLabel ?? texts.note,
    required: true,
    isLong: true,
  };
  return [...own, ...(action.isWithoutNote ? [] : [note])].map((field) => ({
    ...field,
    // A form that was sent has all that was typed, and what its page knew.
    value:
      method === 'POST' && (!field.isHidden || given.step === 'perform')
        ? (given[field.name] ?? '')
        : ((field.isHidden ? null : given[field.name]) ?? field.value ?? ''),
  }));
}

/** A page that came from the console, to which an action leads back. Anything else could lead anywhere. */
const backTo = (from: string | undefined): string =>
  from !== undefined && /^(\/[\w-][\x21-\x5b\x5d-\x7e]*)?$/.test(from) && !from.includes('//') ? from : '';

/** What a request to an action resulted in: a page, or the path to go on to. */
export type ActionResult = { page: Page } | { to: string; cookie?: string; input: ActionInput };

/**
 * Handles a request to an action. `GET` shows its form, or what will happen where there is nothing to fill in; `POST` shows what will
 * happen, and with `step=perform` does it. A form whose token is not the visitor's is shown again with all that was typed.
 */
export async function runAction(
  action: ConsoleAction,
  request: { method: 'GET' | 'POST'; params: ActionInput['params']; given: Readonly<Record<string, string>> },
  view: View,
  deps: ConsoleDependencies,
): Promise<ActionResult> {
  const words = view.words(texts);
  const { params, given } = request;
  const from = backTo(given.from);
  // Of two tabs, each says which order it would change.
  const title = [view.text(action.title), ...Object.values(params)].join(' · ');
  const page = (content: Content, status: Page['status'] = 200): ActionResult => ({
    page: { section: action.section, title, content, status },
  });
  if (!view.visitor.mayAct) return page(html`<p class="notice">${words.readOnly}</p>`, 403);
  const fields = await fieldsOf(action, params, request, view);
  const hidden = (step: string): Markup =>
    html`${hiddenField('token', view.visitor.token)}${hiddenField('from', from)}${hiddenField('step', step)}`;
  const open = html`<form method="post" class="form card" action="${view.link(actionPath(action, params))}" data-check="${view.link('/live')}">`;
  const cancel = html`<a class="button" href="${view.link(from)}">${words.back}</a>`;
  const form = async (problem: string | null, status?: Page['status']): Promise<ActionResult> => {
    const shown = await fieldsOf(action, params, { ...request, given: { ...given, step: 'check' } }, view);
    return page(
      html`${problem === null ? '' : html`<p class="notice bad" role="alert">${problem}</p>`}${open}${hidden(action.preview ? 'check' : 'perform')}
${shown.map((field) => control(field, view))}
<div class="actions"><button class="main">${words.next}</button>${cancel}</div></form>`,
      status,
    );
  };

  const asksNothing = fields.every(({ isHidden }) => isHidden);
  const isSent = request.method === 'POST';
  if (isSent && !hasToken(view.visitor, given.token)) return form(words.outdated, 403);
  if (isSent ? given.step === 'change' : !asksNothing || !action.preview) return form(null);
  const missing = fields.find(({ required, value }) => required && value?.trim() === '');
  if (missing)
    return form(
      missing.name === 'note' ? words.noteMissing : `${words.missing} ${view.text(missing.label)}`,
      400,
    );
  const values = Object.fromEntries(fields.map(({ name, value = '' }) => [name, value.trim()]));
  const { note = '', ...own } = values;
  const input: ActionInput = { params, fields: own, note };
  try {
    if (!action.preview || (isSent && given.step === 'perform')) {
      const result = await action.perform(input, view);
      return typeof result === 'string' ? { to: result || from, input } : { ...result, input };
    }
    return page(html`${open}${hidden('perform')}
<h2>${words.happens}</h2>${await action.preview(input, view)}
${fields.map(({ name, value = '' }) => hiddenField(name, value))}
${note === '' ? '' : html`<p class="note">${note}</p>`}
<div class="actions"><button class="main">${words.confirm}</button>${asksNothing ? '' : html`<button name="step" value="change">${words.change}</button>`}${cancel}</div></form>`);
  } catch (error) {
    const message = error instanceof InputError ? view.text(error.words) : messageOf(error, view, deps);
    if (message === null) throw error;
    return form(message, isOfStore(error) ? 503 : 409);
  }
}
