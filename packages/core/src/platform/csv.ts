export type CsvCell = string | number | null;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;

/** Escapes control characters (including line breaks) and bidi characters in a string, so that it can't control a terminal. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);

/** Puts a string on one line, like {@link visible}. */
export const printable = (text: string): string => visible(text.replace(/\s+/g, ' '));

/** The start of a CSV file. Without it, Excel reads the file in the encoding of the machine. */
export const byteOrderMark = '\ufeff';

/** Matches the start of a cell, after any separator, that a spreadsheet reads as a formula; includes full-width signs. */
const formula = /(^|[,;])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Matches digits that a spreadsheet would shorten, or read as a power or a date: `0812...`, a long id, `12E3`, `1-2`. */
const changed = /^(0\d+|\d{16,}|\d+[eE][+-]?\d+|\d+([-/.:]\d+)+)$/;

function cellOf(value: CsvCell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = printable(value.trim()).replace(formula, "$1'");
  const safe = changed.test(text) ? `'${text}` : text;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Returns a line of CSV (RFC 4180). Texts are on one line, without control characters. An apostrophe is added before text that a
 * spreadsheet would read as a formula with any separator, because customers choose their names, and before text that a spreadsheet would
 * change, such as a phone number with a leading zero.
 *
 * @example
 * csvLine(['ML86', 22000, null]); // 'ML86,22000,\r\n'
 */
export const csvLine = (cells: readonly CsvCell[], separator: ',' | ';' | '\t' = ','): string =>
  `${cells.map(cellOf).join(separator)}\r\n`;
