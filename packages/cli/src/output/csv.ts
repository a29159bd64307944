import type { CommandContext } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { wantsJson } from './print.ts';

type Cell = string | number | null;

/** Rejects a command that is to print two formats. */
export function checkCsv({ globals }: CommandContext, csv: boolean | undefined): void {
  if (csv && wantsJson(globals)) throw usageError('--csv and --json are two formats: give one of them.');
}

export async function printCsv(
  { io }: CommandContext,
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  for (const row of [titles, ...rows]) await io.stdout.write(csvLine(row));
}

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would take for a formula is preceded by an apostrophe, because customers
 * choose their names.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
