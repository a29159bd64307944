import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recentOrders, rememberOrder } from '../src/completion/recent-orders.ts';
import { cacheFolder } from '../src/config/file.ts';
import { temporaryFolder } from './helpers/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let io: { environment: Record<string, string> };
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  io = { environment: { HOME: folder.path } };
  file = join(cacheFolder(io), 'recent-orders.json');
});
afterEach(() => folder[Symbol.dispose]());

const shop = 'https://shop.example/api';
const order = (id: string, baseUrl = shop) => ({ order_id: id, base_url: baseUrl, game: 'free-fire' });
const ids = (baseUrl = shop): string[] => recentOrders(io, baseUrl).map(({ order_id }) => order_id);

describe('orders that were placed on this machine', () => {
  it('returns no recent orders at first', () => {
    expect(ids()).toEqual([]);
  });

  it('returns each order at a service once, newest first', () => {
    for (const id of ['INV-1', 'INV-2', 'INV-3']) rememberOrder(io, order(id));
    rememberOrder(io, order('INV-4', 'https://other.example/api'));
    rememberOrder(io, order('INV-1'));
    expect(ids()).toEqual(['INV-1', 'INV-3', 'INV-2']);
    expect(ids('https://other.example/api')).toEqual(['INV-4']);
    expect(recentOrders(io, shop)[0]).toEqual(order('INV-1'));
  });

  it('keeps the last 20 orders', () => {
    for (let number = 1; number <= 21; number += 1) rememberOrder(io, order(`INV-${number}`));
    expect(ids()).toHaveLength(20);
    expect(ids().at(-1)).toBe('INV-2');
  });

  it('keeps recent orders readable only by their user', () => {
    rememberOrder(io, order('INV-1'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(cacheFolder(io)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([order('INV-1')]);
  });

  it.each([
    ['no JSON', '{'],
    ['no list', '{"order_id":"INV-1"}'],
    ['a list of invalid orders', '[null, 1, "INV-1"]'],
    ['an order without an id', JSON.stringify([{ base_url: shop, game: 'x' }])],
    ['an order without a game', JSON.stringify([{ base_url: shop, order_id: 'INV-1' }])],
    ['an order whose id is a number', JSON.stringify([{ ...order('INV-1'), order_id: 1 }])],
  ])('replaces a recent-orders file with %s', (_case, text) => {
    mkdirSync(cacheFolder(io), { recursive: true });
    writeFileSync(file, text);
    expect(ids()).toEqual([]);
    rememberOrder(io, order('INV-2'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([order('INV-2')]);
  });

  it('works without a writable folder', () => {
    writeFileSync(join(folder.path, 'taken'), '');
    io.environment.HOME = join(folder.path, 'taken');
    expect(() => rememberOrder(io, order('INV-1'))).not.toThrow();
    expect(ids()).toEqual([]);
  });
});
