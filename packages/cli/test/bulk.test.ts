import { Readable } from 'node:stream';
import { openStore } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { another, change, entry, paid, place, unit } from '../../suites/src/store/fixtures.ts';
import { runForEach } from '../src/bulk.ts';
import { problemOrders } from '../src/commands/orders/list.ts';
import { createContext } from '../src/context.ts';
import { money } from '../src/output/format.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { ownStore } from './helpers/own-store.ts';
import { run, start } from './helpers/run.ts';

const [first, second, delivered, unpaid] = (['A', 'B', 'C', 'D'] as const).map(
  (letter) => another(letter).orderId,
) as [string, string, string, string]; // Safe: the string has four letters.
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
  it('shows the number and the payments of the failed orders in a dry run', async () => {
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

  it('retries only the failed orders', async () => {
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

  it('shows the total and asks first, and retries nothing if the operator declines', async () => {
    const terminal = fakeTerminal();
    const { code } = start(['orders', 'retry', '--all-failed'], {
      ...{ terminal, environment: { TOPUP_STORE: shop.url } },
    });
    await terminal.answer('Go on?', 'n');

    expect(terminal.shown()).toContain(money(total));
    expect(await code).toBe(1);
    expect(await statesOf(ids.first)).toEqual([failed]);
  });

  it('accepts the filters of orders list', async () => {
    const { code, stdout, stderr } = await topup([
      'orders',
      'retry',
      '--all-failed',
      '--account',
      'nobody',
      '--yes',
    ]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stdout: '', stderr: `No matching failed orders in ${shop.path}.\n` },
    });
  });

  it.each([
    [['--all-failed', 'INV-1'], 'Give an order, or --all-failed, not both.'],
    [['INV-1', '--game', 'free-fire'], '--game selects orders for --all-failed only.'],
    [[], 'Give the id of an order, or --all-failed.'],
    [['--all-failed'], 'This needs --yes: The missing items of 2 orders'],
  ])('exits with 2 for the invalid command orders retry %j', async (args, message) => {
    expect(await topup(['orders', 'retry', ...args])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
    });
  });
});

it('finds every failed order, however many there are', async () => {
  const [order] = await shop.inStore((store) => store.findOrders([ids.first]));
  if (!order) throw new Error('the store has the order');
  const many = Array.from({ length: 1_001 }, (_, index) => ({ ...order, orderId: `INV-${index}` }));
  const store = {
    findProblemOrders: async (_problem: unknown, limit: number) =>
      many.slice(0, limit).map(({ orderId }) => orderId),
    findOrders: async (wanted: readonly string[]) => many.filter(({ orderId }) => wanted.includes(orderId)),
  };
  const found = await problemOrders({ store }, { kind: 'failed' }, { limit: Number.POSITIVE_INFINITY });
  expect(found).toHaveLength(1_001);
});

