import { openStore } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { another, change, entry, paid, place, unit } from '../../suites/src/store/fixtures.ts';
import { money } from '../src/output/format.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { ownStore } from './helpers/own-store.ts';
import { run, start } from './helpers/run.ts';

const [first, second, delivered, unpaid] = (['A', 'B', 'C', 'D'] as const).map(
  (letter) => another(letter).orderId,
) as [string, string, string, string]; // safe: four letters
const ids = { first, second, delivered, unpaid };

/** Two orders whose delivery failed, one that was delivered, and one that is unpaid. */
const shop = ownStore(async (path) => {
  const store = openStore({ kind: 'file', path });
  await store.claimMode('sandbox');
  for (const letter of ['A', 'B', 'C', 'D']) await store.placeOrder(place(another(letter)));
  for (const [orderId, isFailed] of [
    [first, true],
    [second, true],
    [delivered, false],
  ] as const) {
    const event = entry({ event: 'paid', by: 'gateway', to: paid });
    await store.changeOrder(change({ orderId, to: paid, entry: event }));
    const to = { paymentStatus: 'PAID', buyStatus: isFailed ? 'Gagal' : 'Sukses' } as const;
    await store.changeOrder(
      change({
        ...{ orderId, version: 2, to },
        entry: entry({ event: isFailed ? 'undelivered' : 'delivered', by: 'supplier', from: paid, to }),
        units: [1, 2].map((number) =>
          unit(number, { state: isFailed ? 'failed' : 'delivered', nextAt: null }),
        ),
      }),
    );
  }
  await store.close();
});

const total = another('A').pricing.total_price * 2;

const topup = (args: string[], input?: string) =>
  run(args, { environment: { TOPUP_STORE: shop.url }, ...(input !== undefined && { input }) });

const statesOf = async (...orderIds: string[]): Promise<string[]> =>
  shop.inStore(async (store) => {
    const orders = await Promise.all(orderIds.map((orderId) => store.findOrder(orderId)));
    return orders.map((order) => `${order?.paymentStatus} / ${order?.buyStatus}`);
  });

const failed = 'PAID / Gagal';

describe('orders retry --all-failed', () => {
  it('shows in a dry run how many orders there are and what was paid for them', async () => {
    const { code, stdout, stderr } = await topup(['orders', 'retry', '--all-failed', '--dry-run']);

    expect(code).toBe(0);
    expect(stderr).toContain(
      `The missing items of 2 orders, for which customers paid ${money(total)}, will be bought from the supplier again.`,
    );
    expect(stdout.split('\n').filter(Boolean).toSorted()).toEqual(
      [ids.first, ids.second].map((id) => `${id} would be PAID / Proses.`).toSorted(),
    );
    expect(await statesOf(ids.first, ids.second)).toEqual([failed, failed]);
  });

  it('retries those orders and no other', async () => {
    const { code, stdout } = await topup(['orders', 'retry', '--all-failed', '--yes', '--json']);

    expect(code).toBe(0);
    const { done, failed } = JSON.parse(stdout);
    expect(done.map((order: { order_id: string }) => order.order_id).toSorted()).toEqual(
      [ids.first, ids.second].toSorted(),
    );
    expect(failed).toEqual([]);
    expect(await statesOf(ids.first, ids.second, ids.delivered, ids.unpaid)).toEqual([
      'PAID / Proses',
      'PAID / Proses',
      'PAID / Sukses',
      'UNPAID / Pending',
    ]);
  });

  it('asks first with the sum, and does nothing when the operator declines', async () => {
    const terminal = fakeTerminal();
    const { code } = start(['orders', 'retry', '--all-failed'], {
      ...{ terminal, environment: { TOPUP_STORE: shop.url } },
    });
    await terminal.answer('Go on?', 'n');

    expect(terminal.shown()).toContain(money(total));
    expect(await code).toBe(1);
    expect(await statesOf(ids.first)).toEqual([failed]);
  });

  it('takes the filters of orders list', async () => {
    const { code, stdout, stderr } = await topup([
      'orders',
      'retry',
      '--all-failed',
      '--account',
      'nobody',
      '--yes',
    ]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stdout: '', stderr: `No such failed orders in ${shop.path}.\n` },
    });
  });

  it.each([
    [['--all-failed', 'INV-1'], 'Give an order, or --all-failed, not both.'],
    [['INV-1', '--game', 'free-fire'], '--game selects orders for --all-failed only.'],
    [[], 'Give the id of an order, or --all-failed.'],
    [['--all-failed'], 'This needs --yes: The missing items of 2 orders'],
  ])('%j: exit 2', async (args, message) => {
    expect(await topup(['orders', 'retry', ...args])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
    });
  });
});

describe('ids on standard input', () => {
  it('are handled one after the other, and one that fails stops no other', async () => {
    const input = `${ids.first}\n${ids.unpaid} ${ids.second}\n${ids.first}\n`;
    const { code, stdout, stderr } = await topup(
      ['refunds', 'create', '-', '--note', 'outage', '--yes'],
      input,
    );

    expect(code).toBe(6);
    expect(stdout).toContain(`${ids.first} is REFUND / Gagal.`);
    expect(stdout).toContain(`${ids.second} is REFUND / Gagal.`);
    expect(stderr).toContain('1 id of 3 failed:');
    expect(stderr).toContain(`${ids.unpaid} can't be refunded: it is UNPAID / Pending.`);
    expect(await statesOf(ids.first, ids.second)).toEqual(['REFUND / Gagal', 'REFUND / Gagal']);
  });

  it('come from --quiet of another command, as JSON with the errors', async () => {
    const refund = ['refunds', 'create', '-', '--note', 'outage', '--yes', '--quiet'];
    await topup(refund, `${ids.first} ${ids.second}`);
    const { stdout } = await topup(['refunds', 'list', '--quiet']);
    const paid = await topup(
      ['refunds', 'paid', '-', '--reference', '7781', '--yes', '--json'],
      `${stdout}R-9`,
    );

    expect(paid.code).toBe(6);
    const { done, failed } = JSON.parse(paid.stdout);
    expect(done.map(({ state }: { state: string }) => state)).toEqual(['paid', 'paid']);
    expect(failed).toMatchObject([{ id: 'R-9', code: 'REFUND_NOT_FOUND' }]);
  });

  it.each([
    [['orders', 'retry', '-', '--dry-run'], 'PAID / Proses'],
    [['orders', 'mark', '-', '--delivered', '--note', 'seen', '--dry-run'], 'PAID / Sukses'],
  ])('%j shows what would be done', async (args, state) => {
    const { code, stdout } = await topup(args, ids.first);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ids.first} would be ${state}.\n` });
    expect(await statesOf(ids.first)).toEqual([failed]);
  });

  it('give notes', async () => {
    expect((await topup(['orders', 'note', '-', 'outage'], `${ids.first} ${ids.second}`)).stdout).toBe(
      `Noted for ${ids.first}.\nNoted for ${ids.second}.\n`,
    );
  });

  it.each([
    [['orders', 'retry', '-'], 'INV-1', 'Ids from standard input need --yes or --dry-run.'],
    [['orders', 'retry', '-', '--yes'], ' \n', 'Standard input has no ids.'],
  ])('%j: exit 2', async (args, input, message) => {
    expect(await topup(args, input)).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
    });
  });
});
