/** Latin letters and the usual punctuation: each one column wide, and a letter of its own. */
const simple = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Made when it is needed: making one takes longer than all else that a small command does. */
function lettersOf(text: string): Iterable<string> {
  if (simple.test(text)) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** What terminals show two columns wide: emoji, and the scripts of East Asia. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function letterWidth(letter: string): number {
  if (withoutWidth.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

/** How many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const letter of lettersOf(text)) width += letterWidth(letter);
  return width;
}

/** A text cut to a number of columns; `…` stands for what was cut off. */
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

/** Lines longer than this are hard to read, however wide the terminal. */
const readable = 80;

/** A text of any length in lines of words. */
export function wrap(text: string, columns = readable): string {
  const width = Math.min(columns, readable);
  let lines = '';
  let line = '';
  for (const word of printable(text).trim().split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > width) {
      lines += `${line}\n`;
      line = word;
    } else line = longer;
  }
  return `${lines}${line}\n`;
}

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;

/** A text on one line that can't steer the terminal: control and direction characters are shown, not sent. */
export const printable = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The slug of a game as one word; where none is known, what to put there. */
export const slugWord = (slug: string | undefined): string =>
  slug === undefined ? '<slug>' : shellWord(slug);
