import { type Bar, type Figure, isMet, type Measure, median, type Outcome } from './measure.ts';

/** Formats a number with at most three significant digits, or five if it is large. */
export const number = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: value >= 1000 ? 5 : 3 }).format(value);

function figureRow({ name, unit, values }: Figure): string[] {
  const spread = values.length > 1 ? `${number(Math.min(...values))} to ${number(Math.max(...values))}` : '';
  return [name, number(median(values)), unit, spread];
}

const barRow = (bar: Bar): string[] => [
  bar.name,
  number(bar.value),
  `${bar.kind} ${bar.bar}`,
  isMet(bar) ? 'met' : 'MISSED',
];

function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map((row) => `  ${line(row).trimEnd()}\n`).join('');
}

/** Formats the table of a measure: medians and spread, the calibration, and which limits were met or missed. */
export function report(measure: Measure, calibration: Figure[], { figures, bars, remarks }: Outcome): string {
  return [
    `\n${measure.name}: ${measure.about}\n\n`,
    table([
      ['', 'median', '', 'spread'],
      ...[...figures, ...calibration].map(figureRow),
      ...bars.map(barRow),
    ]),
    ...remarks.map((remark) => `\n  ${remark}\n`),
  ].join('');
}
