import type { Order } from '@topup-kit/sdk';
import { createSignal } from '../signal.ts';

/** An order that was placed on this device. */
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

const storageKey = 'kilat:orders';
const maxOrders = 20;

/** The mock's orders exist only in its own tab. */
const storage = import.meta.env.VITE_TOPUP_BACKEND === 'server' ? localStorage : sessionStorage;

function read(): PlacedOrder[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]');
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

const orders = createSignal<readonly PlacedOrder[]>(read());

function write(next: readonly PlacedOrder[]): void {
  storage.setItem(storageKey, JSON.stringify(next));
  orders.set(next);
}

/** The orders placed on this device, newest first. */
export const usePlacedOrders = orders.use;

export const placedOrders = {
  list: orders.get,
  subscribe: orders.subscribe,
  add: (placed: PlacedOrder) => write([placed, ...orders.get()].slice(0, maxOrders)),
  clear: () => write([]),
};
