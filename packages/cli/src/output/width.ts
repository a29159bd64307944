const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

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
  let width = 0;
  for (const { segment } of letters.segment(text)) width += letterWidth(segment);
  return width;
}

/** A text cut to a number of columns; `…` stands for what was cut off. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of letters.segment(text)) {
    width += letterWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
