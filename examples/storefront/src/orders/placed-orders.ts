import type { Order } from '@topup-kit/sdk';
import { createSignal } from '../signal.ts';

/** Order that was placed on this device. */
export interface PlacedOrder {
  slug: string;
  game: string;
  product: string;
  productImage: string;
  account: string;
  /** Name of the payment method; undefined in an entry that another version of the shop saved without it. */
  method?: string;
  /** Time in unix milliseconds; undefined like `method`. */
  placedAt?: number;
  order: Order;
}

const storageKey = 'kilat:orders';
const maxOrders = 20;

/** Storage of the orders. The mock's orders exist only in its own tab. */
const storage = import.meta.env.VITE_TOPUP_BACKEND === 'server' ? localStorage : sessionStorage;

/** Tells whether an entry has an order number. An entry without a number is dropped, because it can't be shown. */
const isPlacedOrder = (saved: Partial<PlacedOrder> | null): boolean =>
  typeof saved?.order?.order_id === 'string';

function read(): PlacedOrder[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]');
    return Array.isArray(saved) ? saved.filter(isPlacedOrder) : [];
  } catch {
    return [];
  }
}

const orders = createSignal<readonly PlacedOrder[]>(read());

function write(next: readonly PlacedOrder[]): void {
  storage.setItem(storageKey, JSON.stringify(next));
  orders.set(next);
}

/** Returns the orders placed on this device, newest first. */
export const usePlacedOrders = orders.use;

export const placedOrders = {
  list: orders.get,
  subscribe: orders.subscribe,
  add: (placed: PlacedOrder) => write([placed, ...orders.get()].slice(0, maxOrders)),
  clear: () => write([]),
};
