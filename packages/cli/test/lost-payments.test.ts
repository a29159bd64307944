import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, startServer } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { startShop } from './helpers/live-shop.ts';
import { steady } from './helpers/order.ts';
import { run, until } from './helpers/run.ts';

type Shop = Awaited<ReturnType<typeof startShop>>;

/**
 * A shop whose store is that of a backup again. `before` was placed before it, and paid after it; `lost` was placed and paid after
 * it, `open` was placed before it and never paid.
 */
async function restored(shop: Shop) {
  const backup = join(shop.folder.path, 'friday.db');
  const server = await shop.serve();
  await shop.makeKey();
  const [before, open] = [await shop.place(), await shop.place()];
  await shop.topup('backup', backup);
  const lost = await shop.place();
  for (const paid of [before, lost]) {
    await shop.pay(paid);
    await until(async () => (await shop.statusOf(paid.orderId)) === 'PAID', 8_000);
  }
  await server.close();
  expect((await shop.topup('restore', backup, '--yes')).code).toBe(0);
  expect(await shop.statusOf(before.orderId)).toBe('UNPAID');
  expect((await shop.topup('orders', 'show', lost.orderId, '--history')).code).toBe(3);
  return { backup, before, open, lost, reconcile: ['payments', 'recover', backup] };
}

