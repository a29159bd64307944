/** A rule for reading text that a person may have pasted (source: ours). */
export interface TextRule {
  /** Fields to which it applies, as in the table of `docs/open-points.md`. */
  fields: string;
  /** `invisible`: removes invisible characters. `marks`: removes them, but keeps characters that join emoji and letters, or look blank. */
  strip: 'invisible' | 'marks' | 'nothing';
  /**
   * Converts digits of other scripts, full-width characters and dashes to ASCII: always, or `in-numbers`, only in a
   * string without letters afterwards (a player's name may contain such characters).
   */
  ascii: 'always' | 'in-numbers' | 'never';
}

/** Rules by kind of text. Every kind is trimmed. No kind accepts control characters, line breaks or lone surrogates. */
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

/** Matches plain text, which needs no further checks. Almost every text is plain. */
const plain = /^[\x20-\x7e]*$/;

const unreadable = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

const stripped = {
  invisible: /\p{Default_Ignorable_Code_Point}/gu,
  marks: /[\u00ad\u200b\u2060-\u206f\ufeff\p{Bidi_Control}]/gu,
} as const;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Converts a decimal digit of any script to ASCII. Unicode lists the digits of each script in sequence from zero. */
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

/** Cleans a string by the rule of its kind. A string with a forbidden character is returned unchanged. */
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

/** The default pattern, because for a game without patterns, only digits are certainly an id and a zone. */
const digits = '\\d+';

/** Splits an id and a zone in brackets, as displayed in games: `12345678 (2012)`. Returns null for any other text. */
export function splitAccountId(
  text: string,
  { id = digits, server = digits }: Readonly<{ id?: string | undefined; server?: string | undefined }> = {},
): { id: string; server: string } | null {
  // This is fast, because almost no id has a bracket.
  if (!/[([]/.test(text)) return null;
  const parts = new RegExp(`^(${id})\\s*[([]\\s*(${server})\\s*[)\\]]$`, 'u').exec(text);
  return parts && { id: parts[1] ?? '', server: parts[2] ?? '' };
}

/** Finds the first character that no text may have, such as `U+0000`, and its position in characters from 1; undefined if there is none. */
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

/** Replaces characters that some stores and clients can't keep: NUL and lone surrogates become U+FFFD. */
export const storableText = (text: string): string =>
  plain.test(text) ? text : text.replace(/[\0\p{Cs}]/gu, '\ufffd');

const separators = /[\s().-]/g;

/**
 * Matches phone numbers without separators (source: ours): Indonesian numbers start with 0, 62 or +62, all others with
 * + and the country code (E.164). `00` counts as `+`.
 */
const phone = /^((0|(\+|00)?620?)[1-9]\d{7,11}|(\+|00)(?!62)[1-9]\d{6,14})$/;

/** Tells whether a string is a phone number; spaces, hyphens, dots and brackets may group its digits. */
export const isPhone = (text: string): boolean => phone.test(text.replace(separators, ''));

/**
 * Returns the normal form of a phone number, by which stores find a customer's orders: the digits of E.164, without
 * `+`. `00` counts as `+`, and a leading zero as Indonesia's country code, so that `0812-3456-7890`,
 * `+62 0812 3456 7890`, `006281234567890` and `6281234567890` are the same number. Returns null for a string without
 * digits. The migrations of the stores apply the same rule to older orders.
 */
export const normalPhone = (text: string): string | null =>
  text
    .replace(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^(620|0)/, '62') || null;

/** Returns a string that identifies a customer: the normal form of the phone number, or the input if it has no digits. */
export const phoneDigits = (text: string): string => normalPhone(text) ?? text;
