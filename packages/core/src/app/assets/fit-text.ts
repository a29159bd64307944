/** The room that a text has: its width, how many lines, and the font sizes to try, largest first. */
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
  /** What joins it to the piece before, on the same line. */
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
 * What a reader takes for single characters, an emoji family or a Thai syllable with its marks included.
 *
 * @example
 * graphemes('น้ำ!'); // ['น้ำ', '!']
 */
export const graphemes = (text: string): string[] => segment(text, 'grapheme');

// Nobody knows the reader's font: these are widths of bold sans-serif letters, in em, on the generous side.
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
 * About how wide a text will be, in em.
 *
 * @example
 * const pixels = textWidth('Free Fire') * fontSize;
 */
export const textWidth = (text: string): number =>
  graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);

/** The text in pieces that may stand on different lines; only a word too long for one is divided. */
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

/** As many lines as `wrap` needs, but of more even lengths. */
function wrapEvenly(pieces: readonly Piece[], limit: number): Line[] {
  const lines = wrap(pieces, limit);
  for (const share of [0.55, 0.65, 0.75, 0.85]) {
    const narrower = wrap(pieces, limit * share);
    const overflows = narrower.some(({ width }) => width > limit * share);
    if (narrower.length === lines.length && !overflows) return narrower;
  }
  return lines;
}

/** As much of a line as fits before an ellipsis. */
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
 * Fits a text into its room: the largest font size that needs no cutting, wrapped between words; what is too
 * much at the smallest size ends in an ellipsis.
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
