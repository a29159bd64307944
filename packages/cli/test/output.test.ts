import { describe, expect, it } from 'vitest';
import type { Io } from '../src/io.ts';
import { withDisplay } from '../src/output/display.ts';
import {
  money,
  readableDay,
  readableTime,
  timeInColumn,
  timeOfDay,
  titleWithZone,
} from '../src/output/format.ts';
import { jsonDocument, pickFields } from '../src/output/print.ts';
import { styleOf } from '../src/output/style.ts';
import { list, table } from '../src/output/table.ts';
import { cut, flagWords, printable, shellWord, textWidth, wrap } from '../src/output/text.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

describe('table', () => {
  it('aligns columns, with numbers to the right and no spaces at the ends of lines', () => {
    const columns = [{ title: 'NAME' }, { title: 'PRICE', align: 'right' as const }, { title: 'NOTE' }];

    expect(
      table(columns, [
        ['a', '1,000', 'x'],
        ['bcdef', '20', ''],
      ]),
    ).toBe('NAME   PRICE  NOTE\na      1,000  x\nbcdef     20\n');
  });

  it('leaves out an empty column', () => {
    expect(table([{ title: 'A' }, { title: 'B' }], [['1', '']])).toBe('A\n1\n');
  });

  it('aligns East Asian characters, which are twice as wide', () => {
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

  it('cuts only the widest long column', () => {
    const columns = [{}, { long: true as const }, { long: true as const }];

    expect(table(columns, [['an-id-that-stays', 'a long text to be cut', 'short']], { columns: 36 })).toBe(
      'an-id-that-stays  a long tex…  short\n',
    );
  });

  it('cuts only long columns, and never below 8 columns', () => {
    const columns = [{}, { long: true as const }];

    expect(table(columns, [['an-id-that-stays', 'a long text']], { columns: 20 })).toBe(
      'an-id-that-stays  a long…\n',
    );
  });

  it("uses the full terminal width, including the table's indentation", () => {
    const columns = [{}, { long: true as const }];
    const rows = [['id', '123456789 12']];

    expect(table(columns, rows, { columns: 16 })).toBe('id  123456789 12\n');
    expect(table(columns, rows, { columns: 15 })).toBe('id  123456789…\n');
    expect(table(columns, rows, { columns: 16, indent: 2 })).toBe('  id  123456789…\n');
  });

  it('leaves out optional columns on a narrow terminal, starting with the last column', () => {
    const columns = [{}, { spare: true as const }, {}, { spare: true as const }];
    const rows = [['first', 'second', 'third', 'fourth']];

    expect(table(columns, rows, { columns: 28 })).toBe('first  second  third  fourth\n');
    expect(table(columns, rows, { columns: 27 })).toBe('first  second  third\n');
    expect(table(columns, rows, { columns: 20 })).toBe('first  second  third\n');
    expect(table(columns, rows, { columns: 19 })).toBe('first  third\n');
    expect(table(columns, rows, { columns: 5 })).toBe('first  third\n');
  });

  it('paints titles and cells, but not the spaces between them', () => {
    const paint = (style: string | undefined, text: string): string =>
      style === undefined ? text : `<${style}>${text}</>`;
    const columns = [
      { title: 'STATE', style: (text: string) => (text === 'ok' ? ('good' as const) : undefined) },
      { title: 'N', align: 'right' as const },
    ];

    expect(
      table(
        columns,
        [
          ['ok', '1'],
          ['no', '10'],
        ],
        { paint },
      ),
    ).toBe('<title>STATE</>   <title>N</>\n<good>ok</>      1\nno     10\n');
    expect(table([{ style: () => 'good' as const }], [['x']], { paint })).toBe('<good>x</>\n');
  });

  it('prints no table without rows', () => {
    expect(table([{ title: 'A' }], [])).toBe('');
  });

  it('escapes control characters in a table', () => {
    expect(table([{}, {}], [['\u001b[31mred', 'a\nb']])).toBe('\\u{1b}[31mred  a b\n');
  });
});

describe('list', () => {
  it('aligns the values of a list, even next to a long label', () => {
    expect(
      list([
        ['Order', 'INV-1'],
        ['To pay by hand', 'x\ny'],
      ]),
    ).toBe('  Order           INV-1\n  To pay by hand  x y\n');
  });

  it('leaves out empty values in a list', () => {
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
  ])('prints %j as %j', (text, printed) => {
    expect(printable(text)).toBe(printed);
  });

  it.each([
    ['abc', 3],
    ['é', 1],
    ['原神', 4],
    ['👩‍💻', 2],
    ['a\u200bb', 2],
  ])('measures the text %s as %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('measures a text of simple letters by its length', () => {
    expect(['\u00a0', 'a\u00ad', '\u2028x', 'x\u200f'].map(textWidth)).toEqual([1, 1, 2, 1]);
  });

  it('cuts text between characters', () => {
    expect(cut('Genshin Impact', 9)).toBe('Genshin…');
    expect(cut('原神原神', 6)).toBe('原神…');
    expect(cut('short', 5)).toBe('short');
  });

  it('wraps text between words', () => {
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour\n');
    expect(wrap('one two three', 7)).toBe('one two\nthree\n');
    expect(wrap('  one\n two ', 9)).toBe('one two\n');
    expect(wrap('word '.repeat(40), 200)).toBe(wrap('word '.repeat(40)));
    expect(wrap('word '.repeat(40)).split('\n')[0]).toHaveLength(79);
  });
});

describe('an argument for a shell', () => {
  it.each([
    ['INV-1', 'INV-1'],
    ['a_b@c%d+e=f:g,h./i-j', 'a_b@c%d+e=f:g,h./i-j'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", "'it'\\''s'"],
    ['$HOME', "'$HOME'"],
    ['x;y', "'x;y'"],
  ])('quotes the shell argument %j as %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it('puts a value after its flag, and prints a flag without a value as it is', () => {
    expect(flagWords({ '--game': 'a b', '--all': '', '--limit': undefined, '--by': 'ani' })).toBe(
      "--game 'a b' --all --by ani",
    );
  });
});

/** The environment of a command that shows amounts and times. */
const shownWith = <Value>(environment: Record<string, string>, show: () => Value): Value =>
  withDisplay({ environment } as Io, show); // Safe: the code reads nothing else.

describe('money', () => {
  it('shows amounts in rupiah', () => {
    expect([money(22_000), money(-2_000), money(0)]).toEqual(['Rp 22,000', '-Rp 2,000', 'Rp 0']);
  });

  it("shows money in the store's currency", () => {
    expect(shownWith({ TOPUP_CURRENCY: 'MYR' }, () => money(2_250))).toBe('RM 22.50');
    expect(shownWith({ TOPUP_CURRENCY: 'gold' }, () => money(22_000))).toBe('Rp 22,000');
  });
});

describe('a time', () => {
  it.each([
    ['2026-03-29T10:05:00+07:00', '29 Mar 2026, 10:05 GMT+7'],
    [Date.UTC(2026, 2, 28, 17, 0), '29 Mar 2026, 00:00 GMT+7'],
    ['soon', 'soon'],
  ])('shows the time %s as %s', (time, told) => {
    expect(readableTime(time)).toBe(told);
  });

  it("shows times in the store's time zone, whatever this machine's time zone is", () => {
    const moment = Date.UTC(2026, 2, 28, 17, 0, 31);
    const shown = () => [
      readableTime(moment),
      readableDay(moment),
      titleWithZone('WHEN', moment),
      timeOfDay(moment),
    ];
    expect(shownWith({ TZ: 'America/New_York', TOPUP_TIMEZONE: 'Asia/Tokyo' }, shown)).toEqual([
      '29 Mar 2026, 02:00 GMT+9',
      '29 Mar 2026',
      'WHEN (GMT+9)',
      '02:00:31',
    ]);
    expect(shownWith({ TOPUP_TIMEZONE: 'Mars/Olympus' }, shown)[0]).toBe('29 Mar 2026, 00:00 GMT+7');
  });

  it("keeps the offset of a service's time, and uses the offset for other times of that service", () => {
    expect(readableTime('2026-03-29T10:05:00+09:00')).toBe('29 Mar 2026, 10:05 GMT+9');
    expect(readableTime('2026-03-29T10:05:00Z')).toBe('29 Mar 2026, 10:05 UTC');
    const moment = Date.UTC(2026, 2, 28, 17, 0);
    expect(readableTime(moment, '2026-03-29T10:05:00+09:00')).toBe('29 Mar 2026, 02:00 GMT+9');
  });

  it('pads times to the same width for columns', () => {
    const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1 + day));
    expect(new Set(days.map((day) => timeInColumn(day).length))).toEqual(new Set([21]));
    expect(timeInColumn(Date.UTC(2026, 8, 3))).toBe('03 Sep 2026, 07:00:00');
  });
});

