import type { BuyStatus, PaymentStatus, Pricing } from '../../contract/index.ts';
import type { CatalogGame, CatalogPaymentMethod, CatalogProduct } from './catalog.ts';

/** What was bought, as it was sold: later changes of the catalogue don't change an order. */
export type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
>;
export type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'>;
export type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** What the payment gateway gave to pay with. */
export interface Payment {
  /** The gateway's reference; unique, and unguessable for the simulated gateway. */
  reference: string;
  /** What to pay to: a virtual account number, a shop code, a QR string; null when the gateway gives none. */
  code: string | null;
  /** The page to pay on; null when the gateway gives none. */
  url: string | null;
  /** What a QR picture says, for QR methods. */
  qrString: string | null;
}

/** The two states of an order; the store changes both at once or none. */
export interface OrderState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
}

/** An order as it is stored. Moments are unix milliseconds of world time, money is in the smallest unit. */
export interface StoredOrder extends OrderState {
  orderId: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
  /** The account to top up. */
  target: { id: string; server: string | null; nickname: string | null };
  contact: { email: string | null; whatsapp: string };
  game: OrderedGame;
  product: OrderedProduct;
  paymentMethod: OrderedPaymentMethod;
  pricing: Pricing;
  payment: Payment;
  serialNumber: string | null;
  /** Grows with every change; a change is stored only for the version that it was thought out for. */
  version: number;
}

/** An order whose payment is still being asked for: it holds what it claimed, and nobody sees it. */
export type ReservedOrder = Omit<StoredOrder, 'payment'>;

/** What changes an order's state (open points: states). */
export const orderEvents = [
  'paid',
  'expired',
  'failed',
  'settled',
  'delivered',
  'undelivered',
  'retried',
  'refunded',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

/** Whose doing a change is. */
export const actors = ['gateway', 'supplier', 'clock', 'operator', 'sandbox'] as const;
export type Actor = (typeof actors)[number];

/** A line of an order's history. */
export interface HistoryEntry {
  /** Unix milliseconds of world time. */
  at: number;
  event: OrderEvent;
  by: Actor;
  from: OrderState;
  to: OrderState;
}

export const unitStates = ['waiting', 'asked', 'delivered', 'failed'] as const;
export type UnitState = (typeof unitStates)[number];

/** One of the items of an order, on its way to the player. Moments are unix milliseconds of world time. */
export interface StoredUnit {
  /** 1 to the order's quantity. */
  unit: number;
  /** Grows with every retry by an operator; the supplier's reference is `{order_id}-{unit}-{attempt}`. */
  attempt: number;
  /** `asked`: the supplier may know of it, so it is asked for the same reference until it says how it went. */
  state: UnitState;
  /** When the supplier was first asked for this attempt. */
  askedAt: number | null;
  /** When to ask next; null once it is settled. */
  nextAt: number | null;
  serialNumber: string | null;
  /** Why it failed, in the supplier's words. */
  reason: string | null;
}
