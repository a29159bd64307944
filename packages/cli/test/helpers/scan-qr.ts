import jsqr from 'jsqr';
import type { Cell } from './pseudo-terminal.ts';

// jsqr is CommonJS; TypeScript types its default export differently from bundlers and Node.
const read = 'default' in jsqr ? jsqr.default : jsqr;

/** Pixels per module: scanners need several. */
const scale = 4;

/** Whether the upper and lower half of a character are drawn. */
const halves: Record<string, [boolean, boolean]> = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
};

/** Reads an image as a phone would; `rows` are grey values, one per half character. */
function scan(rows: readonly number[][]): string | undefined {
  const width = (rows[0]?.length ?? 0) * scale;
  const height = rows.length * scale;
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const grey = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? 0;
      pixels.set([grey, grey, grey, 255], (y * width + x) * 4);
    }
  return read(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** Scans lines of half blocks; `drawn` is the grey value of drawn halves. */
export const scanLines = (
  lines: readonly string[],
  { drawn, blank }: { drawn: number; blank: number },
): string | undefined =>
  scan(
    lines.flatMap((line) =>
      [0, 1].map((half) => [...line].map((character) => (halves[character]?.[half] ? drawn : blank))),
    ),
  );

const black = 0;
const brightWhite = 15;
const greys = new Map([
  [black, 0],
  [brightWhite, 255],
]);
/** The default colours of a dark terminal. */
const own = { foreground: 200, background: 20 };

const greyOf = ({ text, foreground, background }: Cell, half: number): number =>
  halves[text]?.[half]
    ? (greys.get(foreground ?? -1) ?? own.foreground)
    : (greys.get(background ?? -1) ?? own.background);

/** Scans a whole screen of a dark terminal, with all other text on it. */
export const scanScreen = (cells: readonly Cell[][]): string | undefined =>
  scan(cells.flatMap((row) => [0, 1].map((half) => row.map((cell) => greyOf(cell, half)))));