describe('orders reconcile --since, after the restore of a backup', () => {
  it('finds payments at Tripay, including those of lost orders', async () => {
    const shop = await startShop('tripay');
    const { before, open, lost, reconcile } = await restored(shop);
    // Both were paid within a second.
    const found = [
      {
        ...{ order_id: before.orderId, payment_reference: before.reference, status: 'paid', amount: 22_904 },
        ...{ outcome: 'paid', reconciliation_id: null },
      },
      {
        ...{
          order_id: null,
          named_order_id: lost.orderId,
          payment_reference: lost.reference,
          amount: 22_904,
        },
        ...{ outcome: 'reconciliation', reconciliation_id: expect.any(String) },
      },
    ];
    expect(await shop.json(...reconcile, '--dry-run')).toMatchObject({
      ...{ gateway: 'tripay', listed: 3, asked: 0, not_asked: [] },
      payments: expect.arrayContaining(found.map((one) => expect.objectContaining(one))),
    });
    expect(await shop.statusOf(before.orderId)).toBe('UNPAID');
    const asks = await shop.topup(...reconcile);
    expect(asks).toMatchObject({ code: 2, stdout: '' });
    expect(asks.stderr).toContain(
      '1 order will be paid, and delivered under their earlier references. 1 payment will wait for an operator',
    );

    const { code, stdout, stderr } = await shop.topup(...reconcile, '--yes');
    expect(code).toBe(0);
    const lines = steady(stdout).replaceAll(/ {2,}/g, '  ').split('\n');
    for (const words of ['its order is paid, and will be delivered', 'to be reconciled by an operator'])
      expect(lines).toContainEqual(expect.stringMatching(`^<order id>  DEV-\\S+  Rp 22,904  .*  ${words}$`));
    expect(stderr).toMatch(/^tripay listed 3 payments since .*\.\nIt was asked about 0 other payments\.\n/);
    expect(stderr).toContain('No server runs on this store: nothing is delivered until you start one.');
    expect(stderr).toContain('topup payments list\n');
    expect(stderr).toContain(`topup orders mark ${before.orderId} --delivered --note '<how you know>'`);
    expect(await shop.statusOf(open.orderId)).toBe('UNPAID');
    expect((await shop.json('payments', 'list')).reconciliations).toMatchObject([
      { order_id: null, payment_reference: lost.reference, amount: 22_904, reason: 'unknown', state: 'open' },
    ]);
    const again = await shop.topup(...reconcile, '--yes');
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Nothing is new.') });

    // It is submitted again under the reference of before, by which the supplier knows it.
    await shop.control('advance', { seconds: 120 });
    await using _server = await shop.serve();
    const units = async () => (await shop.json('orders', 'show', before.orderId, '--history')).units;
    await until(async () => (await units())[0].state !== 'waiting', 8_000);
    const response = await fetch(`${shop.simulators.url}/control/books/digiflazz`);
    const { purchases } = JSON.parse(await response.text());
    expect(purchases).toHaveLength(2);
    expect(purchases).toContainEqual(expect.objectContaining({ ref_id: `${before.orderId}-1-1` }));
  }, 40_000);

  it('finds the payments that Midtrans can look up, and lists the others', async () => {
    const shop = await startShop('midtrans');
    const { before, open, lost, reconcile } = await restored(shop);
    const dry = await shop.topup(...reconcile, '--dry-run');
    expect(dry.stderr).toMatch(
      /^midtrans can't list its payments, so payments of orders that the store does not have were NOT found\. Look in its dashboard/,
    );
    expect(dry.stderr).toContain(`topup payments recover ${reconcile.at(-1)} --ask <order-id> <order-id>\n`);
    expect(await shop.json(...reconcile, '--yes')).toMatchObject({
      ...{ gateway: 'midtrans', listed: null, asked: 2, not_asked: [], absent: [] },
      payments: [{ order_id: before.orderId, outcome: 'paid' }],
    });
    expect(await shop.statusOf(before.orderId)).toBe('PAID');
    expect(await shop.statusOf(open.orderId)).toBe('UNPAID');
    expect((await shop.json('payments', 'list')).reconciliations).toEqual([]);

    const named = await shop.json(
      ...reconcile,
      '--ask',
      lost.orderId,
      'INV-20260329093000-ABCDEFGH',
      '--yes',
    );
    expect(named).toMatchObject({
      absent: ['INV-20260329093000-ABCDEFGH'],
      payments: [{ order_id: null, named_order_id: lost.orderId, outcome: 'reconciliation', amount: 22_904 }],
    });
    expect((await shop.json('payments', 'list')).reconciliations).toMatchObject([
      { payment_reference: lost.reference, amount: 22_904, reason: 'unknown' },
    ]);
  }, 40_000);

  it('lists failed look-ups and exits with 1, and finds the payments on the next run', async () => {
    const shop = await startShop('midtrans');
    const server = await shop.serve();
    await shop.makeKey();
    const placed = await shop.place();
    await shop.pay(placed, true);
    await server.close();
    const since = ['payments', 'recover', '2026-01-01', '--yes'];
    const wrong = { environment: { ...shop.environment, MIDTRANS_SERVER_KEY: 'wrong' } };
    const failed = await run(since, wrong);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(
      `1 payment could NOT be checked, such as the payment of ${placed.orderId}: Midtrans: `,
    );
    expect(failed.stderr).not.toContain('wrong');
    expect(JSON.parse((await run([...since, '--json'], wrong)).stdout)).toMatchObject({
      ...{ asked: 0, payments: [], not_asked: [{ order_id: placed.orderId }] },
    });
    expect((await shop.json(...since)).payments).toMatchObject([
      { order_id: placed.orderId, outcome: 'paid' },
    ]);
  }, 30_000);

  it("changes nothing and exits with 5 if the gateway doesn't respond", async () => {
    const shop = await startShop('tripay');
    await (await shop.serve()).close();
    const environment = { ...shop.environment, TRIPAY_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await run(['payments', 'recover', '2026-01-01'], { environment });
    expect({ code, stderr }).toEqual({
      ...{ code: 5, stderr: expect.stringContaining('Error: tripay could not be asked: Tripay: ') },
    });
    expect(stderr).toContain('Nothing was changed.');
  }, 20_000);
});

describe('orders reconcile --since', () => {
  it("requires a gateway's settings, a live store, and a backup or a time", async () => {
    const shop = await startShop('tripay');
    await (await shop.serve()).close();
    const { TOPUP_GATEWAY: _gateway, ...without } = shop.environment;
    const reconcile = (since: string, environment = shop.environment) =>
      run(['payments', 'recover', since], { environment });
    expect(await reconcile('2026-01-01', without)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('set TOPUP_GATEWAY') },
    });
    const { TRIPAY_API_KEY: _key, ...incomplete } = shop.environment;
    expect((await reconcile('2026-01-01', incomplete)).stderr).toContain(
      'TOPUP_GATEWAY=tripay needs TRIPAY_API_KEY',
    );
    for (const since of ['friday', '2026-02-30', join(shop.folder.path, 'none.db')])
      expect(await reconcile(since)).toMatchObject({
        ...{
          code: 2,
          stderr: expect.stringContaining('Give a backup or a time'),
        },
      });
    const text = join(shop.folder.path, 'notes.txt');
    writeFileSync(text, 'no database');
    expect(await reconcile(text)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a') });
    const copy = join(shop.folder.path, 'copy.db');
    copyFileSync(shop.path, copy);
    // Without any order, everything may be lost.
    expect(JSON.parse((await run(['payments', 'recover', copy, '--json'], shop)).stdout)).toMatchObject({
      ...{ since: '1970-01-01T00:00:00.000Z', listed: 0 },
    });
    for (const args of [
      ['--ask', 'INV-1'],
      ['--since', '2026-01-01', '--all'],
      ['--since', '2026-01-01', '--settle', 'x'],
    ])
      expect((await shop.topup('orders', 'reconcile', ...args)).code).toBe(2);

    const sandbox = join(shop.folder.path, 'sandbox.db');
    const settings = { TOPUP_MODE: 'sandbox', TOPUP_STORE: `file:${sandbox}`, PORT: '0' };
    await (await startServer(readConfig(settings))).close();
    const args = ['payments', 'recover', '2026-01-01', '--store', `file:${sandbox}`];
    expect(await run(args, { environment: shop.environment })).toMatchObject({
      ...{ code: 6, stderr: expect.stringContaining('is the store of a sandbox') },
    });
  }, 30_000);
});
