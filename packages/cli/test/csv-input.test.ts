import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../src/input/csv.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(chunks: AsyncIterable<string>) {
  const rows = [];
  for await (const row of csvRows(chunks)) rows.push(row);
  return rows;
}

describe('rows of CSV', () => {
  it('reads the same rows however the file is split into chunks', async () => {
    const cell = fc.array(fc.constantFrom('a', ',', ';', '"', '\n', '\r\n', ' b'), { maxLength: 5 });
    const row = fc.array(
      cell.map((parts) => parts.join('')),
      { minLength: 2, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const quoted = rows.map((cells) =>
            cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
          );
          const file = ['first,second', ...quoted, ''].join('\r\n');
          const found = (await read(inChunks(file, size))).slice(1).map(({ cells }) => cells);
          const expected = rows.map((cells) => cells.map((text) => text.replaceAll('\r\n', '\n').trim()));
          expect(found.map((cells) => cells.map((text) => text.replaceAll('\r', '')))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives each CSV row the number of its first line', async () => {
    const rows = await read(inChunks('a,b\n\n"1\n2",x\nlast,y\n', 3));
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it('reads each character once, even in an unterminated cell', async () => {
    const file = `a,b\n"${'x,y\n'.repeat(150_000)}`;
    await expect(read(inChunks(file, 65_536))).rejects.toThrow('Line 2: a quoted cell has no end.');
  });

  it.each([
    ['without line breaks', 'x'],
    ['whose quoted cell never ends', '"x\n'],
  ])('stops reading an endless file %s', async (_kind, start) => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<string> {
      yield start;
      for (;;) {
        chunks += 1;
        yield 'x'.repeat(60_000) + (start === 'x' ? '' : '\n');
      }
    }
    await expect(read(endless())).rejects.toThrow('a row has more than 1000000 characters');
    expect(chunks).toBeLessThan(20);
  });
});
