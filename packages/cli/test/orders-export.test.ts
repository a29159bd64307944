import { join } from 'node:path';
import { createSqliteStore } from '@topup-kit/server/internal';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { another, change, entry, place, unit } from '../../suites/src/store/fixtures.ts';
import { csvLine } from '../src/output/csv.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
const hour = 3_600_000;
/** How many orders there are: more than are read at a time. */
const count = 1_003;

/** The start of today in the zone of the store, Asia/Jakarta. */
const midnight = (): number => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(Date.now());
  return Date.parse(`${day}T00:00:00+07:00`);
};

const idOf = (index: number): string =>
  `INV-20260101000000-${String(index)
    .replaceAll(/\d/g, (d) => 'ABCDEFGHIJ'[Number(d)] ?? '')
    .padStart(8, 'Z')}`;

beforeAll(async () => {
  const store = createSqliteStore({ path });
  const placing = Array.from({ length: count }, (_, index) => {
    const order = another('A', {
      orderId: idOf(index),
      accountId: index % 2 === 0 ? 'even' : 'odd',
      createdAt: midnight() - 3 * 24 * hour - index,
      target: { id: '1', server: null, nickname: index === 0 ? '=SUM(A1)' : 'a "b", c' },
      payment: { reference: `ref-${index}`, code: null, url: null, qrString: null },
    });
    return store.placeOrder({ order, promo: null, response: null });
  });
  await Promise.all(placing);
  const recent: [string, number][] = [
    ['TODAY', midnight()],
    ['YESTERDAYEND', midnight() - 1],
    ['YESTERDAY', midnight() - 24 * hour],
    ['BEFORE', midnight() - 24 * hour - 1],
  ];
  for (const [name, createdAt] of recent) {
    const order = another('A', {
      orderId: name,
      accountId: 'recent',
      createdAt,
      payment: { reference: name, code: null, url: null, qrString: null },
    });
    await store.placeOrder({ order, promo: null, response: null });
  }
  const orderId = 'INV-20260328100000-PAIDPAID';
  const paidAt = Date.parse('2026-03-28T10:01:00+07:00');
  await store.placeOrder(
    place(
      another('A', {
        ...{ orderId, accountId: 'paid', createdAt: paidAt - 60_000 },
        payment: { reference: 'PAID', code: null, url: null, qrString: null },
      }),
    ),
  );
  await store.changeOrder(
    change({ orderId, entry: entry({ at: paidAt + 5_000, paidAt, fee: 150 }), units: [unit(1)] }),
  );
  const bought = { supplier: 'depot', cost: 20_000, costSource: 'supplier' } as const;
  const to = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
  await store.changeOrder(
    change({
      ...{ orderId, version: 2, to },
      entry: entry({ at: paidAt + 9_000, event: 'delivered', to }),
      units: [unit(1, { ...bought, state: 'delivered', nextAt: null })],
    }),
  );
  await store.close();
});
afterAll(() => folder[Symbol.dispose]());

const onStore = (...args: string[]) =>
  run(['orders', ...args], { environment: { TOPUP_STORE: `file:${path}` } });
const idsOf = async (...args: string[]) =>
  (await onStore('list', '-q', '--account', 'recent', ...args)).stdout.trim().split('\n');

