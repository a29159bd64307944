import { join } from 'node:path';
import { salesDivisions } from '@topup-kit/core/features/reports/sales-report';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createSqliteStore } from '@topup-kit/server/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { another, change, entry, place, unit } from '../../suites/src/store/fixtures.ts';
import { divisions } from '../src/commands/reports/sales.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
const empty = join(folder.path, 'empty.db');

/** A moment in the zone of the store, Asia/Jakarta. */
const at = (time: string): number => Date.parse(`${time}+07:00`);

beforeAll(async () => {
  await createSqliteStore({ path: empty }).close();
  const store = createSqliteStore({ path });
  await store.replaceCatalog(sandboxCatalog('en'));
  const sales: [letter: string, paidAt: number, code: string, fee: number | undefined][] = [
    ['A', at('2026-03-28T00:00:00'), 'ML86', 200],
    ['B', at('2026-03-28T23:59:59'), '=1+1', undefined],
    ['C', at('2026-03-29T00:00:00'), 'ML86', undefined],
  ];
  for (const [letter, paidAt, code, fee] of sales) {
    const { pricing, product } = another(letter);
    const { orderId, ...order } = another(letter, {
      product: { ...product, code },
      pricing: { ...pricing, payment_fee: 300, promo_discount: 1_000, total_price: 21_300 },
    });
    await store.placeOrder(place({ orderId, ...order }));
    await store.changeOrder(
      change({
        orderId,
        entry: entry({ at: paidAt + 60_000, paidAt, ...(fee !== undefined && { fee }) }),
        units: [unit(1)],
      }),
    );
    const bought = {
      supplier: 'depot',
      cost: 20_000,
      costSource: letter === 'A' ? 'listed' : 'supplier',
    } as const;
    const to = { paymentStatus: 'PAID', buyStatus: letter === 'C' ? 'Gagal' : 'Sukses' } as const;
    await store.changeOrder(
      change({
        ...{ orderId, version: 2, to },
        entry: entry({
          at: at('2026-03-30T12:00:00'),
          event: letter === 'C' ? 'undelivered' : 'delivered',
          to,
        }),
        units: [unit(1, { ...bought, state: letter === 'C' ? 'failed' : 'delivered', nextAt: null })],
      }),
    );
  }
  await store.close();
});
afterAll(() => folder[Symbol.dispose]());

const sales = (...args: string[]) =>
  run(['report', 'sales', ...args], { environment: { TOPUP_STORE: `file:${path}` } });
const march = ['--since', '2026-03-01', '--until', '2026-03-31'];
const json = async (...args: string[]) => JSON.parse((await sales(...march, ...args, '--json')).stdout);

const none = {
  ...{ orders: 0, units: 0, turnover: 0, discounts: 0, returned: 0, gateway_fees: 0, cost: 0, profit: 0 },
  ...{ gateway_fees_reported: 0, cost_listed: 0, units_without_cost: 0 },
};

