import { join } from 'node:path';
import { createSqliteStore } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { another } from '../../suites/src/store/fixtures.ts';
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
  for (let index = 0; index < count; index += 1) {
    const order = another('A', {
      orderId: idOf(index),
      accountId: index % 2 === 0 ? 'even' : 'odd',
      createdAt: midnight() - 3 * 24 * hour - index,
      target: { id: '1', server: null, nickname: index === 0 ? '=SUM(A1)' : 'a "b", c' },
      payment: { reference: `ref-${index}`, code: null, url: null, qrString: null },
    });
    await store.placeOrder({ order, promo: null, response: null });
  }
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
  ])('%j', async (args, ids) => {
    expect(await idsOf(...args)).toEqual(ids);
  });

  it('takes how long ago, and a time with its offset', async () => {
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
  ])('rejects %j in one line', async (args, message) => {
    const { code, stdout, stderr } = await onStore('list', ...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });
});

describe('orders export', () => {
  it('writes every order once, newest first, under one line of titles', async () => {
    const { code, stdout, stderr } = await onStore('export');
    const [titles, ...lines] = stdout.split('\r\n').slice(0, -1);
    expect([code, stderr]).toEqual([0, '']);
    expect(titles?.split(',').slice(0, 3)).toEqual(['order_id', 'created_at', 'account_id']);
    const ids = lines.map((line) => line.split(',')[0]);
    expect(ids.slice(0, 4)).toEqual(['TODAY', 'YESTERDAYEND', 'YESTERDAY', 'BEFORE']);
    expect(ids.slice(4)).toEqual(Array.from({ length: count }, (_, index) => idOf(index)));
  });

  it('has the orders that the list has with the same flags, also as a document a line', async () => {
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

  it('waits for whoever reads its output, so that nothing gathers in memory', async () => {
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
    expect([written, overlaps]).toEqual([4, 0]);
  });

  it('says when there are none, under the titles, or as no document', async () => {
    const { code, stdout, stderr } = await onStore('export', '--account', 'nobody');
    expect([code, stderr]).toEqual([0, `No such orders in ${path}.\n`]);
    expect(stdout).toMatch(/^order_id,.*,serial_number\r\n$/);
    expect((await onStore('export', '--account', 'nobody', '--json')).stdout).toBe('');
  });
});

it.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [['=SUM(A1)', '+62812', '-1', '@x', '\tx'], "'=SUM(A1),'+62812,'-1,'@x,'\tx\r\n"],
  [[-5], '-5\r\n'],
])('a line of CSV quotes what it must, and makes no formula of a text: %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