describe('JSON', () => {
  it('escapes control characters in JSON without changing the document', () => {
    const value = { text: 'a\u009b\u202e\u007f\u001b' };

    expect(jsonDocument(value)).toMatch(/^[ -~\n]*$/);
    expect(JSON.parse(jsonDocument(value))).toEqual(value);
  });
});

const terminal = { write: () => {}, isTTY: true, columns: 100 };
const pipe = { write: () => {} };
const red = '\u001b[31mno\u001b[39m';

describe('colours', () => {
  it.each([
    ['colours at a terminal', terminal, {}, red],
    ['none in a pipe', pipe, {}, 'no'],
    ['none with NO_COLOR', terminal, { NO_COLOR: '1' }, 'no'],
    ['colours with an empty NO_COLOR, which is ignored', terminal, { NO_COLOR: '' }, red],
    ['none at a dumb terminal', terminal, { TERM: 'dumb' }, 'no'],
    ['colours in a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, red],
    ['colours with FORCE_COLOR and NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, red],
    ['none with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, 'no'],
  ])('chooses whether to print colours: %s', (_case, output, environment, painted) => {
    expect(styleOf({ environment }, output).paint('bad', 'no')).toBe(painted);
  });
});

describe('the width', () => {
  it.each([
    ['uses the width of the terminal', terminal, 100],
    ['uses 80 columns if the terminal reports no width', { ...terminal, columns: undefined }, 80],
    ['uses no limit in a pipe, so that nothing is cut', pipe, undefined],
  ])('%s', (_case, output, columns) => {
    expect(styleOf({ environment: {} }, output).columns).toBe(columns);
  });
});

const order = {
  orderId: 'INV-1',
  data: { pricing: { total_price: 22_000, fee: 0 }, nickname: null },
  units: [{ id: 1, state: 'delivered' }, { id: 2 }],
};

describe('--fields without any field of the result', () => {
  it('exits with 2 for --fields without a field, names the fields, and prints no empty document', async () => {
    await using server = await startSandbox();
    const { code, stdout } = await run([
      ...['games', 'list', '--fields', 'nope,also.not', '--base-url', server.baseUrl],
    ]);

    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'NO_SUCH_FIELD',
        message: 'No such field: nope, also.not.',
        hint: expect.stringContaining('games'),
      },
    });
  });

  it('names a placed order whose requested fields are missing, and prints the order when the command is repeated', async () => {
    await using server = await startSandbox();
    const args = [...fixtureOrder, '--base-url', server.baseUrl];

    const { code, stdout } = await run([...args, '--fields', 'nope']);
    const [orderId] = /INV-\d+-[A-Z]{8}/.exec(JSON.parse(stdout).error.message) ?? [];

    expect(code).toBe(8);
    expect(JSON.parse((await run([...args, '--fields', 'orderId'])).stdout)).toEqual({ orderId });
  });
});