describe('report sales', () => {
  it('groups sales by each dimension that the engine supports', () => {
    expect(divisions).toEqual(salesDivisions);
  });

  it('has a row for each day of the shop, and subtracts each refund on the day of the refund', async () => {
    const report = await json();
    expect(report.rows).toEqual([
      {
        ...{ day: '2026-03-28', orders: 2, units: 2, turnover: 42_600, discounts: 2_000, returned: 0 },
        ...{ gateway_fees: 500, cost: 40_000, profit: 2_100 },
        ...{ gateway_fees_reported: 200, cost_listed: 20_000, units_without_cost: 0 },
      },
      {
        ...none,
        ...{ day: '2026-03-29', orders: 1, units: 1, turnover: 21_300, discounts: 1_000 },
        ...{ gateway_fees: 300, profit: 21_000 },
      },
      { ...none, day: '2026-03-30', returned: 21_300, profit: -21_300 },
    ]);
    expect(report.total).toEqual({
      ...{ orders: 3, units: 3, turnover: 63_900, discounts: 3_000, returned: 21_300, gateway_fees: 800 },
      ...{
        cost: 40_000,
        profit: 1_800,
        gateway_fees_reported: 200,
        cost_listed: 20_000,
        units_without_cost: 0,
      },
    });
    expect(report).toMatchObject({ timezone: 'Asia/Jakarta', currency: 'IDR', by: 'day' });
  });

  it('includes the whole last day of a period', async () => {
    const days = async (...span: string[]) =>
      JSON.parse((await sales(...span, '--json')).stdout).rows.map(({ day }: { day: string }) => day);
    expect(await days('--since', '2026-03-28', '--until', '2026-03-28')).toEqual(['2026-03-28']);
    expect(await days('--since', '2026-03-29', '--until', '2026-03-30')).toEqual([
      '2026-03-29',
      '2026-03-30',
    ]);
  });

  it('sorts sales by turnover if they are not grouped by day', async () => {
    const rows = (await json('--by', 'product')).rows;
    expect(rows.map(({ product, turnover }: Record<string, unknown>) => [product, turnover])).toEqual([
      ['ML86', 42_600],
      ['=1+1', 21_300],
    ]);
  });

  it('writes CSV with fixed columns, and no text as a formula', async () => {
    const { stdout, code } = await sales(...march, '--by', 'product', '--csv');
    expect(code).toBe(0);
    expect(stdout.split('\r\n')).toEqual([
      '\ufeffproduct,orders,units,turnover,discounts,returned,gateway_fees,cost,profit,gateway_fees_reported,cost_listed,units_without_cost,title',
      'ML86,2,2,42600,2000,21300,500,20000,800,200,20000,0,86 Diamond',
      "'=1+1,1,1,21300,1000,0,300,20000,1000,0,0,0,",
      '',
    ]);
  });

  it('shows a table with the total and with the certainty of the profit', async () => {
    const { stdout, stderr } = await sales(...march);
    expect(stdout).toMatch(/^DAY +ORDERS +UNITS +TURNOVER/);
    expect(stdout).toMatch(/^total +3 +3 +Rp 63,900 +Rp 3,000 +Rp 21,300 +Rp 800 +Rp 40,000 +Rp 1,800$/m);
    expect(stderr).toContain('Gateway fees: Rp 200 as the gateway reported them, Rp 600 computed from');
    expect(stderr).toContain(
      "Cost: Rp 20,000 as the supplier reported it, Rp 20,000 from the supplier's list.",
    );
  });

  it("shows every amount of a row in the store's currency", async () => {
    const { stdout, stderr } = await sales(...march, '--by', 'product');
    expect(stdout).toMatchInlineSnapshot(`
      "PRODUCT  TITLE       ORDERS  UNITS   TURNOVER  DISCOUNTS   RETURNED  GATEWAY FEES       COST    PROFIT
      ML86     86 Diamond       2      2  Rp 42,600   Rp 2,000  Rp 21,300        Rp 500  Rp 20,000    Rp 800
      =1+1                      1      1  Rp 21,300   Rp 1,000       Rp 0        Rp 300  Rp 20,000  Rp 1,000
      total                     3      3  Rp 63,900   Rp 3,000  Rp 21,300        Rp 800  Rp 40,000  Rp 1,800
      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "
      Gateway fees: Rp 200 as the gateway reported them, Rp 600 computed from the payment methods.
      Cost: Rp 20,000 as the supplier reported it, Rp 20,000 from the supplier's list.
      "
    `);
    expect((await sales(...march, '--by', 'supplier', '--quiet')).stdout).toMatchInlineSnapshot(`
      "depot
      "
    `);
    expect(
      (
        await run(['report', 'sales', ...march], {
          environment: { TOPUP_STORE: `file:${path}` },
          columns: 80,
        })
      ).stdout,
    ).toMatchInlineSnapshot(`
      "DAY         ORDERS   TURNOVER   RETURNED  GATEWAY FEES       COST      PROFIT
      2026-03-28       2  Rp 42,600       Rp 0        Rp 500  Rp 40,000    Rp 2,100
      2026-03-29       1  Rp 21,300       Rp 0        Rp 300       Rp 0   Rp 21,000
      2026-03-30       0       Rp 0  Rp 21,300          Rp 0       Rp 0  -Rp 21,300
      total            3  Rp 63,900  Rp 21,300        Rp 800  Rp 40,000    Rp 1,800
      "
    `);
  });

  it('says when there are no sales, and keeps the columns of a table for scripts', async () => {
    const onEmpty = (...args: string[]) =>
      run(['report', 'sales', ...args], { environment: { TOPUP_STORE: `file:${empty}` } });
    expect(await onEmpty()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `No sales in this period in ${empty}.\n`,
    });
    expect((await onEmpty('--csv')).stdout).toMatch(/^\ufeffday,orders,.*\r\n$/);
    expect(JSON.parse((await onEmpty('--json')).stdout)).toMatchObject({ rows: [], total: none });
  });

  it.each([
    [
      ['--since', '2026-03-02', '--until', '2026-03-01'],
      '--until (02 Mar 2026, 00:00 GMT+7) must be later than --since',
    ],
    [['--since', 'soon'], 'Give a time such as 2026-12-31'],
    [['--by', 'hour'], 'Allowed choices are day, game, product, method, account, supplier.'],
  ])('rejects report sales %j with a one-line error', async (args, message) => {
    const { code, stdout, stderr } = await sales(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('rejects two output formats together', async () => {
    const { code, stdout } = await sales('--csv', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toBe('--csv and --json are different formats: give only one.');
  });
});