describe('orders list of a time span', () => {
  it.each([
    [['--since', 'today'], ['TODAY']],
    [
      ['--since', 'yesterday'],
      ['TODAY', 'YESTERDAYEND', 'YESTERDAY'],
    ],
    [
      ['--since', 'yesterday', '--until', 'yesterday'],
      ['YESTERDAYEND', 'YESTERDAY'],
    ],
    [
      ['--until', 'yesterday'],
      ['YESTERDAYEND', 'YESTERDAY', 'BEFORE'],
    ],
  ])('lists the orders of a period with %j', async (args, ids) => {
    expect(await idsOf(...args)).toEqual(ids);
  });

  it('accepts a duration as a time, and a time with an offset', async () => {
    const minutes = Math.ceil((Date.now() - midnight()) / 60_000);
    expect(await idsOf('--since', `${minutes + 1}m`)).toEqual(['TODAY', 'YESTERDAYEND']);
    const time = new Date(midnight() - 24 * hour).toISOString();
    expect(await idsOf('--since', time.replace(/\.\d+Z$/, 'Z'), '--until', 'yesterday')).toEqual([
      'YESTERDAYEND',
      'YESTERDAY',
    ]);
  });

  it.each([
    [['--since', 'today', '--until', 'yesterday'], /--until \(.*\) must be later than --since \(.*\)/],
    [['--since', 'soon'], /Give a time such as 2026-12-31, .* yesterday or 2h \(ago\)/],
    [['--until', '2026-02-31'], /Give a time such as/],
  ])('rejects %j with a one-line error', async (args, message) => {
    const { code, stdout, stderr } = await onStore('list', ...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });
});

describe('orders export', () => {
  it('exports every order once, newest first, below a single header line', async () => {
    const { code, stdout, stderr } = await onStore('export');
    const [titles, ...lines] = stdout.split('\r\n').slice(0, -1);
    expect([code, stderr]).toEqual([0, '']);
    expect(titles?.split(',').slice(0, 3)).toEqual(['\ufefforder_id', 'created_at', 'account_id']);
    const ids = lines.map((line) => line.split(',')[0]);
    expect(ids.slice(0, 4)).toEqual(['TODAY', 'YESTERDAYEND', 'YESTERDAY', 'BEFORE']);
    expect(ids.filter((id) => id?.startsWith('INV-20260101'))).toEqual(
      Array.from({ length: count }, (_, index) => idOf(index)),
    );
  });

  it('exports the orders that orders list shows with the same flags, even as NDJSON', async () => {
    const { stdout } = await onStore('export', '--account', 'recent', '--since', 'yesterday', '--json');
    const documents = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(documents.map(({ order_id }) => order_id)).toEqual(['TODAY', 'YESTERDAYEND', 'YESTERDAY']);
    expect(documents[0]).toMatchObject({ account_id: 'recent', pricing: { total_price: 22_000 } });
    const { stdout: one } = await onStore('export', '--account', 'recent', '--since', 'today');
    expect(one).toContain('TODAY,');
    expect(one.split('\r\n')).toHaveLength(3);
  });

  it('waits for the reader of the output, and so collects nothing in memory', async () => {
    let isWriting = false;
    let overlaps = 0;
    let written = 0;
    await run(['orders', 'export', '--account', 'recent'], {
      environment: { TOPUP_STORE: `file:${path}` },
      async onWrite() {
        overlaps += Number(isWriting);
        written += 1;
        isWriting = true;
        await new Promise((resolve) => setTimeout(resolve, 5));
        isWriting = false;
      },
    });
    // The mark of the encoding, the titles and four orders.
    expect([written, overlaps]).toEqual([6, 0]);
  });

  it("exports payments, earnings, and times in the store's time zone", async () => {
    const names = (await onStore('export', '--account', 'nobody')).stdout.trim().split(',');
    const rows = (await onStore('export', '--account', 'paid')).stdout.trim().split('\r\n').slice(1);
    const row = Object.fromEntries((rows[0] ?? '').split(',').map((cell, index) => [names[index], cell]));
    expect(row).toMatchObject({
      created_at: '2026-03-28T10:00:00+07:00',
      whatsapp: "'081234567890",
      paid_at: '2026-03-28T10:01:00+07:00',
      ...{ paid_amount: '22000', refund: '0', cost: '20000', gateway_fee: '150', profit: '1850' },
      payment_method_name: 'Bank transfer',
    });
    const [document] = (await onStore('export', '--account', 'paid', '--json')).stdout.trim().split('\n');
    expect(JSON.parse(document ?? '')).toMatchObject({
      paid_at: '2026-03-28T10:01:00+07:00',
      ...{ paid_amount: 22_000, refund: 0, cost: 20_000, gateway_fee: 150, profit: 1_850 },
    });
  });

  it.each([
    [';', ';'],
    ['tab', '\t'],
  ])('separates cells with %s on request', async (name, character) => {
    const { stdout } = await onStore('export', '--account', 'paid', '--separator', name);
    expect(stdout.split('\r\n')[1]?.split(character).slice(0, 3)).toEqual([
      'INV-20260328100000-PAIDPAID',
      '2026-03-28T10:00:00+07:00',
      'paid',
    ]);
    expect(await onStore('export', '--separator', name, '--json')).toMatchObject({ code: 2 });
  });

  it('says when there are no orders, and prints only the header line or no documents', async () => {
    const { code, stdout, stderr } = await onStore('export', '--account', 'nobody');
    expect([code, stderr]).toEqual([0, `No matching orders in ${path}.\n`]);
    expect(stdout).toMatch(/^\ufefforder_id,.*,serial_number,paid_at,.*\r\n$/);
    expect((await onStore('export', '--account', 'nobody', '--json')).stdout).toBe('');
  });
});

it.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""",two lines\r\n'],
  [['=SUM(A1)', '+62812', '-1', '@x', '\tx'], "'=SUM(A1),'+62812,'-1,'@x,x\r\n"],
  [['Budi;=1+1', 'a,"@b', '\uff1d1'], `"Budi;'=1+1","a,'""@b",'\uff1d1\r\n`],
  [
    ['081234567890', '1234567890123456', '12E3', '1-2', '12345678', '86 Diamonds'],
    "'081234567890,'1234567890123456,'12E3,'1-2,12345678,86 Diamonds\r\n",
  ],
  [['\u001b[31mred\u202e'], '\\u{1b}[31mred\\u{202e}\r\n'],
  [[-5], '-5\r\n'],
])('quotes a CSV cell when necessary, and keeps each text unchanged: %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

/** The cells of CSV, as a spreadsheet reads them that takes this separator. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += letter;
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && isStart) {
      isQuoted = true;
      isStart = false;
    } else if (letter === separator || letter === '\n' || letter === '\r') {
      cells.push(cell);
      cell = '';
      isStart = true;
    } else {
      cell += letter;
      isStart = false;
    }
  }
  return [...cells, cell];
}

/** How a formula begins, for Excel, Sheets and LibreOffice. */
const isFormula = (cell: string): boolean => /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell);

it("writes no customer's text as a formula, whatever separator the reader uses", async () => {
  const pieces = [
    '=',
    '+',
    '-',
    '@',
    ';',
    ',',
    '\t',
    '\r',
    '\n',
    '"',
    "'",
    ' ',
    '\ufeff',
    '\uff1d',
    'a',
    '1',
  ];
  const typed = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join(''));
  const separators = fc.constantFrom(',' as const, ';' as const, 'tab' as const);
  await fc.assert(
    fc.property(fc.tuple(typed, typed, typed), separators, (cells, separator) => {
      const line = csvLine(['INV-1', ...cells, 22_000], separator);
      for (const reader of [',', ';', '\t']) expect(cellsOf(line, reader).filter(isFormula)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});
