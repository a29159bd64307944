/** How the characters of a text are read that a person may have pasted (source: ours). */
export interface TextRule {
  /** What it is for, as in the table of `docs/open-points.md`. */
  fields: string;
  /** `invisible`: what shows nothing; `marks`: the same but what joins emoji and letters, or looks blank. */
  strip: 'invisible' | 'marks' | 'nothing';
  /**
   * Digits of other scripts, full-width characters, and dashes become ASCII: always, or `in-numbers`, in a text that then has no letters
   * (a player's name may have such characters).
   */
  ascii: 'always' | 'in-numbers' | 'never';
}

/** By kind. Every kind is trimmed. No kind accepts a control character, a line break or half of a surrogate pair. */
export const textRules = {
  account: { fields: '`id`, `server`', strip: 'invisible', ascii: 'in-numbers' },
  phone: { fields: '`whatsapp`', strip: 'invisible', ascii: 'always' },
  code: {
    fields: '`game`, `promo_code`, `code`, `game_slug` and filters',
    strip: 'invisible',
    ascii: 'always',
  },
  email: { fields: '`email`', strip: 'invisible', ascii: 'never' },
  name: { fields: '`nickname`', strip: 'marks', ascii: 'never' },
  exact: { fields: '`return_url`, `idempotency_key`', strip: 'nothing', ascii: 'never' },
} as const satisfies Record<string, TextRule>;

export type TextKind = keyof typeof textRules;

/** Almost every text, for which nothing else is looked at. */
const plain = /^[\x20-\x7e]*$/;

const unreadable = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

const stripped = {
  invisible: /\p{Default_Ignorable_Code_Point}/gu,
  marks: /[\u00ad\u200b\u2060-\u206f\ufeff\p{Bidi_Control}]/gu,
} as const;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** The value of a decimal digit of any script: Unicode has those of a script in a row, from zero on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit(first - 1)) first -= 1;
  return String((code - first) % 10);
}

const toAscii = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-');

/** A text as it is read by the rule of its kind; a text with a character that is rejected stays as it was sent. */
export function cleanText(text: string, kind: TextKind): string {
  if (plain.test(text)) return text.trim();
  const { strip, ascii }: TextRule = textRules[kind];
  if (strip === 'nothing') return unreadable.test(text.trim()) ? text : text.trim();
  const spaced = text
    .replace(stripped[strip], '')
    .replace(/\p{Zs}/gu, ' ')
    .trim();
  if (unreadable.test(spaced)) return text;
  if (ascii === 'never') return spaced;
  const digits = toAscii(spaced);
  return ascii === 'always' || !/\p{L}/u.test(digits) ? digits : spaced;
}

/** Of a game without patterns, only digits are certainly an id and a zone. */
const digits = '\\d+';

/** An id with the zone in brackets, as games show it: `12345678 (2012)`. Null for any other text. */
export function splitAccountId(
  text: string,
  { id = digits, server = digits }: Readonly<{ id?: string | undefined; server?: string | undefined }> = {},
): { id: string; server: string } | null {
  // Almost no id has a bracket.
  if (!/[([]/.test(text)) return null;
  const parts = new RegExp(`^(${id})\\s*[([]\\s*(${server})\\s*[)\\]]$`, 'u').exec(text);
  return parts && { id: parts[1] ?? '', server: parts[2] ?? '' };
}

/** The first character that no text may have, as `U+0000`, and its place, counted in characters from 1; undefined without one. */
export function unreadableCharacter(text: string): { character: string; position: number } | undefined {
  if (plain.test(text)) return undefined;
  const index = text.trim().search(unreadable);
  if (index === -1) return undefined;
  const at = text.length - text.trimStart().length + index;
  const code = text.codePointAt(at) ?? 0;
  return {
    character: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
    position: [...text.slice(0, at)].length + 1,
  };
}

/** A text without what some stores and clients can't keep: NUL and half surrogate pairs become U+FFFD. */
export const storableText = (text: string): string =>
  plain.test(text) ? text : text.replace(/[\0\p{Cs}]/gu, '\ufffd');

const separators = /[\s().-]/g;

/**
 * Phone numbers without separators (source: ours): an Indonesian one with its zero, with 62 or with +62, and one of
 * any other country with + and the country code (E.164). `00` counts as `+`.
 */
const phone = /^((0|(\+|00)?620?)[1-9]\d{7,11}|(\+|00)(?!62)[1-9]\d{6,14})$/;

/** Whether a text is a phone number; spaces, hyphens, dots and brackets may group its digits. */
export const isPhone = (text: string): boolean => phone.test(text.replace(separators, ''));

/**
 * A phone number in its normal form: the digits of E.164, without its `+`, by which stores find the orders of a customer. `00` counts
 * as `+`, and a leading zero as the country code of Indonesia, so that `0812-3456-7890`, `+62 0812 3456 7890`, `006281234567890` and
 * `6281234567890` are one number. Null for a text without digits. The migrations of the stores have the same rule for older orders.
 */
export const normalPhone = (text: string): string | null =>
  text
    .replace(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^(620|0)/, '62') || null;

/** What identifies a customer: the normal form of the phone number, or the text as it is if it has no digits. */
export const phoneDigits = (text: string): string => normalPhone(text) ?? text;
