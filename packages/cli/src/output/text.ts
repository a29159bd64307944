import { printable, visible } from '@topup-kit/core/platform';

export { printable, visible };

/** Matches texts of single letters that are one column wide. */
const simple = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Splits a string into letters. The segmenter is created on first use, because creating it takes longer than a small command. */
function lettersOf(text: string): Iterable<string> {
  if (simple.test(text)) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Matches characters that take two columns: emoji and East Asian scripts. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function letterWidth(letter: string): number {
  if (withoutWidth.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

export function textWidth(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const letter of lettersOf(text)) width += letterWidth(letter);
  return width;
}

/** Cuts a string to a number of columns; `…` marks the cut. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const letter of lettersOf(text)) {
    width += letterWidth(letter);
    if (width > columns) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/** Maximum width of a line, because longer lines are hard to read. */
const readable = 80;

/** Splits a string into lines that are at most `width` columns wide, unless a word is longer. */
export function wrappedLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

export const wrap = (text: string, columns = readable): string =>
  wrappedLines(printable(text).trim(), Math.min(columns, readable))
    .map((line) => `${line}\n`)
    .join('');

/** Escapes control characters like {@link visible}, except line breaks. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Escapes a character for a string in `$'...'`. */
const shellEscape = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (character === "'" || character === '\\') return `\\${character}`;
  return `\\u${code.padStart(4, '0')}`;
};

/** Quotes a string for a POSIX shell. Uses `$'...'` with escapes if the string could control the terminal. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replace(/[\p{Cc}\p{Bidi_Control}'\\]/gu, shellEscape)}'`;
}

/** Formats flags with their values for a shell; omits flags without a value. */
export const flagWords = (flags: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(flags)
    .flatMap(([flag, value]) => {
      if (value === undefined) return [];
      return value === '' ? [flag] : [`${flag} ${shellWord(value)}`];
    })
    .join(' ');

/** Returns a game's slug for a shell, or a placeholder if it is unknown. */
export const slugWord = (slug: string | undefined): string =>
  slug === undefined ? '<slug>' : shellWord(slug);
