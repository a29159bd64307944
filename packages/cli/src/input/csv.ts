/** A row of a CSV file, and the line on which it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** What is in the file where a quoted cell should have ended. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** The separator of a header: a comma, or a semicolon as spreadsheets in many countries write it. */
const separatorOf = (header: string): string =>
  header.split(';').length > header.split(',').length ? ';' : ',';

/** Reads CSV (RFC 4180) a row at a time, without empty lines. */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let separator: string | undefined;
  let pending = '';
  let line = 1;

  /** The cells of a text that is a whole row; null when a quoted cell goes on in the next line. */
  function cellsOf(text: string): string[] | null {
    separator ??= separatorOf(text);
    const cells: string[] = [];
    for (let at = 0; ; at += 1) {
      if (text[at] !== '"') {
        const end = text.indexOf(separator, at);
        cells.push(text.slice(at, end < 0 ? undefined : end));
        if (end < 0) return cells;
        at = end;
        continue;
      }
      let cell = '';
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) return null;
        cell += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      cells.push(cell);
      if (at >= text.length) return cells;
      if (text[at] !== separator) throw new CsvError(`Line ${line}: there is text after a quoted cell.`);
    }
  }

  function* rowsOf(texts: readonly string[]): Generator<CsvRow> {
    for (const text of texts) {
      const whole = pending + text.replace(/\r$/, '');
      const cells = whole.trim() === '' ? [] : cellsOf(whole);
      if (cells === null) {
        pending = `${whole}\n`;
        continue;
      }
      pending = '';
      if (cells.length > 0) yield { line, cells: cells.map((cell) => cell.trim()) };
      line += whole.split('\n').length;
    }
  }

  let rest = '';
  let isFirst = true;
  for await (const chunk of chunks) {
    const lines = (rest + (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk)).split('\n');
    isFirst = false;
    rest = lines.pop() ?? '';
    yield* rowsOf(lines);
  }
  yield* rowsOf([rest]);
  if (pending !== '') throw new CsvError(`Line ${line}: a quoted cell has no end.`);
}
