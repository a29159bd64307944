import { Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { wantsJson } from './print.ts';
import { printable } from './text.ts';

export type Cell = string | number | null;

const separators = { ',': ',', ';': ';', tab: '\t' } as const;
export type Separator = keyof typeof separators;

const separatorNames = [',', ';', 'tab'] as const satisfies Separator[];

export const separatorOption = () =>
  new Option('--separator <character>', 'what is between the cells of CSV: a comma by default').choices(
    separatorNames,
  );

/** Rejects a command that is to print two formats, and a separator of no CSV. */
export function checkCsv(
  { globals }: CommandContext,
  { csv, separator }: { csv?: boolean | undefined; separator?: Separator | undefined },
): void {
  if (csv && wantsJson(globals)) throw usageError('--csv and --json are two formats: give one of them.');
  if (separator !== undefined && (!csv || wantsJson(globals)))
    throw usageError('--separator is for CSV only.');
}

/** Excel reads a file without it in the encoding of the machine. */
const byteOrderMark = '\ufeff';

export async function printCsv(
  { io }: CommandContext,
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  separator?: Separator,
): Promise<void> {
  await io.stdout.write(byteOrderMark);
  for (const row of [titles, ...rows]) await io.stdout.write(csvLine(row, separator));
}

/**
 * A line of CSV (RFC 4180). Each text is on one line and without control characters. An apostrophe precedes what a spreadsheet would
 * take for a formula, because customers choose their names, whatever separates the cells of the reader; and what a spreadsheet would
 * change, such as a phone number with a leading zero.
 */
export const csvLine = (cells: readonly Cell[], separator: Separator = ','): string =>
  `${cells.map(cellOf).join(separators[separator])}\r\n`;

/** Where a cell begins, for any separator, with a sign of a formula, also in full width. */
const formula = /(^|[,;])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Digits that a spreadsheet would shorten, or read as a power or a date: `0812...`, a long id, `12E3`, `1-2`. */
const changed = /^(0\d+|\d{16,}|\d+[eE][+-]?\d+|\d+([-/.:]\d+)+)$/;

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = printable(value.trim()).replace(formula, "$1'");
  const safe = changed.test(text) ? `'${text}` : text;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
