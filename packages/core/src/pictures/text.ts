// XML 1.0 forbids these characters even as character references: control characters and lone surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Makes one line of text for XML: removes forbidden characters and collapses white space. */
export const oneLine = (text: string): string => text.replace(forbidden, '').replace(/\s+/g, ' ').trim();

/** Returns the name of a picture: its title, or its key if the title is empty. */
export const nameOf = (title: string, key: string): string => oneLine(title) || oneLine(key);

/** Escapes one line of text for the content of an XML element. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const segmenters = {
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
};

const segment = (text: string, granularity: 'grapheme' | 'word'): string[] =>
  Array.from(segmenters[granularity].segment(text), (part) => part.segment);

// The reader's font is unknown, so these widths of bold sans-serif letters, in em, are high estimates.
const widths: [RegExp, number][] = [
  [/^\p{M}/u, 0],
  [/^[ iljtfrI1.,:;'!|()[\]-]/, 0.38],
  [/^[mwMW@%&]/, 1],
  [/^\p{Lu}/u, 0.74],
  [/^[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef]/, 1.05],
  [/^[\u2190-\u2bff\u{10000}-\u{10ffff}]/u, 1.3],
  [/^/, 0.63],
];

/** Estimates the width of a string, in em. */
export const textWidth = (text: string): number =>
  segment(text, 'grapheme').reduce(
    (width, letter) => width + (widths.find(([pattern]) => pattern.test(letter))?.[1] ?? 0),
    0,
  );

const fits = (text: string, limit: number): boolean => textWidth(text.trimEnd()) <= limit;

/** Returns a text if it fits on a line; otherwise, its longest start that fits with an ellipsis. */
function cut(text: string, limit: number): string {
  if (fits(text, limit)) return text;
  const letters = segment(text, 'grapheme');
  while (letters.length > 0 && !fits(`${letters.join('')}…`, limit)) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** Breaks a text at its spaces, and at word boundaries in text without spaces (Thai). The rest goes on the last line. */
function wrap(text: string, limit: number, maxLines: number): string[] {
  const parts = text.split(/(?<= )/).flatMap((part) => (fits(part, limit) ? part : segment(part, 'word')));
  const lines: string[] = [];
  for (const part of parts) {
    const longer = (lines.at(-1) ?? '') + part;
    if (fits(longer, limit) || lines.length === maxLines) lines.splice(-1, 1, longer);
    else lines.push(part);
  }
  return lines.map((line) => line.trim());
}

/** The space for a text: width in pixels, number of lines, and font sizes to try, largest first. */
export interface TextRoom {
  width: number;
  maxLines: number;
  sizes: readonly number[];
}

/**
 * Fits a text into a space: wraps it into lines of similar length, at the largest font size that fits. At the smallest size, a line that is
 * too long is cut and ends in an ellipsis.
 *
 * @example
 * fitText('Mobile Legends: Bang Bang', { width: 680, maxLines: 2, sizes: [72, 56] });
 * // { size: 72, lines: ['Mobile Legends:', 'Bang Bang'] }
 */
export function fitText(text: string, { width, maxLines, sizes }: TextRoom) {
  for (const size of sizes) {
    const count = wrap(text, width / size, maxLines).length;
    for (const share of [0.55, 0.65, 0.75, 0.85, 1]) {
      const limit = (width / size) * share;
      const lines = wrap(text, limit, count);
      if (lines.every((line) => fits(line, limit))) return { size, lines };
    }
  }
  const size = Math.min(...sizes);
  const limit = width / size;
  return { size, lines: wrap(text, limit, maxLines).map((line) => cut(line, limit)) };
}

/** Returns the first letters of a title's first words, or its first character if it has no words. */
export function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [title.trim()];
  const initials = words.map((word) => segment(word, 'grapheme')[0] ?? '');
  return initials
    .slice(0, words.length > 4 ? 3 : 4)
    .join('')
    .toLocaleUpperCase('en');
}
