import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayNames } from '@topup-kit/providers/registry';
import { createSqliteStore } from '@topup-kit/server/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  another,
  change,
  entry,
  idOf,
  place,
  reconciliation,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');

/** A moment in the zone of the store, Asia/Jakarta. */
const at = (time: string): number => Date.parse(`2026-03-28T${time}+07:00`);

beforeAll(async () => {
  const store = createSqliteStore({ path });
  const paid: [letter: string, gateway: string, time: string | null][] = [
    ['A', 'tripay', '10:01:00'],
    ['B', 'tripay', '10:02:00'],
    ['C', 'tripay', '10:03:00'],
    ['D', 'midtrans', '10:04:00'],
    ['E', 'tripay', null],
    ['F', 'tripay', '23:00:00'],
  ];
  for (const [letter, gateway, time] of paid) {
    const { orderId, ...order } = another(letter, { gateway, createdAt: at('10:00:00') });
    await store.placeOrder(place({ orderId, ...order }));
    if (time === null) continue;
    const paidAt = at(time);
    await store.changeOrder(
      change({ orderId, entry: entry({ at: paidAt + 9_000, paidAt }), units: [unit(1)] }),
    );
  }
  // Paid late, and settled by an operator.
  const late = { reconciliationId: 'late', orderId: idOf('G'), reference: 'ref-G', paidAt: at('10:05:00') };
  await store.placeOrder(place(another('G', { gateway: 'tripay', createdAt: at('09:00:00') })));
  await store.addReconciliation(reconciliation(late));
  await store.changeOrder(
    change({
      orderId: idOf('G'),
      settles: ['late'],
      entry: entry({ at: at('12:00:00'), event: 'settled', by: 'operator', amount: 22_000 }),
    }),
  );
  // Paid a second time with the reference of A, and money of no order.
  const again = { reconciliationId: 'again', orderId: idOf('A'), reference: 'ref-A', paidAt: at('10:06:00') };
  await store.addReconciliation(reconciliation({ ...again, reason: 'closed' }));
  const unknown = { reconciliationId: 'unknown', orderId: null, reference: 'T-9', paidAt: at('10:07:00') };
  await store.addReconciliation(reconciliation({ ...unknown, amount: 5_000, reason: 'unknown' }));
  // Money that left is no payment.
  await store.addReconciliation(
    reconciliation({ reconciliationId: 'back', orderId: idOf('B'), reference: 'ref-B', reason: 'refunded' }),
  );
  await store.close();
});
afterAll(() => folder[Symbol.dispose]());

const header = 'reference,merchant_ref,amount,status,paid_at';
const rows = {
  A: `ref-A,${idOf('A')},22000,PAID,2026-03-28 10:01:00`,
  B: `ref-B,${idOf('B')},22000,REFUND,2026-03-28T03:02:00Z`,
  C: `ref-C,${idOf('C')},22000,PAID,${at('10:03:00') / 1_000}`,
  again: `ref-A,${idOf('A')},22000,PAID,2026-03-28 10:06:00`,
  unknown: 'T-9,,5000,PAID,2026-03-28 10:07:00',
  G: `ref-G,${idOf('G')},22000,PAID,2026-03-28 10:05:00`,
  unpaid: `ref-X,${idOf('E')},22000,UNPAID,`,
};

function statementOf(lines: readonly string[], end = '\r\n'): string {
  const file = join(folder.path, `statement-${Math.random()}.csv`);
  writeFileSync(file, lines.join(end));
  return file;
}

const settle = (file: string, ...args: string[]) =>
  run(['report', 'settlement', '--gateway', 'tripay', '--file', file, ...args], {
    environment: { TOPUP_STORE: `file:${path}` },
  });

async function compare(lines: readonly string[], ...args: string[]) {
  const { code, stdout } = await settle(statementOf(lines), ...args, '--json');
  return { code, ...JSON.parse(stdout) };
}