describe('pickFields', () => {
  it.each([
    ['a field', ['orderId'], { orderId: 'INV-1' }],
    ['a nested field, in its place', ['data.pricing.fee'], { data: { pricing: { fee: 0 } } }],
    ['a field of every item of a list', ['units.id'], { units: [{ id: 1 }, { id: 2 }] }],
    [
      'several fields of one list together',
      ['units.state', 'units.id'],
      { units: [{ state: 'delivered', id: 1 }, { id: 2 }] },
    ],
    [
      'a field that is null',
      ['data.pricing.fee', 'data.nickname'],
      { data: { pricing: { fee: 0 }, nickname: null } },
    ],
    ['a whole object if a part of it is also picked', ['data', 'data.pricing.fee'], { data: order.data }],
  ])('picks the fields %s', (_case, paths, document) => {
    expect(pickFields(order, paths)).toEqual({ document, missing: [] });
  });

  it('picks fields from a list', () => {
    expect(pickFields([{ id: 1, a: 2 }, { id: 3 }], ['id'])).toEqual({
      document: [{ id: 1 }, { id: 3 }],
      missing: [],
    });
  });

  it.each(['nothing', 'data.nothing', 'orderId.length', 'units.nothing'])(
    'reports the missing field %s',
    (path) => {
      expect(pickFields(order, [path]).missing).toEqual([path]);
    },
  );

  it('accepts a field in an empty list, because the field may exist next time', () => {
    expect(pickFields({ games: [] }, ['games.slug'])).toEqual({ document: { games: [] }, missing: [] });
  });

  it.each(['constructor', '__proto__', 'toString', 'data.hasOwnProperty'])('finds nothing at %s', (path) => {
    expect(pickFields(order, [path])).toEqual({ document: {}, missing: [path] });
  });

  it('prints a field named __proto__ as an ordinary field', () => {
    const document = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');

    const picked = pickFields(document, ['__proto__.polluted', 'a']);

    expect(JSON.stringify(picked.document)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
