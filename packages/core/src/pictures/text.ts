// Characters that XML 1.0 forbids even as character references: control characters and single surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Makes one line of text for an XML document: removes forbidden characters and collapses white space. */
export const oneLine = (text: string): string => text.replace(forbidden, '').replace(/\s+/g, ' ').trim();

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** Escapes text for the content or an attribute of an XML element. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => entities.get(character) ?? '');

const segmenters = {
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
};

const segment = (text: string, granularity: 'grapheme' | 'word'): string[] =>
  Array.from(segmenters[granularity].segment(text), (part) => part.segment);

// The reader's font is unknown. These are rather large estimates of the widths of bold sans-serif letters, in em.
const widths: [RegExp, number][] = [
  [/^\p{M}/u, 0],
  [/^[ iljtfrI1.,:;'!|()[\]-]/, 0.38],
  [/^[mwMW@%&]/, 1],
  [/^\p{Lu}/u, 0.74],
  [/^[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef]/, 1.05],
  [/^[\u2190-\u2bff\u{10000}-\u{10ffff}]/u, 1.3],
  [/^/, 0.63],
];

/** Estimates the width of a text, in em. */
export const textWidth = (text: string): number =>
  segment(text, 'grapheme').reduce(
    (width, letter) => width + (widths.find(([pattern]) => pattern.test(letter))?.[1] ?? 0),
    0,
  );

const fits = (text: string, limit: number): boolean => textWidth(text.trimEnd()) <= limit;

/** Breaks a text at its spaces. A word that is too long for a line (Thai has no spaces) is broken inside. */
function wrap(text: string, limit: number): string[] {
  const divide = (part: string): string[] => (fits(part, limit) ? [part] : segment(part, 'grapheme'));
  const parts = text
    .split(/(?<= )/)
    .flatMap((word) => (fits(word, limit) ? [word] : segment(word, 'word').flatMap(divide)));
  const lines: string[] = [];
  for (const part of parts) {
    const longer = (lines.at(-1) ?? '') + part;
    if (fits(longer, limit)) lines.splice(-1, 1, longer);
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd());
}

/** The space for a text: its width in pixels, the number of lines, and the font sizes to try, largest first. */
export interface TextRoom {
  width: number;
  maxLines: number;
  sizes: readonly number[];
}

/**
 * Fits a text into a space: wraps it between words into lines of similar length, at the largest font size at which all
 * of it fits. At the smallest size, a text that is too long is cut and ends in an ellipsis.
 *
 * @example
 * fitText('Mobile Legends: Bang Bang', { width: 680, maxLines: 2, sizes: [72, 56] });
 * // { size: 72, lines: ['Mobile Legends:', 'Bang Bang'] }
 */
export function fitText(text: string, { width, maxLines, sizes }: TextRoom) {
  const words = segment(text, 'word');
  for (const size of sizes) {
    const limit = width / size;
    const count = wrap(text, limit).length;
    if (count > maxLines) continue;
    for (const share of [0.55, 0.65, 0.75, 0.85, 1]) {
      const lines = wrap(text, limit * share);
      if (lines.length === count && words.every((word) => fits(word, limit * share))) return { size, lines };
    }
  }
  const size = Math.min(...sizes);
  const lines = wrap(text, width / size);
  const letters = segment(lines.slice(maxLines - 1).join(' '), 'grapheme');
  const end = letters.findIndex((_, at) => !fits(`${letters.slice(0, at + 1).join('')}…`, width / size));
  return { size, lines: [...lines.slice(0, maxLines - 1), `${letters.slice(0, end).join('').trimEnd()}…`] };
}

/** The initials of a title: the first letters of its first words, or its first character if it has no words. */
export function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [title.trim()];
  const initials = words.map((word) => segment(word, 'grapheme')[0] ?? '');
  return initials
    .slice(0, words.length > 4 ? 3 : 4)
    .join('')
    .toLocaleUpperCase('en');
}
