import { describe, expect, it } from 'vitest';
import { money, readableTime } from '../src/output/format.ts';
import { jsonDocument } from '../src/output/print.ts';
import { list, table } from '../src/output/table.ts';
import { cut, printable, textWidth, wrap } from '../src/output/text.ts';
import './helpers/run.ts';

describe('table', () => {
  it('lines columns up, numbers to the right, without blanks at the ends', () => {
    const columns = [{ title: 'NAME' }, { title: 'PRICE', align: 'right' as const }, { title: 'NOTE' }];

    expect(
      table(columns, [
        ['a', '1,000', 'x'],
        ['bcdef', '20', ''],
      ]),
    ).toBe('NAME   PRICE  NOTE\na      1,000  x\nbcdef     20\n');
  });

  it('leaves out a column that is empty everywhere', () => {
    expect(table([{ title: 'A' }, { title: 'B' }], [['1', '']])).toBe('A\n1\n');
  });

  it('lines up text of East Asia, which is twice as wide', () => {
    expect(
      table(
        [{}, {}],
        [
          ['原神', '1'],
          ['Genshin', '2'],
        ],
      ),
    ).toBe('原神     1\nGenshin  2\n');
  });

  it('cuts the widest long column alone', () => {
    const columns = [{}, { long: true as const }, { long: true as const }];

    expect(table(columns, [['an-id-that-stays', 'a long text to be cut', 'short']], { columns: 36 })).toBe(
      'an-id-that-stays  a long tex…  short\n',
    );
  });

  it('shows what would steer the terminal', () => {
    expect(table([{}, {}], [['\u001b[31mred', 'a\nb']])).toBe('\\u{1b}[31mred  a b\n');
  });
});

describe('list', () => {
  it('leaves out what has no value', () => {
    expect(
      list([
        ['Order', 'INV-1'],
        ['Nickname', null],
        ['Page', undefined],
      ]),
    ).toBe('  Order     INV-1\n');
  });
});

describe('text', () => {
  it.each([
    ['\u0000\u007f\u009b', '\\u{00}\\u{7f}\\u{9b}'],
    ['a\r\n\tb', 'a b'],
    ['\u2066hidden\u202e', '\\u{2066}hidden\\u{202e}'],
    ['Résumé 👩‍💻', 'Résumé 👩‍💻'],
  ])('%j is printed as %j', (text, printed) => {
    expect(printable(text)).toBe(printed);
  });

  it.each([
    ['abc', 3],
    ['é', 1],
    ['原神', 4],
    ['👩‍💻', 2],
    ['a\u200bb', 2],
  ])('%s is %i columns wide', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('is cut between letters', () => {
    expect(cut('Genshin Impact', 9)).toBe('Genshin…');
    expect(cut('原神原神', 6)).toBe('原神…');
    expect(cut('short', 5)).toBe('short');
  });

  it('is wrapped between words', () => {
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour\n');
  });
});

describe('money', () => {
  it('is rupiah for people', () => {
    expect([money(22_000), money(-2_000), money(0)]).toEqual(['Rp 22,000', '-Rp 2,000', 'Rp 0']);
  });
});

describe('a time', () => {
  it.each([
    ['2026-03-29T10:05:00+07:00', '29 Mar 2026, 10:05 GMT+7'],
    [Date.UTC(2026, 2, 28, 17, 0), '29 Mar 2026, 00:00 GMT+7'],
    ['soon', 'soon'],
  ])('%s is told as %s', (time, told) => {
    expect(readableTime(time)).toBe(told);
  });
});

describe('JSON', () => {
  it('is the same document without what would steer the terminal', () => {
    const value = { text: 'a\u009b\u202e\u007f\u001b' };

    expect(jsonDocument(value)).toMatch(/^[ -~\n]*$/);
    expect(JSON.parse(jsonDocument(value))).toEqual(value);
  });
});
