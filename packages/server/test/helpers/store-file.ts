import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { onTestFinished } from 'vitest';
import { order, place } from '../../../suites/src/store/fixtures.ts';
import { createSqliteStore, StoreFileError } from '../../src/internal.ts';

/** Creates a folder that is deleted when the test ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A path for a store in such a folder. */
export const tempFile = (): string => join(tempFolder(), 'topup.db');

/** The n-th order of a test; its id has the number. */
export const orderNumber = (number: number) =>
  order({
    orderId: `INV-${number}`,
    createdAt: order().createdAt + number,
    payment: { ...order().payment, reference: `ref-${number}` },
  });

export async function placeOrders(store: Store, from: number, to: number): Promise<void> {
  const placing = [];
  for (let number = from; number < to; number += 1)
    placing.push(store.placeOrder(place(orderNumber(number))));
  await Promise.all(placing);
}

/** A store with this many orders, open until the test ends. */
export async function openedStore(path: string, orders = 0): Promise<Store> {
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  await placeOrders(store, 0, orders);
  return store;
}

/** A closed store with this many orders. */
export async function makeStore(path: string, orders = 0): Promise<void> {
  const store = createSqliteStore({ path });
  await placeOrders(store, 0, orders);
  await store.close();
}

export function query(path: string, sql: string): unknown[] {
  using db = new DatabaseSync(path);
  return db
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);
}

export const countOrders = (path: string): unknown => query(path, 'SELECT count(*) FROM orders')[0];

/** The error that rejected a store file. Fails when there was none. */
export async function rejectionOf(work: Promise<unknown>): Promise<StoreFileError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StoreFileError) return error;
    throw error;
  }
  throw new Error('The file was not rejected.');
}
