import type { Order } from '@topup-kit/sdk';
import { createSignal } from '../signal.ts';

/** What this device knows of an order that was placed on it. */
export interface PlacedOrder {
  slug: string;
  game: string;
  product: string;
  productImage: string;
  method: string;
  account: string;
  /** Unix milliseconds. */
  placedAt: number;
  order: Order;
}

const stored = 'kilat:orders';
const most = 20;

/** A mock's world is its tab's, and so are its orders. */
const storage = import.meta.env.VITE_TOPUP_BACKEND === 'server' ? localStorage : sessionStorage;

function read(): PlacedOrder[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(stored) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const book = createSignal<readonly PlacedOrder[]>(read());

function write(orders: readonly PlacedOrder[]): void {
  storage.setItem(stored, JSON.stringify(orders));
  book.set(orders);
}

/** The orders placed on this device, the newest first. */
export const useOrderBook = book.use;

export const orderBook = {
  list: book.get,
  subscribe: book.subscribe,
  add: (placed: PlacedOrder) => write([placed, ...book.get()].slice(0, most)),
  clear: () => write([]),
};
