import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { expect } from 'vitest';
import { postOrder } from './orders.ts';
import { temporaryFolder } from './sandbox.ts';
import { startServerProcess } from './server-process.ts';

/** How many clients read at once. */
const readers = 4;

/** The 99th percentile and the maximum of the times that reads take until `stop` aborts, in milliseconds. */
async function measureReads(url: string, stop: AbortSignal): Promise<{ p99: number; longest: number }> {
  const times: number[] = [];
  const read = async (): Promise<void> => {
    while (!stop.aborted) {
      const begin = performance.now();
      const response = await fetch(url, { headers: { 'X-API-KEY': sandboxKey } });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      times.push(performance.now() - begin);
      await wait(2);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  times.sort((one, other) => one - other);
  return { p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN, longest: times.at(-1) ?? Number.NaN };
}

/** Places orders until `stop` aborts, and returns their responses. */
async function placeOrders(baseUrl: string, stop: AbortSignal): Promise<Response[]> {
  const orders: Promise<Response>[] = [];
  while (!stop.aborted) {
    orders.push(postOrder(baseUrl, { promo_code: undefined }));
    await wait(100);
  }
  return Promise.all(orders);
}

/**
 * Measures reads while another process has the write lock for `holdMs`, and orders are placed; with `compare` also as long
 * before.
 */
export async function readsDuringLock(holdMs: number, { compare = false } = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  await using server = await startServerProcess({ TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent' });
  const { baseUrl } = server;
  const phase = async () => {
    const stop = AbortSignal.timeout(holdMs);
    const orders = placeOrders(baseUrl, stop);
    return { ...(await measureReads(`${baseUrl}/invoice/${orderId}/payment-status`, stop)), orders };
  };
  const [first = Response.error()] = await placeOrders(baseUrl, AbortSignal.timeout(50));
  const { orderId } = await first.json();

  await measureReads(`${baseUrl}/invoice/${orderId}/payment-status`, AbortSignal.timeout(500));
  const before = compare ? await phase() : null;
  // The server may be writing at that moment.
  using other = new DatabaseSync(path, { timeout: 1_000 });
  other.exec('BEGIN IMMEDIATE');
  const during = await phase();
  other.exec('ROLLBACK');
  const [after] = await placeOrders(baseUrl, AbortSignal.timeout(50));
  return { before, during: { ...during, orders: await during.orders }, after };
}

/** Differences below this are the machine's, in milliseconds. */
const noiseMs = 10;

/** How often the measurement is repeated before it counts: a busy machine disturbs one, and a read that waits is slow in each. */
const attempts = 3;

/** Expects that p99 of reads is at most twice as high while another process has the write lock for `holdMs`. */
export async function expectReadsUnharmed(holdMs: number): Promise<void> {
  const measured: { p99: number; limit: number }[] = [];
  do {
    const { before, during } = await readsDuringLock(holdMs, { compare: true });
    measured.push({ p99: during.p99, limit: Math.max(2 * (before?.p99 ?? 0), noiseMs) });
  } while (measured.length < attempts && !measured.some(isUnharmed));
  expect(measured.some(isUnharmed), JSON.stringify(measured)).toBe(true);
}

const isUnharmed = ({ p99, limit }: { p99: number; limit: number }): boolean => p99 <= limit;
