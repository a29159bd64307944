import { encode } from 'uqr';
import type { OutputStyle } from './style.ts';

/** Modules of white that scanners want around a code, and those that most do with. */
const quietZones = [4, 2];
/** Longer texts make codes that no terminal is wide enough for. */
const longest = 1_000;

/** The characters for a module above another, by whether each is drawn. */
const blocks = { neither: ' ', upper: '▀', lower: '▄', both: '█' };

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? blocks.both : blocks.upper;
  return lower ? blocks.lower : blocks.neither;
}

/** Two rows of modules as one line of characters. */
const line = (
  upper: readonly boolean[],
  lower: readonly boolean[],
  isDrawn: (dark: boolean) => boolean,
): string => upper.map((dark, index) => block(isDrawn(dark), isDrawn(lower[index] ?? false))).join('');

function fittingCode(text: string, columns: number): boolean[][] | undefined {
  return quietZones.map((border) => encode(text, { border }).data).find(({ length }) => length <= columns);
}

/** How wide a terminal must be to show a text as a QR code; undefined for one that no terminal shows. */
export function qrColumns(text: string): number | undefined {
  if (text.length > longest) return undefined;
  return encode(text, { border: Math.min(...quietZones) }).data.length;
}

/**
 * A text as a QR code for a phone to scan from the terminal: black on white where there are colours, else with the
 * light modules drawn, which is right on a dark terminal. Undefined where there is no terminal, or a narrow one.
 */
export function qrCode(text: string, { columns, paint }: OutputStyle): string | undefined {
  const rows = columns === undefined || text.length > longest ? undefined : fittingCode(text, columns);
  if (!rows) return undefined;
  const hasColours = paint('picture', ' ') !== ' ';
  const pairs = rows.flatMap((row, index) =>
    index % 2 === 0 ? [line(row, rows[index + 1] ?? [], (dark) => dark === hasColours)] : [],
  );
  return pairs.map((pair) => `${paint('picture', pair)}\n`).join('');
}
