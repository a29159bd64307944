import { expect, it } from 'vitest';
import { readsDuringLock } from './helpers/foreign-lock.ts';

it('a server responds to reads while another process has the write lock, and rejects orders with 503 until it is free', async () => {
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
