/** Row of a CSV file with the number of its first line. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Error for text after the end of a quoted cell. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** Returns the separator of a header: a comma, or a semicolon, which spreadsheets in many countries write. */
const separatorOf = (header: string): string =>
  header.split(';').length > header.split(',').length ? ';' : ',';

/** Maximum length of a row in characters. No statement has a longer row, which would only fill the memory. */
const longestRow = 1_000_000;

/** Reads CSV (RFC 4180) row by row, and skips empty lines. Each character is read only once. */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let separator: string | undefined;
  let line = 1;
  /** Current row: its complete cells, an unfinished quoted cell, its lines and its length. */
  let cells: string[] = [];
  let open: string | undefined;
  let lines = 0;
  let length = 0;

  function checkLength(more: number): void {
    if (length + more > longestRow)
      throw new CsvError(`Line ${line}: a row has more than ${longestRow} characters.`);
  }

  /** Reads a quoted cell from a position. Returns the position after its end, or undefined if it continues on the next line. */
  function readQuoted(text: string, start: number): number | undefined {
    for (let at = start; ; ) {
      const end = text.indexOf('"', at);
      open = (open ?? '') + text.slice(at, end < 0 ? undefined : end);
      if (end < 0) return undefined;
      if (text[end + 1] !== '"') {
        cells.push(open);
        open = undefined;
        return end + 1;
      }
      open += '"';
      at = end + 2;
    }
  }

  /** Reads a line of the row. Returns whether the row ends there. */
  function readLine(text: string): boolean {
    separator ??= separatorOf(text);
    const split = separator;
    let at = 0;
    let isInside = open !== undefined;
    if (isInside) open += '\n';
    for (;;) {
      if (isInside || text[at] === '"') {
        const end = readQuoted(text, isInside ? at : at + 1);
        if (end === undefined) return false;
        if (end >= text.length) return true;
        if (text[end] !== split) throw new CsvError(`Line ${line}: there is text after a quoted cell.`);
        at = end + 1;
        isInside = false;
        continue;
      }
      const end = text.indexOf(split, at);
      cells.push(text.slice(at, end < 0 ? undefined : end));
      if (end < 0) return true;
      at = end + 1;
    }
  }

  function* rowsOf(texts: readonly string[]): Generator<CsvRow> {
    for (const whole of texts) {
      const text = whole.replace(/\r$/, '');
      checkLength(text.length);
      lines += 1;
      length += text.length + 1;
      const isBlank = open === undefined && text.trim() === '';
      if (!isBlank && !readLine(text)) continue;
      if (!isBlank) yield { line, cells: cells.map((cell) => cell.trim()) };
      line += lines;
      [cells, lines, length] = [[], 0, 0];
    }
  }

  let rest: string[] = [];
  let restLength = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    const [head = '', ...others] = (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk).split('\n');
    isFirst = false;
    rest.push(head);
    restLength += head.length;
    checkLength(restLength);
    if (others.length === 0) continue;
    const last = others.pop() ?? '';
    yield* rowsOf([rest.join(''), ...others]);
    rest = [last];
    restLength = last.length;
  }
  yield* rowsOf([rest.join('')]);
  if (open !== undefined) throw new CsvError(`Line ${line}: a quoted cell has no end.`);
}
