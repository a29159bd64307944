import { join } from 'node:path';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorStore } from '../src/store/open.ts';
import { findOrderId } from '../src/store/order-id.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const folder = temporaryFolder();
const environment: Record<string, string> = {
  TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
  TOPUP_OPERATOR: 'rina',
};
let server: RunningServer;
let paid: string;
let unpaid: string;

const topup = (...args: string[]) => run(args, { environment });
const json = async (...args: string[]) => JSON.parse((await topup(...args, '--json')).stdout);
const found = async (...args: string[]): Promise<string[]> =>
  (await json('orders', 'search', ...args)).orders.map((order: { order_id: string }) => order.order_id);

beforeAll(async () => {
  server = await startSandbox(environment.TOPUP_STORE ?? '');
  environment.TOPUP_BASE_URL = server.baseUrl;
  environment.TOPUP_API_KEY = server.sandboxKey ?? '';
  const place = async (...more: string[]) => (await topup(...fixtureOrder, ...more, '--quiet')).stdout.trim();
  paid = await place('--email', 'Sari@example.com');
  unpaid = await place('--email', 'budi@example.com');
  expect((await topup('sandbox', 'pay', paid)).code).toBe(0);
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

describe('orders search', () => {
  it("finds paid and unpaid orders by any of the order's data", async () => {
    expect(await found('sari@')).toEqual([paid]);
    expect(await found('BUDI@example')).toEqual([unpaid]);
    expect(await found(paid.slice(-8))).toEqual([paid]);
    expect(await found(unpaid.toLowerCase())).toEqual([unpaid]);
    expect(await found('812-3456-7890')).toEqual([unpaid, paid]);
    expect(await found('ML86', '--payment-status', 'UNPAID')).toEqual([unpaid]);
  });

  it('shows the customer, the product and the total, newest order first', async () => {
    const { stdout } = await run(['orders', 'search', 'ml86'], { environment, columns: 140 });
    const [, first = '', second = ''] = stdout.split('\n');
    expect(first).toMatch(
      new RegExp(
        `^${unpaid} +UNPAID +Pending +Rp [\\d,]+ .* 081234567890 +86 Diamond × 2 · Mobile Legends.*$`,
      ),
    );
    expect(second).toMatch(new RegExp(`^${paid} +PAID `));
  });

  it('exits with 0 without results, and rejects a search text that is too short', async () => {
    expect(await topup('orders', 'search', 'nobody@')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: /^No orders in .* match\.\n$/,
    });
    expect(await topup('orders', 'search', 'ab')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a text of 3 to 255 characters/),
    });
    expect(await topup('orders', 'search', 'abc', '--since', 'today', '--until', '2020-01-01')).toMatchObject(
      { code: 2 },
    );
  });
});

describe('the last part of an id', () => {
  const last = (orderId: string): string => orderId.slice(-8);

  it('accepts the last part of an order id in every command, in upper or lower case', async () => {
    expect((await json('orders', 'show', last(paid), '--history')).order_id).toBe(paid);
    expect(await topup('orders', 'note', last(unpaid).toLowerCase(), 'x')).toMatchObject({
      stdout: `Added the note to ${unpaid}.\n`,
    });
    for (const [verb, ...more] of [
      ['retry'],
      ['mark', '--failed', '--note', 'x'],
      ['refund', '--all', '--note', 'x'],
    ])
      expect((await topup('orders', verb ?? '', last(unpaid), ...more, '--dry-run')).stderr, verb).toContain(
        `${unpaid} can't be`,
      );
    expect((await json('orders', 'list', '--after', last(unpaid))).orders).toMatchObject([
      { order_id: paid },
    ]);
    expect(await topup('webhooks', 'deliveries', '--order', last(paid))).toMatchObject({ code: 0 });
  });

  it('resolves the last part of an order id for the service if the store is on this machine', async () => {
    environment.TOPUP_BASE_URL = server.baseUrl;
    expect((await json('orders', 'show', last(paid))).order.order_id).toBe(paid);
  });

  it('requires all characters of the last part, and rejects a part that several orders share', async () => {
    expect(await topup('orders', 'note', paid.slice(-7), 'x')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`There is no order ${paid.slice(-7)} in`),
    });
    const ids = ['INV-20260101000000-AAAABBBB', 'INV-20260102000000-AAAABBBB'];
    const twins = {
      searchOrders: async () => ids.map((orderId) => ({ orderId })),
      indexForSearch: async () => 0,
    };
    // Safe: the code uses only these two.
    const operating = { store: twins } as unknown as OperatorStore;
    await expect(findOrderId(operating, 'aaaabbbb', { remark: () => undefined })).rejects.toMatchObject({
      message: 'The ids of 2 orders end with aaaabbbb.',
      details: { hint: `Give the whole id:\n  ${ids.join('\n  ')}` },
    });
  });
});

describe('orders note', () => {
  it("adds a note with its operator's name to the history, and leaves the order unchanged", async () => {
    const before = await json('orders', 'show', unpaid);
    expect(await topup('orders', 'note', unpaid, 'called, waits')).toMatchObject({
      code: 0,
      stdout: `Added the note to ${unpaid}.\n`,
    });
    expect((await json('orders', 'show', unpaid)).data).toEqual(before.data);
    const { history } = await json('orders', 'show', unpaid, '--history');
    expect(history.at(-1)).toMatchObject({
      event: 'noted',
      by: 'operator',
      operator: 'rina',
      note: 'called, waits',
    });
    const { stdout } = await run(['orders', 'show', unpaid, '--history'], { environment, columns: 120 });
    expect(stdout).toMatch(/noted.*rina[\s\S]*called, waits/);
  });

  it('allows the payment and the delivery of an order that has a note', async () => {
    const noted = (await topup(...fixtureOrder, '--quiet')).stdout.trim();
    await topup('orders', 'note', noted, 'second note');
    expect((await topup('sandbox', 'pay', noted)).code).toBe(0);
    expect((await topup('sandbox', 'advance', '2s')).code).toBe(0);
    expect((await topup('orders', 'watch', noted)).code).toBe(0);
  });

  it('rejects an unknown order and an empty note', async () => {
    expect(await topup('orders', 'note', 'INV-20260101000000-NOTTHERE', 'x')).toMatchObject({ code: 3 });
    expect(await topup('orders', 'note', paid, '  ')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/A note has 1 to 1000 characters/),
    });
  });
});

describe('orders list --stuck', () => {
  it('lists orders without an outcome after 15 minutes, but not earlier', async () => {
    // The sandbox's account whose delivery never ends.
    const args = fixtureOrder.map((word) => (word === '12345678' ? '900000006' : word));
    const fresh = (await topup(...args, '--quiet')).stdout.trim();
    expect((await topup('sandbox', 'pay', fresh)).code).toBe(0);
    const stuck = async () =>
      (await json('orders', 'list', '--stuck')).orders.map((order: { order_id: string }) => order.order_id);
    expect(await stuck()).not.toContain(fresh);
    expect((await topup('sandbox', 'advance', '20m')).code).toBe(0);
    expect(await stuck()).toContain(fresh);
  });
});
