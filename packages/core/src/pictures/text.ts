// Characters that XML 1.0 forbids even as character references: control characters and single surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const references: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  }),
);

/**
 * Makes one line of text for an XML document: removes forbidden characters and collapses white space.
 *
 * @example
 * oneLine(' Free\n\u0000 Fire '); // 'Free Fire'
 */
export const oneLine = (text: string): string => text.replace(forbidden, '').replace(/\s+/g, ' ').trim();

/**
 * Escapes text for the content or an attribute of an XML element.
 *
 * @example
 * escapeXml('Clash & "Co" <3'); // 'Clash &amp; &quot;Co&quot; &lt;3'
 */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => references.get(character) ?? '');

/** The space for a text: its width in pixels, the number of lines, and the font sizes to try, largest first. */
export interface TextRoom {
  width: number;
  maxLines: number;
  sizes: readonly [number, ...number[]];
}

export interface FittedText {
  size: number;
  lines: string[];
}

interface Piece {
  text: string;
  width: number;
  /** The text between this piece and the previous one on the same line. */
  glue: '' | ' ';
}

interface Line {
  text: string;
  width: number;
}

const segmenters = {
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
};

const segment = (text: string, granularity: 'grapheme' | 'word'): string[] =>
  Array.from(segmenters[granularity].segment(text), (part) => part.segment);

/**
 * Splits a text into what a reader sees as single characters, such as an emoji family or a Thai syllable with marks.
 *
 * @example
 * graphemes('น้ำ!'); // ['น้ำ', '!']
 */
export const graphemes = (text: string): string[] => segment(text, 'grapheme');

// The reader's font is unknown. These are rather large estimates of the widths of bold sans-serif letters, in em.
const widths: [RegExp, number][] = [
  [/^\p{M}/u, 0],
  [/^[ iljtfrI1.,:;'!|()[\]-]/, 0.38],
  [/^[mwMW@%&]/, 1],
  [/^\p{Lu}/u, 0.74],
  [/^[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef]/, 1.05],
  [/^[\u2190-\u2bff\u{10000}-\u{10ffff}]/u, 1.3],
];

const graphemeWidth = (grapheme: string): number =>
  widths.find(([pattern]) => pattern.test(grapheme))?.[1] ?? 0.63;

/**
 * Estimates the width of a text, in em.
 *
 * @example
 * const pixels = textWidth('Free Fire') * fontSize;
 */
export const textWidth = (text: string): number =>
  graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);

/** Splits a text into pieces between which a line may break; only a word that is too long for a line is divided. */
function piecesOf(text: string, limit: number): Piece[] {
  const fits = (part: string) => textWidth(part) <= limit;
  const divide = (word: string): string[] => (fits(word) ? [word] : graphemes(word));
  return text.split(' ').flatMap((word) => {
    const parts = fits(word) ? [word] : segment(word, 'word').flatMap(divide);
    return parts.map((part, index): Piece => {
      return { text: part, width: textWidth(part), glue: index === 0 ? ' ' : '' };
    });
  });
}

const join = (line: Line, { text, width, glue }: Piece): Line => ({
  text: line.text + glue + text,
  width: line.width + width + textWidth(glue),
});

function wrap(pieces: readonly Piece[], limit: number): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    const longer = line && join(line, piece);
    if (longer && longer.width <= limit) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}

/** The same number of lines as `wrap` returns, but with more even lengths. */
function wrapEvenly(pieces: readonly Piece[], limit: number): Line[] {
  const lines = wrap(pieces, limit);
  for (const share of [0.55, 0.65, 0.75, 0.85]) {
    const narrower = wrap(pieces, limit * share);
    const overflows = narrower.some(({ width }) => width > limit * share);
    if (narrower.length === lines.length && !overflows) return narrower;
  }
  return lines;
}

/** The part of a line that fits in front of an ellipsis. */
function cutToFit(line: string, limit: number): string {
  let kept = '';
  let width = textWidth('…');
  for (const grapheme of graphemes(line)) {
    width += graphemeWidth(grapheme);
    if (width > limit) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

function cutToLines(lines: readonly string[], maxLines: number, limit: number): string[] {
  if (lines.length <= maxLines) return [...lines];
  return [...lines.slice(0, maxLines - 1), cutToFit(lines.slice(maxLines - 1).join(' '), limit)];
}

const wholeWordsFit = (text: string, limit: number): boolean =>
  segment(text, 'word').every((word) => textWidth(word) <= limit);

const textsOf = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

/**
 * Fits a text into a space: wraps it between words, at the largest font size at which all of it fits. At the smallest
 * size, a text that is too long is cut and ends in an ellipsis.
 *
 * @example
 * fitText('Mobile Legends: Bang Bang', { width: 680, maxLines: 2, sizes: [72, 56] });
 * // { size: 72, lines: ['Mobile Legends:', 'Bang Bang'] }
 */
export function fitText(text: string, { width, maxLines, sizes }: TextRoom): FittedText {
  for (const size of sizes) {
    const limit = width / size;
    if (!wholeWordsFit(text, limit)) continue;
    const lines = wrapEvenly(piecesOf(text, limit), limit);
    if (lines.length <= maxLines) return { size, lines: textsOf(lines) };
  }
  const size = sizes.at(-1) ?? sizes[0];
  const limit = width / size;
  return { size, lines: cutToLines(textsOf(wrap(piecesOf(text, limit), limit)), maxLines, limit) };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];

const firstOf = (word: string): string => (graphemes(word)[0] ?? '').toLocaleUpperCase('en');

/**
 * The initials of a title: the first letters of up to four words, or its first character if it has no words.
 *
 * @example
 * initialsOf('Clash of Clans'); // 'COC'
 */
export function initialsOf(title: string): string {
  const words = wordsOf(title);
  if (words.length === 0) return graphemes(title.trim())[0] ?? '';
  const most = words.length > 4 ? 3 : 4;
  return words.slice(0, most).map(firstOf).join('');
}

/** Rounds to a tenth of a pixel. */
const short = (value: number): string => String(Math.round(value * 10) / 10);

/** The place of the first baseline, and the style of the lines. */
export interface TextStyle {
  x: number;
  y: number;
  size: number;
  fill: string;
  weight: number;
  anchor?: 'start' | 'middle';
  spacing?: number;
}

const fonts = 'system-ui, sans-serif';
const lineHeight = 1.2;

/**
 * Draws lines of text below each other; the text is escaped.
 *
 * @example
 * textLines(['Free', 'Fire'], { x: 72, y: 180, size: 64, fill: '#fff', weight: 800 });
 */
export const textLines = (
  lines: readonly string[],
  { x, y, size, fill, weight, anchor = 'start', spacing = 0 }: TextStyle,
): string => {
  const place = `text-anchor="${anchor}" font-family="${fonts}" font-size="${size}" font-weight="${weight}"`;
  const spans = lines.map((line, index) => {
    const top = short(y + index * size * lineHeight);
    return `<tspan x="${short(x)}" y="${top}">${escapeXml(line)}</tspan>`;
  });
  return `<text ${place} letter-spacing="${spacing}" fill="${fill}">${spans.join('')}</text>`;
};

/**
 * The height of lines of text, from the top of the capitals to the last baseline.
 *
 * @example
 * const top = (400 - textHeight(2, 64)) / 2;
 */
export const textHeight = (lines: number, size: number): number => size * (0.72 + (lines - 1) * lineHeight);
