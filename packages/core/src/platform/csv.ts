export type CsvCell = string | number | null;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;

/** Escapes control and bidi characters of a text, also line breaks, so that it can't control a terminal. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);

/** Puts a text on one line, like {@link visible}. */
export const printable = (text: string): string => visible(text.replace(/\s+/g, ' '));

/** Starts a file of CSV: without it, Excel reads the file in the encoding of the machine. */
export const byteOrderMark = '\ufeff';

/** Where a cell begins, for any separator, with a sign of a formula, also in full width. */
const formula = /(^|[,;])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Digits that a spreadsheet would shorten, or read as a power or a date: `0812...`, a long id, `12E3`, `1-2`. */
const changed = /^(0\d+|\d{16,}|\d+[eE][+-]?\d+|\d+([-/.:]\d+)+)$/;

function cellOf(value: CsvCell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = printable(value.trim()).replace(formula, "$1'");
  const safe = changed.test(text) ? `'${text}` : text;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Returns a line of CSV (RFC 4180). Each text is on one line and without control characters. An apostrophe precedes what a spreadsheet
 * would take for a formula, because customers choose their names, whatever separates the cells of the reader; and what a spreadsheet
 * would change, such as a phone number with a leading zero.
 *
 * @example
 * csvLine(['ML86', 22000, null]); // 'ML86,22000,\r\n'
 */
export const csvLine = (cells: readonly CsvCell[], separator: ',' | ';' | '\t' = ','): string =>
  `${cells.map(cellOf).join(separator)}\r\n`;
