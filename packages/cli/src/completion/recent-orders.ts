import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../config/file.ts';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';

/** Order that was placed on this machine, for completion, without customer data. */
interface RecentOrder {
  order_id: string;
  base_url: string;
  game: string;
}

const most = 20;

const fileOf = (io: Pick<Io, 'environment'>): string => join(cacheFolder(io), 'recent-orders.json');

const isRecentOrder = (value: unknown): value is RecentOrder =>
  isObject(value) && [value.order_id, value.base_url, value.game].every((text) => typeof text === 'string');

function readAll(io: Pick<Io, 'environment'>): RecentOrder[] {
  try {
    const orders: unknown = JSON.parse(readFileSync(fileOf(io), 'utf8'));
    return Array.isArray(orders) ? orders.filter(isRecentOrder) : [];
  } catch {
    return [];
  }
}

/** Reads the last orders from this machine at a service, newest first. */
export const recentOrders = (io: Pick<Io, 'environment'>, baseUrl: string): RecentOrder[] =>
  readAll(io).filter(({ base_url }) => base_url === baseUrl);

/** Remembers an order for completion. Ignores failures. */
export function rememberOrder(io: Pick<Io, 'environment'>, order: RecentOrder): void {
  try {
    const file = fileOf(io);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const others = readAll(io).filter(({ order_id }) => order_id !== order.order_id);
    writeFileSync(file, JSON.stringify([order, ...others].slice(0, most)), { mode: 0o600 });
  } catch {
    // If this fails, completion offers only the store's orders.
  }
}