describe('report settlement', () => {
  it('finds no difference in a matching statement, and exits with 0', async () => {
    const all = [header, ...Object.values(rows)];
    expect(await compare(all)).toEqual({
      ...{ code: 0, gateway: 'tripay', payments: 6, matched: 6, differences: [] },
      ...{ from: '2026-03-28T03:01:00.000Z', before: '2026-03-28T03:07:00.001Z' },
    });
    const { stdout, stderr } = await settle(statementOf(all));
    expect(stdout).toBe('');
    expect(stderr).toContain('6 payments in the statement, 6 as in the store, no differences.');
  });

  it('lists payments that the store lacks, with the order if it is known', async () => {
    const lines = [
      header,
      ...Object.values(rows),
      `ref-E,${idOf('E')},22000,PAID,2026-03-28 10:04:00`,
      `ref-X,${idOf('F')},22000,PAID,2026-03-28 10:04:00`,
      'T-1,,1000,PAID,2026-03-28 10:04:00',
      rows.C,
    ];
    const { code, differences } = await compare(lines);
    expect(code).toBe(1);
    expect(differences).toMatchObject([
      {
        difference: 'missing_here',
        payment_reference: 'ref-E',
        order_id: idOf('E'),
        state: 'UNPAID / Pending',
      },
      { difference: 'missing_here', payment_reference: 'ref-X', order_id: idOf('F'), state: 'PAID / Proses' },
      { difference: 'missing_here', payment_reference: 'T-1', order_id: null, state: null },
      // The second payment with this reference.
      {
        difference: 'missing_here',
        payment_reference: 'ref-C',
        statement_amount: 22_000,
        store_amount: null,
      },
    ]);
  });

  it("lists payments that the statement lacks, only for the statement's period and gateway", async () => {
    const { code, differences } = await compare([header, rows.A, rows.unknown]);
    expect(code).toBe(1);
    expect(differences.map((one: Record<string, unknown>) => [one.payment_reference, one.state])).toEqual([
      ['ref-C', 'PAID / Proses'],
      ['ref-B', 'PAID / Proses'],
      ['ref-G', 'to reconcile (late), settled'],
      ['ref-A', 'to reconcile (closed), open'],
    ]);
    for (const one of differences)
      expect(one).toMatchObject({
        difference: 'missing_there',
        statement_amount: null,
        store_amount: 22_000,
      });
  });

  it('compares another period on request', async () => {
    const all = [header, ...Object.values(rows)];
    const { differences } = await compare(all, '--until', '2026-03-28');
    expect(differences).toMatchObject([{ difference: 'missing_there', payment_reference: 'ref-F' }]);
    const none = await compare(
      [header],
      '--since',
      '2026-03-28T10:02+07:00',
      '--until',
      '2026-03-28T10:03+07:00',
    );
    expect(none.differences).toMatchObject([{ payment_reference: 'ref-B' }]);
  });

  it('lists a differing amount only once, and not as missing as well', async () => {
    const lines = [header, ...Object.values({ ...rows, B: rows.B.replace('22000', '21999') })];
    expect((await compare(lines)).differences).toEqual([
      {
        ...{
          difference: 'other_amount',
          payment_reference: 'ref-B',
          order_id: idOf('B'),
          state: 'PAID / Proses',
        },
        ...{ statement_amount: 21_999, store_amount: 22_000, paid_at: '2026-03-28T03:02:00.000Z' },
      },
    ]);
  });

  it('reads other forms of CSV', async () => {
    const semicolons = Object.values(rows).map((row) => row.replaceAll(',', ';'));
    const written = ['\uFEFF"Reference";Merchant Ref;"Amount";STATUS;Paid-At', ...semicolons, ''];
    expect(await compare(written)).toMatchObject({ code: 0, matched: 6 });
    const quoted = [
      `${header},note`,
      ...Object.values(rows).map((row) => `${row.replace(',22000,', ',"22000.00",')},"a ""b"", c\nd"`),
    ];
    expect(await compare(quoted)).toMatchObject({ code: 0, matched: 6 });
    const { stdout } = await settle(statementOf([header, ...Object.values(rows)], '\n'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ matched: 6 });
  });

  it('writes the differences as a table and as CSV', async () => {
    const file = statementOf([header, ...Object.values(rows), '=1+1,,1000,PAID,2026-03-28 10:04:00']);
    const { stdout, stderr } = await settle(file);
    expect(stdout).toMatch(
      /^WHAT +REFERENCE +STATEMENT +PAID \(GMT\+7\)\nmissing here +=1\+1 +Rp 1,000 +28 Mar/,
    );
    expect(stderr).toContain('7 payments in the statement, 6 as in the store, 1 difference.');
    expect((await settle(file, '--csv')).stdout.split('\r\n')).toEqual([
      '\ufeffdifference,payment_reference,order_id,state,statement_amount,store_amount,paid_at',
      "missing_here,'=1+1,,,1000,,2026-03-28T10:04:00+07:00",
      '',
    ]);
  });

  it('shows both sides of each difference, and the compared period', async () => {
    const file = statementOf([
      header,
      rows.A,
      rows.B.replace('22000', '21999'),
      rows.C,
      rows.unknown,
      'T-1,,1000,PAID,',
    ]);
    const { stdout, stderr } = await settle(file);
    const plain = (text: string): string =>
      text.replaceAll(idOf('G'), '<G>').replaceAll(idOf('A'), '<A>').replaceAll(idOf('B'), '<B>');
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "WHAT           REFERENCE  ORDER                        STATE                         STATEMENT       HERE  PAID (GMT+7)
      other amount   ref-B      <B>  PAID / Proses                 Rp 21,999  Rp 22,000  28 Mar 2026, 10:02:00
      missing here   T-1                                                                    Rp 1,000
      missing there  ref-G      <G>  to reconcile (late), settled             Rp 22,000  28 Mar 2026, 10:05:00
      missing there  ref-A      <A>  to reconcile (closed), open              Rp 22,000  28 Mar 2026, 10:06:00
      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "
      5 payments in the statement, 3 as in the store, 4 differences.
      The statement was checked for every payment from 28 Mar 2026, 10:01 GMT+7 to 28 Mar 2026, 10:07 GMT+7.
      "
    `);
    expect((await settle(file, '--quiet')).stdout).toBe('ref-B\nT-1\nref-G\nref-A\n');
    expect(
      (
        await settle(
          statementOf([header, rows.A]),
          '--since',
          '2026-03-28T10:01+07:00',
          '--until',
          '2026-03-28T10:02+07:00',
        )
      ).stderr,
    ).toBe(
      '1 payment in the statement, 1 as in the store, no differences.\nThe statement was checked for every payment from 28 Mar 2026, 10:01 GMT+7 to 28 Mar 2026, 10:02 GMT+7.\n',
    );
  });

  it("finds the statement's columns in any order", async () => {
    for (const columns of [
      'amount,status,reference,paid_at',
      'status,reference,amount,paid_at',
      'reference,status,amount,paid_at',
    ]) {
      const value: Record<string, string> = {
        amount: '22000',
        status: 'paid',
        reference: 'ref-A',
        paid_at: '2026-03-28 10:01:00',
      };
      const line = columns
        .split(',')
        .map((name) => value[name])
        .join(',');
      expect(await compare([columns, line])).toMatchObject({ code: 0, payments: 1, matched: 1 });
    }
    for (const missing of ['amount', 'status', 'reference'])
      expect((await settle(statementOf([header.replace(missing, 'x'), rows.A]))).stderr).toContain(
        'is not a readable statement',
      );
  });

  it.each([
    '2026-03-28 10:01',
    '2026-03-28T10:01:00.5',
    '2026-03-28T10:01:00+07:00',
    '2026-03-28T03:01:00Z',
    String(at('10:01:00') / 1_000),
  ])('reads %s as a time', async (time) => {
    const { from } = await compare([header, `ref-A,,22000,PAID,${time}`]);
    expect(from).toBe('2026-03-28T03:01:00.000Z');
  });

  it.each(['22000.00', '22000.0', '22000'])('reads %s as an amount', async (amount) => {
    expect(await compare([header, `ref-A,,${amount},PAID,`])).toMatchObject({ matched: 1 });
  });

  it.each(['22000.000', '22000.5', '1'.repeat(16), 'x22000', '22000x', ''])(
    'rejects %s as an amount',
    async (amount) => {
      expect((await settle(statementOf([header, `ref-A,,${amount},PAID,`]))).stderr).toContain(
        `"${amount}" is not an amount in whole rupiah.`,
      );
    },
  );

  it.each([
    '12345678',
    '123456789012',
    '2026-03-28',
    '2026-13-28 10:00',
    'at 2026-03-28 10:00',
    '2026-03-28 10:00 GMT',
  ])('rejects %s as a time', async (time) => {
    expect((await settle(statementOf([header, `ref-A,,22000,PAID,${time}`]))).stderr).toContain(
      `"${time}" is not a time such as 2026-12-31 18:00:00.`,
    );
  });

  it("explains that payments can't be missing from a statement without times", async () => {
    const lines = ['reference,amount,status', 'ref-A,22000,PAID'];
    expect(await compare(lines)).toMatchObject({ code: 0, matched: 1, from: null });
    expect((await settle(statementOf(lines))).stderr).toContain('The statement has no times');
  });

  it.each([
    [
      ['date,total'],
      1,
      'its first line must name the columns reference, total_amount or amount, status; and',
    ],
    [[''], 1, 'is empty: its first line must name the columns reference,'],
    [[header, 'ref-A,,22.000,PAID,'], 1, 'line 2: "22.000" is not an amount in whole rupiah.'],
    [[header, '', 'ref-A,,-1,PAID,'], 1, 'line 3: "-1" is not an amount in whole rupiah.'],
    [[header, 'ref-A,,22000,PAID,yesterday'], 1, 'line 2: "yesterday" is not a time such as'],
    [[header, ',,22000,PAID,'], 1, 'line 2: the reference is missing.'],
    [[header, '"ref-A,,22000,PAID,'], 1, 'Line 2: a quoted cell has no end.'],
    [[header, '"ref"-A,,22000,PAID,'], 1, 'Line 2: there is text after a quoted cell.'],
  ])('rejects report settlement %j with a one-line error', async (lines, exit, message) => {
    const { code, stdout, stderr } = await settle(statementOf(lines));
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('rejects an unknown gateway, a missing file, and a reversed period', async () => {
    const file = statementOf([header]);
    const other = await run(['report', 'settlement', '--gateway', 'bank', '--file', file], {
      environment: { TOPUP_STORE: `file:${path}` },
    });
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `--gateway takes ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(gatewayNames)}, not "bank".`,
      ),
    });
    expect((await settle(join(folder.path, 'none.csv'))).code).toBe(3);
    expect(await settle(folder.path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't be read: EISDIR"),
    });
    expect(await settle(file, '--csv', '--json')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('--csv and --json are different formats: give only one.'),
    });
    expect(await settle(file, '--since', '2026-03-02', '--until', '2026-03-01')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('must be later than --since') },
    });
  });
});

it('stops reading a statement after a signal', async () => {
  const stop = new AbortController();
  stop.abort('SIGINT');
  const file = statementOf([header, rows.A]);
  expect(
    await run(['report', 'settlement', '--gateway', 'tripay', '--file', file], {
      environment: { TOPUP_STORE: `file:${path}` },
      signal: stop.signal,
    }),
  ).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('Cancelled') });
});
