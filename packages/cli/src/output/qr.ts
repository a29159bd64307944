import { encode } from 'uqr';
import type { OutputStyle } from './style.ts';

/** Widths of the white border, in modules: the width that the standard requires, and the width that most scanners accept. */
const quietZones = [4, 2];
/** Maximum length of a string in characters; a longer text makes a code too wide for any terminal. */
const longest = 1_000;

/** Characters for two modules, one above the other. */
const blocks = { neither: ' ', upper: '▀', lower: '▄', both: '█' };

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? blocks.both : blocks.upper;
  return lower ? blocks.lower : blocks.neither;
}

const line = (
  upper: readonly boolean[],
  lower: readonly boolean[],
  isDrawn: (dark: boolean) => boolean,
): string => upper.map((dark, index) => block(isDrawn(dark), isDrawn(lower[index] ?? false))).join('');

function fittingCode(text: string, columns: number): boolean[][] | undefined {
  return quietZones.map((border) => encode(text, { border }).data).find(({ length }) => length <= columns);
}

/** Returns the number of columns that a string needs as a QR code; undefined if the string is too long. */
export function qrColumns(text: string): number | undefined {
  if (text.length > longest) return undefined;
  return encode(text, { border: Math.min(...quietZones) }).data.length;
}

/**
 * Draws a string as a QR code for the terminal: black on white with colours, and otherwise only the light modules, which works on a dark
 * terminal. Undefined without a terminal, or if the terminal is too narrow.
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
