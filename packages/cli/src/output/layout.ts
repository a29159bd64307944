import { textWidth, wrappedLines } from './text.ts';

/** Minimum width of a column for a string next to its term. In a narrower column, the text starts below the term. */
const narrowestColumn = 20;

/** End of a line whose command continues on the next line. */
const continued = ' \\';

/** Splits a command line into words. A quoted text is one word, because a line break would change it. */
const commandWords = (text: string): string[] => text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** Splits a command line into parts. A flag and its value stay on one line. */
function commandParts(text: string): string[] {
  const parts: string[] = [];
  for (const word of commandWords(text)) {
    const last = parts.at(-1);
    const isValue = last !== undefined && /^--?[\w-]+$/.test(last) && !word.startsWith('-') && word !== '\\';
    if (isValue) parts.push(`${parts.pop()} ${word}`);
    else parts.push(word);
  }
  return parts;
}

/** Breaks a command line between words, with a backslash at the end of each line, so that it can be copied. */
function commandLines(indent: string, text: string, columns: number): string[] {
  const further = ' '.repeat(Math.max(indent.length, 4));
  const lines: string[] = [];
  let line = '';
  for (const part of commandParts(text)) {
    const longer = line === '' ? indent + part : `${line} ${part}`;
    if (line !== '' && textWidth(longer + (part === '\\' ? '' : continued)) > columns) {
      lines.push(line + continued);
      line = further + part;
    } else line = longer;
  }
  return [...lines, line];
}

/** Formats a term with its text, which is wrapped in its own column. */
function termLines(before: string, text: string, columns: number): string[] {
  const fits = columns - before.length >= narrowestColumn;
  const start = fits ? before.length : (/^ */.exec(before)?.[0].length ?? 0) + 4;
  const [first = '', ...further] = wrappedLines(text, columns - start).map(
    (line, index) => (fits && index === 0 ? '' : ' '.repeat(start)) + line,
  );
  return fits ? [before + first, ...further] : [before.trimEnd(), first, ...further];
}

function laidOutLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const [, before, beside] = /^(Usage: | +\S.*? {2,})(\S.*)$/.exec(line) ?? [];
  if (before !== undefined && beside !== undefined) return termLines(before, beside, columns);
  const indent = /^ */.exec(line)?.[0] ?? '';
  const text = line.trimStart();
  if (indent !== '' && !text.endsWith('.')) return commandLines(indent, text, columns);
  return wrappedLines(text, columns - indent.length).map((part) => indent + part);
}

/** Width for which this program's texts are written, in columns. */
const writtenFor = 80;

/** Tells whether a paragraph continues on the next line, because the first word of that line did not fit on this line. */
const goesOn = (line: string, next: string): boolean =>
  /^\S/.test(line) && /^\S/.test(next) && line.length + 1 + (next.split(' ')[0] ?? '').length >= writtenFor;

function paragraphs(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let previous = '';
  for (const line of lines) {
    if (goesOn(previous, line)) joined.push(`${joined.pop()} ${line}`);
    else joined.push(line);
    previous = line;
  }
  return joined;
}

/**
 * Fits a string of 80 columns into fewer columns. It fills paragraphs again, breaks indented command lines between words with a backslash,
 * and keeps the text next to a term in its column. Longer single words stay whole.
 */
export function layOut(text: string, columns: number | undefined): string {
  const lines = text.split('\n');
  if (columns === undefined || lines.every((line) => textWidth(line) <= columns)) return text;
  return paragraphs(lines)
    .flatMap((line) => laidOutLine(line, columns))
    .join('\n');
}
