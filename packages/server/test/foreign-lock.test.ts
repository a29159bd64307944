import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { readsDuringLock } from './helpers/foreign-lock.ts';
import { startLogged } from './helpers/log.ts';
import { postOrder } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

it.concurrent('serves reads while another process has the write lock, and rejects orders with 503 until the lock is free', async () => {
  const { during, after } = await readsDuringLock(3_000);
  // A read that waits for the lock takes until its end.
  expect(during.longest).toBeLessThan(1_000);
  const [rejected] = during.orders;
  expect(rejected?.status).toBe(503);
  expect(rejected?.headers.get('Retry-After')).toBe('1');
  expect(await rejected?.json()).toMatchObject({ success: false, error_code: 'UNAVAILABLE' });
  // Those that were waiting when the lock was released are stored.
  expect(during.orders.at(-1)?.status).toBe(201);
  expect(after?.status).toBe(201);
}, 30_000);

it.concurrent("responds with 503 on a payment page that can't write, and logs only the lock", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const log = await startLogged({ TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'warn', TOPUP_LOCALE: 'en' });
  await using server = log.server;
  const placed = await postOrder(server.baseUrl);
  const { payment_url: page } = (await placed.json()).data;
  using other = new DatabaseSync(path, { timeout: 1_000 });
  other.exec('BEGIN IMMEDIATE');
  const response = await fetch(`${page}/pay`, { method: 'POST' });
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('Your order is not lost.');
  await expect.poll(() => log.lines().map(({ msg }) => msg)).toEqual(['the store accepts no writes']);
});
