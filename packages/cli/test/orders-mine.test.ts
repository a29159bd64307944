import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const folder = temporaryFolder();
let server: RunningServer;
let store: string;
let ids: string[];

/** The newest first. */
beforeAll(async () => {
  store = `file:${folder.path}/topup.db`;
  server = await startSandbox(store);
  ids = [];
  for (let count = 0; count < 3; count++) {
    const { stdout } = await run([...fixtureOrder, '--json', '--base-url', server.baseUrl]);
    ids.unshift(JSON.parse(stdout).orderId);
    await run(['sandbox', 'advance', '1m', '--base-url', server.baseUrl]);
  }
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const mine = (args: string[] = [], columns = 140) =>
  run(['orders', 'mine', ...args, '--base-url', server.baseUrl], { columns });
const list = (args: string[] = [], columns = 140) =>
  run(['orders', 'list', ...args, '--store', store], { columns });

/** The cells of a table, without some columns. */
function cellsWithout(columns: readonly string[], text: string): string[][] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  const left = (lines[0] ?? []).map((title) => !columns.includes(title));
  return lines.map((cells) => cells.filter((_cell, index) => left[index]));
}

describe('orders mine', () => {
  it.each(['--idempotency-key', '--cursor', '--from', '--before'])(
    'rejects an empty %s, which would list all orders',
    async (flag) => {
      const { stdout, stderr, code } = await mine([flag, '']);
      expect([stdout, code]).toEqual(['', 2]);
      expect(stderr).toContain('It must not be empty');
    },
  );

  it('shows the columns of orders list, except account, customer and quantity', async () => {
    const { stdout, code } = await mine([], 160);

    expect(code).toBe(0);
    expect(cellsWithout(['ACCOUNT', 'CUSTOMER'], stdout)).toEqual(
      cellsWithout(['ACCOUNT', 'CUSTOMER'], (await list([], 160)).stdout.replaceAll(' × 2 ', ' ')),
    );
    expect(stdout.split('\n')[0]).toMatch(/^ORDER +PAYMENT +DELIVERY +TOTAL +CREATED \(GMT\+7\) +PRODUCT$/);
    expect(stdout).toMatch(
      / \d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d +86 Diamond · Mobile Legends: Bang Bang\n/,
    );
  });

  it('keeps the time and the product on a narrow terminal, like orders list', async () => {
    for (const { stdout } of [await mine([], 80), await list([], 80)]) {
      expect(stdout).toMatch(/^ORDER +PAYMENT +DELIVERY +TIME \(GMT\+7\) +PRODUCT\n/);
      expect(stdout).toMatch(/ \d\d \w{3}, \d\d:\d\d +86 Diamond/);
    }
  });

  it('accepts the state flags of orders list', async () => {
    for (const shown of [mine, list]) {
      expect((await shown(['--payment-status', 'PAID'])).stdout).toBe('');
      expect((await shown(['--payment-status', 'paid'])).code).toBe(2);
      expect((await shown(['--buy-status', 'Pending', '--quiet'])).stdout.trim().split('\n')).toEqual(ids);
    }
  });

  it('prints the command for the next page with the same flags', async () => {
    const { stdout, stderr } = await mine(['--limit', '2', '--buy-status', 'Pending', '--quiet']);
    expect(stdout.trim().split('\n')).toEqual(ids.slice(0, 2));

    const { stderr: remark } = await mine(['--limit', '2', '--buy-status', 'Pending']);
    expect(stderr).toBe('');
    expect(remark).toMatch(
      /Older ones:\n {2}topup orders mine --buy-status Pending --limit 2 --cursor \S+ --base-url/,
    );
  });
});
