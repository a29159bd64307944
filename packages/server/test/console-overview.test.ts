import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  entry,
  moment,
  place,
  reconciliation,
  refund,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { stepOf } from '../src/features/console/reports/plot.ts';
import { advance } from './helpers/browser.ts';
import { ask, startConsole, wordsOf } from './helpers/console.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const english = { 'Accept-Language': 'en' };

describe('the overview', () => {
  it('ranks alerts by customers, supplies and housekeeping, and each group by amount', async () => {
    await using console = await startConsole();
    const { store, clock } = console;
    const cookie = await console.logIn();
    await store.saveSupplierBalance({ supplier: 'depot', balance: 1, alertBelow: 2, readAt: clock.now });
    await store.addWebhookEndpoint({
      ...{ endpointId: 'ep_1', accountId: null, url: 'https://shop.example/', types: ['order.paid'] },
      ...{ description: '', secret: 's', previousSecret: null, previousUntil: null, disabled: 'gone' },
      ...{ createdAt: 0, failingSince: 1, version: 1 },
    });
    await store.placeOrder(place(another('C')));
    const { orderId } = another('C');
    const units = [unit(1, { state: 'failed', nextAt: null, askedAt: moment })];
    const to = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
    await store.changeOrder(change({ orderId, units, entry: entry(), to }));
    await store.addReconciliation(reconciliation({ orderId: null, reason: 'unknown', amount: 900_000_000 }));
    const { text } = await console.ask('', { cookie });
    const rows = [...text.matchAll(/<li class="(bad|wait|quiet) row" id="alert-([^"]*)">/g)].map(
      ([, tone, kind]) => `${tone} ${kind}`,
    );
    expect(rows).toEqual([
      'bad money-without-an-order',
      'bad failed-deliveries',
      'wait low-balance',
      'quiet failing-webhooks',
    ]);
  });

  it('links from a row to its payment', async () => {
    await using console = await startConsole();
    const { store } = console;
    for (const [reconciliationId, amount] of [
      ['pay-1', 1_000],
      ['pay-2', 700_000],
      ['pay-3', 2_000],
    ] as const)
      await store.addReconciliation(
        reconciliation({
          reconciliationId,
          reference: `R-${reconciliationId}`,
          orderId: null,
          reason: 'unknown',
          amount,
        }),
      );
    const { text } = await console.ask('', { cookie: await console.logIn() });
    const [row = ''] = /<li class="bad row" id="alert-money-without-an-order">.*?<details/s.exec(text) ?? [];
    expect(row).toContain('Rp 703,000');
    expect(row).toMatch(/<a class="button step" href="[^"]*pay-2/);
  });

  it('shows the total owed to customers, and how much of it is new', async () => {
    await using console = await startConsole();
    const cookie = await console.logIn();
    expect(wordsOf(await console.ask('', { cookie }))).toContain('Refunds to pay Rp 0 none is waiting');
    const { orderId } = another('E');
    await console.store.placeOrder(place(another('E')));
    const refunds = [
      refund({
        refundId: `${orderId}-R1`,
        orderId,
        amount: 20_000,
        at: console.clock.now - 25 * 60 * 60_000,
      }),
      refund({ refundId: `${orderId}-R2`, orderId, amount: 3_000, at: console.clock.now }),
    ];
    await console.store.changeOrder(change({ orderId, refunds }));
    expect(wordsOf(await console.ask('', { cookie }))).toContain(
      'Refunds to pay Rp 23,000 Rp 3,000 new in 24 hours',
    );
  });

  it("shows a balance on a meter up to three times its alert's limit", async () => {
    await using console = await startConsole();
    const cookie = await console.logIn();
    const read = { supplier: 'depot', balance: 1_500_000, alertBelow: 1_000_000, readAt: console.clock.now };
    await console.store.saveSupplierBalance(read);
    const page = await console.ask('', { cookie });
    expect(page.text).toMatch(/class="part" width="50%".*class="mark" x="33%"/);
    expect(wordsOf(page)).toContain('alert below Rp 1,000,000');
  });

  it('says how long a balance lasts at the pace of the last three days, like the command line', async () => {
    await using console = await startConsole();
    const { store, clock } = console;
    const cookie = await console.logIn();
    for (const [letter, days, cost] of [
      ['A', 2, 300_000],
      ['B', 4, 900_000],
    ] as const) {
      const at = clock.now - days * 24 * 60 * 60_000;
      const bought = another(letter, { createdAt: at });
      await store.placeOrder(place(bought));
      const units = [unit(1, { state: 'delivered', supplier: 'depot', cost, costSource: 'supplier' })];
      const to = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
      const paid = entry({ event: 'paid', by: 'gateway', at });
      await store.changeOrder(change({ orderId: bought.orderId, to, entry: paid, units }));
    }
    const read = { alertBelow: 0, readAt: clock.now };
    await store.saveSupplierBalance({ ...read, supplier: 'depot', balance: 150_000 });
    await store.saveSupplierBalance({ ...read, supplier: 'reserve', balance: 1 });
    const page = wordsOf(await console.ask('', { cookie, headers: english }));
    // 300,000 in 72 hours: half of it is for 36.
    expect(page).toContain('depot lasts about 1 d 12 h');
    expect(page).toContain('reserve not used in 3 days');
  });

  it('shows the turnover of 7 and 30 days, with each day next to the same day of the previous period', async () => {
    await using server = await startSandbox();
    const sell = async (): Promise<void> => {
      const order = await placeOrder(server);
      await happen(server, order, 'pay');
    };
    await sell();
    await advance(server, '7d');
    await sell();
    await sell();
    for (const [days, today] of [
      [7, 'Rp 80,000 Rp 40,000'],
      [30, 'Rp 80,000 Rp 0'],
    ] as const) {
      const page = await ask(`${server.consoleUrl}?days=${days}`, { headers: english });
      const table = /<table>.*?Turnover by day.*?<\/table>/s.exec(page.text)?.[0] ?? '';
      expect(table.match(/<tr id="bar-/g)).toHaveLength(days);
      expect(wordsOf({ ...page, text: table }).trim()).toMatch(new RegExp(`${today}$`));
    }
    expect((await fetch(`${server.consoleUrl}?days=8`)).status).toBe(400);
  });
});

describe('the axis of the chart', () => {
  it.each([
    [0, 1],
    [3, 1],
    [80_000, 30_000],
    [1_104_200, 400_000],
    [9_900_000, 4_000_000],
    [30_000_001, 15_000_000],
  ])('extends above %i in three steps of %i', (highest, step) => {
    expect(stepOf(highest)).toBe(step);
  });
});