describe('a run for many ids that a signal stops', () => {
  it('finishes the current id after a signal, prints the results, and lists the remaining ids', async () => {
    const stop = new AbortController();
    const written = { stdout: '', stderr: '' };
    const context = createContext(
      {
        ...{ stdin: Readable.from([]), environment: {}, terminal: undefined, signal: stop.signal },
        stdout: { write: (text) => (written.stdout += text) },
        stderr: { write: (text) => (written.stderr += text) },
      },
      { input: true, json: true },
    );
    const ran: string[] = [];
    const stopped = runForEach(context, ['a', 'b', 'c', 'd'], async (each, id) => {
      ran.push(id);
      if (id === 'a') throw new Error('no a');
      stop.abort('SIGTERM');
      await each.print({ document: { id }, screen: () => `${id}\n` });
    });

    await expect(stopped).rejects.toMatchObject({
      message: 'Stopped: nothing was done for 2 ids of 4.',
      details: { code: 'ABORTED', exitCode: 143, hint: 'To continue, give only these:\n  c\n  d' },
    });
    expect(ran).toEqual(['a', 'b']);
    expect(JSON.parse(written.stdout)).toMatchObject({
      ...{ done: [{ id: 'b' }], failed: [{ id: 'a' }], not_done: ['c', 'd'] },
    });
  });

  it('exits with 130 after a signal, and changes no further order', async () => {
    const { code, stderr } = await run(['orders', 'retry', '--all-failed', '--yes'], {
      ...{ environment: { TOPUP_STORE: shop.url }, signal: AbortSignal.abort('SIGINT') },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('Stopped: nothing was done for 2 ids of 2.');
    expect(await statesOf(ids.first, ids.second)).toEqual([failed, failed]);
  });
});

describe('ids on standard input', () => {
  it('refunds an order once, even if standard input contains two ids of the same order', async () => {
    const refund = ['refunds', 'create', '-', '--amount', '1000', '--note', 'outage', '--yes', '--json'];
    const { code, stdout } = await topup(refund, `${ids.first} ${ids.first.split('-').at(-1)}`);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).done).toHaveLength(1);
    const refunds = await shop.inStore((store) => store.findRefunds(ids.first));
    expect(refunds.map(({ amount }) => amount)).toEqual([1_000]);
  });

  it('prints notes about single ids separately, and notes about all ids once', async () => {
    const input = `${ids.first} ${ids.second}`;
    const dry = await topup(['orders', 'mark', '-', '--delivered', '--note', 'seen', '--dry-run'], input);
    expect(dry.stderr).toBe('Nothing was changed: this was a dry run.\n');

    const refunded = await topup(['refunds', 'create', '-', '--note', 'outage', '--yes'], input);
    for (const id of [ids.first, ids.second])
      expect(refunded.stderr).toMatch(
        new RegExp(`^${id}: This records the refund but moves no money: pay[^]*refunds paid ${id}-R1`, 'm'),
      );
  });

  it.each([
    [['orders', 'retry', '-', '--all-failed'], 'Give an order, or --all-failed, not both.'],
    [['orders', 'retry', '-', '--game', 'free-fire'], '--game selects orders for --all-failed only.'],
    [['orders', 'mark', '-', '--note', 'seen'], 'Say what happened to the order: --delivered or --failed.'],
    [['orders', 'abandon', '-'], '--note is missing'],
    [['orders', 'note', '-', ' '], 'A note has 1 to 1000 characters.'],
    [['refunds', 'create', '-'], '--note is missing'],
    [['refunds', 'create', '-', '--note', 'outage', '--amount', '0'], '--amount takes a whole number'],
    [['refunds', 'paid', '-'], '--reference is missing'],
    [['refunds', 'cancel', '-'], '--note is missing'],
    [['payments', 'return', '-'], '--note is missing'],
  ])('reads no ids from standard input for %j, and exits with 2', async (args, message) => {
    const asks = args[1] === 'note' ? [] : ['--yes'];
    const { code, stdout, stderr } = await topup([...args, ...asks], `${ids.first} ${ids.second}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^Error: ${message}`));
  });

  it('changes no order if standard input contains an invalid id', async () => {
    const { code, stdout, stderr } = await topup(['orders', 'retry', '-', '--yes'], `${ids.first}\n..\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('".." on standard input is not a valid id. Give a value such as INV-');
    expect(await statesOf(ids.first)).toEqual([failed]);
  });

  it('handles ids in sequence, and continues after an id that failed', async () => {
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

  it('reads the ids that another command prints with --quiet, and prints JSON with the errors', async () => {
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
  ])('shows the effect of %j in a dry run', async (args, state) => {
    const { code, stdout } = await topup(args, ids.first);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ids.first} would be ${state}.\n` });
    expect(await statesOf(ids.first)).toEqual([failed]);
  });

  it('adds notes to several orders', async () => {
    expect((await topup(['orders', 'note', '-', 'outage'], `${ids.first} ${ids.second}`)).stdout).toBe(
      `Added the note to ${ids.first}.\nAdded the note to ${ids.second}.\n`,
    );
  });

  it.each([
    [['orders', 'retry', '-'], 'INV-1', 'Ids from standard input need --yes or --dry-run.'],
    [['orders', 'retry', '-', '--yes'], ' \n', 'Standard input has no ids.'],
  ])('exits with 2 for the invalid command %j', async (args, input, message) => {
    expect(await topup(args, input)).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
    });
  });
});
