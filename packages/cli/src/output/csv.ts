import { Option } from '@commander-js/extra-typings';
import { byteOrderMark, type CsvCell, csvLine as lineOf } from '@topup-kit/core/platform';
import type { CommandContext } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { wantsJson } from './print.ts';

export type { CsvCell as Cell };

const separators = { ',': ',', ';': ';', tab: '\t' } as const;
export type Separator = keyof typeof separators;

const separatorNames = [',', ';', 'tab'] as const satisfies Separator[];

export const separatorOption = () =>
  new Option('--separator <character>', 'separator of CSV cells; default: a comma').choices(separatorNames);

/** Rejects two output formats at the same time, and a separator without CSV. */
export function checkCsv(
  { globals }: CommandContext,
  { csv, separator }: { csv?: boolean | undefined; separator?: Separator | undefined },
): void {
  if (csv && wantsJson(globals)) throw usageError('--csv and --json are different formats: give only one.');
  if (separator !== undefined && (!csv || wantsJson(globals)))
    throw usageError('--separator is for CSV only.');
}

export async function printCsv(
  { io }: CommandContext,
  titles: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  separator?: Separator,
): Promise<void> {
  await io.stdout.write(byteOrderMark);
  for (const row of [titles, ...rows]) await io.stdout.write(csvLine(row, separator));
}

export const csvLine = (cells: readonly CsvCell[], separator: Separator = ','): string =>
  lineOf(cells, separators[separator]);
