import type {
  BuyStatus,
  PaymentGroup,
  PaymentStatus,
  Pricing,
  Scope,
  TargetField,
} from '../contract/index.ts';

/** A product of a game. Money is in the smallest unit: integer rupiah. */
export interface CatalogProduct {
  id: number;
  /** What the supplier knows the product by; unique in the catalogue. */
  code: string;
  title: string;
  /** The heading the product stands under on a product page. */
  category: { id: number; title: string } | null;
  selling_price: number;
  /** The unit price while `is_promo` is true. */
  promo_price: number | null;
  is_promo: boolean;
  /** Closed products are shown but can't be ordered. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

export interface CatalogGame {
  id: number;
  slug: string;
  title: string;
  developers: string;
  brand: string;
  category_id: number;
  description: string;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
  banner: string | null;
  /** Closed games are shown but can't be ordered. */
  status: boolean;
  /** Hidden games don't exist for a client. */
  hidden: boolean;
  populer: boolean;
  sort: number;
  /** What an order must say about the account to top up. */
  fields: TargetField[];
  products: CatalogProduct[];
}

/** A payment method. Its group decides what the customer pays to, how long, and whether a unique code is added. */
export interface CatalogPaymentMethod {
  id: number;
  code: string;
  name: string;
  group: PaymentGroup;
  /** Flat fee. */
  fee: number;
  /** Percentage fee in basis points: 70 is 0.7 %. */
  fee_basis_points: number;
  /** The least fee. */
  minimum_fee: number;
  /** Limits on an order's total. */
  minimum_amount: number;
  maximum_amount: number;
  /** Closed methods can't be used. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** What a promo takes off one unit: a share in basis points (1000 is 10 %), or an amount. */
export type Discount =
  | { type: 'PERCENT'; basis_points: number; max_discount: number | null }
  | { type: 'FIXED'; value: number; max_discount: number | null };

/** A promo code and its rules; an empty list of games, products or methods means all of them. */
export interface Promo {
  code: string;
  discount: Discount;
  status: boolean;
  /** ISO 8601 moments; null means without begin or end. */
  starts_at: string | null;
  ends_at: string | null;
  /** How many orders may use it in all; null means any number. */
  quota: number | null;
  /** How many orders one customer (phone number) may use it for; null means any number. */
  per_customer: number | null;
  /** Least `subtotal_before_promo`. */
  minimum_purchase: number;
  /** Slugs. */
  games: string[];
  products: number[];
  payment_methods: number[];
}

/** All that is for sale: what a catalogue file holds, with its defaults filled in. */
export interface Catalog {
  categories: { id: number; title: string }[];
  games: CatalogGame[];
  payment_methods: CatalogPaymentMethod[];
  promos: Promo[];
}

/** Nothing for sale. */
export const emptyCatalog: Catalog = { categories: [], games: [], payment_methods: [], promos: [] };

/** What was bought, as it was sold: later changes of the catalogue don't change an order. */
type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
>;
type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'>;
type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

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

/** Who caused a change. */
export type Actor = 'gateway' | 'supplier' | 'clock' | 'operator' | 'sandbox';

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
type UnitState = (typeof unitStates)[number];

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

/** Money that came in but could not be matched: an operator settles the order with it, or notes it as returned. */
export interface Reconciliation {
  reconciliationId: string;
  orderId: string;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** Unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /** `late`: paid after the expiry; `amount`: not the order's total; `closed`: paid again, or after it failed. */
  reason: 'late' | 'amount' | 'closed';
  state: 'open' | 'settled' | 'returned';
  /** What the operator noted. */
  note: string | null;
}

/** An API key as it is stored: never the key itself. Moments are unix milliseconds of real time. */
export interface StoredKey {
  /** Public name of the key, for lists and logs. */
  keyId: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** Whose orders the key reads and places; several keys may share an account. */
  accountId: string;
  /** What its owner calls it. */
  name: string;
  scopes: Scope[];
  createdAt: number;
  revokedAt: number | null;
}
