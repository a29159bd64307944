import { type OutputStyle, plain, type Style } from './style.ts';
import { cut, printable, textWidth } from './text.ts';

export interface Column {
  title?: string;
  align?: 'right';
  /** Text that may be cut on a narrow terminal; ids and prices are never cut. */
  long?: true;
  /** Set if the column is omitted on a narrow terminal: first the `soon` columns, then the last such column. */
  spare?: true | 'soon';
  style?: (text: string) => Style | undefined;
}

interface TableOptions extends Partial<OutputStyle> {
  indent?: number;
}

const gap = '  ';
const minColumnWidth = 8;
/** Width of labels, which is equal for all lists, so that they align. */
const labelWidth = 8;

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** Shortens the widest of the long columns, one column of the terminal at a time. */
function fit(widths: number[], columns: Column[], available: number): number[] {
  const fitted = [...widths];
  while (widthOf(fitted) > available) {
    const longest = Math.max(...fitted.filter((_width, index) => columns[index]?.long));
    if (longest <= minColumnWidth) break;
    fitted[fitted.findIndex((width, index) => columns[index]?.long && width === longest)] = longest - 1;
  }
  return fitted;
}

function cell(
  text: string,
  width: number,
  { align, long }: Column,
  paint: (shown: string) => string,
): string {
  const shown = long ? cut(text, width) : text;
  const padding = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return align === 'right' ? padding + paint(shown) : paint(shown) + padding;
}

interface Shown {
  columns: Column[];
  rows: string[][];
}

function keepColumns({ columns, rows }: Shown, isKept: (index: number) => boolean): Shown {
  // Computed only once, because this may read all rows.
  const kept = columns.map((_column, index) => isKept(index));
  const keep = <Item>(items: Item[]): Item[] => items.filter((_item, index) => kept[index]);
  return { columns: keep(columns), rows: rows.map(keep) };
}

const withoutEmptyColumns = (shown: Shown): Shown =>
  keepColumns(shown, (index) => shown.rows.some((row) => row[index]));

const naturalWidths = ({ columns, rows }: Shown): number[] =>
  columns.map(({ title = '' }, index) =>
    rows.reduce((width, row) => Math.max(width, textWidth(row[index] ?? '')), textWidth(title)),
  );

/** Omits spare columns until the table fits. */
function fitColumns(shown: Shown, available: number): Shown & { widths: number[] } {
  const widths = fit(naturalWidths(shown), shown.columns, available);
  const soon = shown.columns.findLastIndex(({ spare }) => spare === 'soon');
  const last = soon === -1 ? shown.columns.findLastIndex(({ spare }) => spare) : soon;
  if (widthOf(widths) <= available || last === -1) return { ...shown, widths };
  return fitColumns(
    keepColumns(shown, (index) => index !== last),
    available,
  );
}

/**
 * Formats rows in aligned columns, each line with its line break; empty without rows.
 *
 * @example
 * table([{ title: 'ID', align: 'right' }, { title: 'PRODUCT', long: true }], [['901', '86 Diamond']]);
 */
export function table(allColumns: Column[], allRows: string[][], options: TableOptions = {}): string {
  const printed = allRows.map((row) => row.map(printable));
  const indent = ' '.repeat(options.indent ?? 0);
  const available = (options.columns ?? Number.POSITIVE_INFINITY) - indent.length;
  const { columns, rows, widths } = fitColumns(
    withoutEmptyColumns({ columns: allColumns, rows: printed }),
    available,
  );
  const titles = columns.map(({ title = '' }) => title);
  const hasTitles = titles.some(Boolean);
  const lines = hasTitles ? [titles, ...rows] : rows;
  const { paint } = { ...plain, ...options };
  const asLine = (line: string[], isTitle: boolean): string =>
    columns
      .map((column, index) => {
        const text = line[index] ?? '';
        const style = isTitle ? 'title' : column.style?.(text);
        return cell(text, widths[index] ?? 0, column, (shown) => paint(style, shown));
      })
      .join(gap);
  return lines
    .map((line, index) => `${(indent + asLine(line, hasTitles && index === 0)).trimEnd()}\n`)
    .join('');
}

export type ColumnOf<Item> = [column: Column, text: (item: Item) => string];

export const tableOf = <Item>(
  columns: readonly ColumnOf<Item>[],
  items: readonly Item[],
  options?: TableOptions,
): string =>
  table(
    columns.map(([column]) => column),
    items.map((item) => columns.map(([, text]) => text(item))),
    options,
  );

export type Fact = [label: string, value: string | null | undefined, style?: Style | undefined];

/** Formats labels and values, one pair per line, without empty values. Nothing is cut. */
export function list(entries: readonly Fact[], { paint } = plain): string {
  const shown = entries.filter(([, value]) => value);
  const width = Math.max(labelWidth, ...shown.map(([label]) => label.length));
  return shown
    .map(([label, value, style]) => `  ${label.padEnd(width)}  ${paint(style, printable(value ?? ''))}\n`)
    .join('');
}

/** Returns a screen of facts. */
export const factList =
  (entries: readonly Fact[]) =>
  (style: OutputStyle): string =>
    list(entries, style);
