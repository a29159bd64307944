import type { CallbackOutcome } from '../callback/index.ts';
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
  /** `product_id` of orders; unique in the catalogue. */
  id: number;
  /** The shop's code of the product, which invoices show; unique in the catalogue. */
  code: string;
  /** The supplier's code of the product; null when it is `code`. Clients never see it. */
  supplier_code: string | null;
  /** Name of the product, such as `86 Diamond`. */
  title: string;
  /** The group that shows the product on a game's page. */
  category: { id: number; title: string } | null;
  /** The unit price, in integer rupiah. */
  selling_price: number;
  /** The unit price while `is_promo` is true, in integer rupiah. */
  promo_price: number | null;
  /** Whether `promo_price` is the price. */
  is_promo: boolean;
  /** Closed products are shown but can't be ordered. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** A game and its products. */
export interface CatalogGame {
  /** Unique in the catalogue. */
  id: number;
  /** The name in URLs and orders, such as `mobile-legends`; unique in the catalogue. */
  slug: string;
  /** Display name. */
  title: string;
  /** Name of the developer. */
  developers: string;
  /** Brand or short label. */
  brand: string;
  /** `id` of one of the catalogue's `categories`. */
  category_id: number;
  /** Text about the game. */
  description: string;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
  /** Absolute URL of a wide picture; without one the service draws it. */
  banner: string | null;
  /** Closed games are shown but can't be ordered. */
  status: boolean;
  /** Hidden games don't exist for a client. */
  hidden: boolean;
  /** Whether the game is in `populerGames`. */
  populer: boolean;
  /** Games are listed in this order, the lowest first. */
  sort: number;
  /** The fields by which an order names the account to top up. */
  fields: TargetField[];
  /**
   * How the supplier takes the account, such as `{id}|{server}`; null for both without anything between them. Clients
   * never see it.
   */
  target: string | null;
  /** What is for sale for the game. */
  products: CatalogProduct[];
}

/** A payment method. Its group decides on the kind of payment code, the expiry, and whether a unique code is added. */
export interface CatalogPaymentMethod {
  id: number;
  code: string;
  name: string;
  group: PaymentGroup;
  /** Flat fee. */
  fee: number;
  /** Percentage fee in basis points: 70 is 0.7 %. */
  fee_basis_points: number;
  /** The lowest fee. */
  minimum_fee: number;
  /** Limits on an order's total. */
  minimum_amount: number;
  maximum_amount: number;
  /** Closed methods are shown but can't be used. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** The discount of one unit: a share in basis points (1000 is 10 %), or an amount. */
export type Discount =
  | { type: 'PERCENT'; basis_points: number; max_discount: number | null }
  | { type: 'FIXED'; value: number; max_discount: number | null };

/** A promo code and its rules; an empty list of games, products or methods means all of them. */
export interface Promo {
  code: string;
  discount: Discount;
  status: boolean;
  /** ISO 8601 date and time; null means no start or no end. */
  starts_at: string | null;
  ends_at: string | null;
  /** How many orders may use it in total; null means any number. */
  quota: number | null;
  /** How many orders one customer (phone number) may use it for; null means any number. */
  per_customer: number | null;
  /** Lowest `subtotal_before_promo` that the code can be used for. */
  minimum_purchase: number;
  /** Slugs. */
  games: string[];
  products: number[];
  payment_methods: number[];
}

/** Everything that is for sale: the content of a catalogue file, with its defaults filled in. */
export interface Catalog {
  categories: { id: number; title: string }[];
  games: CatalogGame[];
  payment_methods: CatalogPaymentMethod[];
  promos: Promo[];
}

/** A catalogue file's content with the operator's promos that it doesn't name, which an import keeps. */
export function keepPromos(catalog: Catalog, operatorPromos: readonly Promo[]): Catalog {
  const named = new Set(catalog.promos.map(({ code }) => code));
  return {
    ...catalog,
    promos: [...catalog.promos, ...operatorPromos.filter(({ code }) => !named.has(code))],
  };
}

/** Nothing for sale. */
export const emptyCatalog: Catalog = { categories: [], games: [], payment_methods: [], promos: [] };

/** A copy of the game as it was sold: later changes of the catalogue don't change an order. */
type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
> &
  // Orders of earlier versions don't have it.
  Partial<Pick<CatalogGame, 'target'>>;
type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'> &
  Partial<Pick<CatalogProduct, 'supplier_code'>>;
type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** A payment that a gateway created. */
export interface Payment {
  /** The gateway's reference; unique, and unguessable for the simulated gateway. */
  reference: string;
  /** The code to pay to, such as a virtual account number or the text of a QR code; null if the gateway gives none. */
  code: string | null;
  /** Absolute URL of the payment page; null when the gateway has none. */
  url: string | null;
  /** The text of the QR code; null for methods without one. */
  qrString: string | null;
}

/** The two states of an order; the store always changes both together. */
export interface OrderState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
}

/** What a client that polls an order is told, and what is needed to find it. */
export type OrderProgress = Pick<
  StoredOrder,
  'orderId' | 'accountId' | 'expiresAt' | 'paymentStatus' | 'buyStatus'
>;

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
  /** The name of the gateway that its payment is made at; null for orders of earlier versions. */
  gateway: string | null;
  /** Where the customer gets back to the shop, as the order names it; null when it names nothing. */
  returnUrl: string | null;
  payment: Payment;
  serialNumber: string | null;
  /** Grows with every change; a change is stored only if the order still has the version that it was planned for. */
  version: number;
}

/** An order whose payment is still being created: it keeps what it claimed, and it is not visible yet. */
export type ReservedOrder = Omit<StoredOrder, 'payment'>;

/** The events that change an order's state (open points: states). */
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

/** What a failed attempt to deliver an item came to. */
export type EarlierAttempt = Pick<
  StoredUnit,
  'unit' | 'attempt' | 'askedAt' | 'supplier' | 'supplierId' | 'reason'
>;

/** A line of an order's history. */
export interface HistoryEntry {
  /** Unix milliseconds of world time. */
  at: number;
  event: OrderEvent;
  by: Actor;
  from: OrderState;
  to: OrderState;
  /** When the payment of a `paid` was made, if the gateway told: another moment is another payment. */
  paidAt?: number;
  /** What the operator wrote. */
  note?: string;
  /** The proof of delivery that the operator gave. */
  serialNumber?: string;
  /** The attempts that a `retried` follows. */
  attempts?: EarlierAttempt[];
  /** What counted as delivered until the operator marked it as failed. */
  revoked?: RevokedItem[];
}

/** An item by its number, and the proof of its delivery, if there was one. */
export type RevokedItem = Pick<StoredUnit, 'unit' | 'serialNumber'>;

export const unitStates = ['waiting', 'asked', 'unknown', 'delivered', 'failed'] as const;
type UnitState = (typeof unitStates)[number];

/** By what a supplier finds a purchase. */
export const findByKinds = ['reference', 'supplierId', 'none'] as const;

/** The delivery of one item of an order. Moments are unix milliseconds of world time. */
export interface StoredUnit {
  /** 1 to the order's quantity. */
  unit: number;
  /** Grows with every retry by an operator; the supplier's reference is `{order_id}-{unit}-{attempt}`. */
  attempt: number;
  /**
   * `waiting`: to be submitted. `asked`: it was submitted, or a crash came just before; the supplier is asked for the
   * outcome. `unknown`: nobody can be asked any more, so an operator has to find out; it is never bought again by itself.
   */
  state: UnitState;
  /** When the supplier was first asked for this attempt. */
  askedAt: number | null;
  /**
   * When to submit or ask again; null once the outcome is known, or can't be. Of an unknown one: when to look whether its
   * supplier is configured again.
   */
  nextAt: number | null;
  /** The name of the supplier that it was submitted to; null before that, and for units of earlier versions. */
  supplier: string | null;
  /** By what that supplier finds it; null with `supplier`. */
  findBy: (typeof findByKinds)[number] | null;
  /** The supplier's own id of the purchase, once it gave one. */
  supplierId: string | null;
  serialNumber: string | null;
  /** The supplier's reason for a failure, why an outcome is unknown, or while it is asked: why the last question failed. */
  reason: string | null;
  /** What the supplier said against an outcome, as sentences; an operator finds out which is true. */
  contradiction: string | null;
}

export const reconciliationReasons = ['late', 'amount', 'closed', 'unknown', 'refunded'] as const;

/**
 * A payment that does not fit its order: an operator settles an order with it, or marks it as returned. One of reason
 * `refunded` is money that left: an operator only closes it, as returned.
 */
export interface Reconciliation {
  reconciliationId: string;
  /** Null when the payment was made for no known order; an operator who settles it says for which. */
  orderId: string | null;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** When it was made, or refunded, in unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /**
   * `late`: paid after the expiry; `amount`: not the order's total; `closed`: paid again, or after it failed; `unknown`: no
   * order has this reference; `refunded`: the gateway paid it back, although the order counts as paid.
   */
  reason: (typeof reconciliationReasons)[number];
  state: 'open' | 'settled' | 'returned';
  /** The operator's note. */
  note: string | null;
}

/** An API key as it is stored: never the key itself. Moments are unix milliseconds of real time. */
export interface StoredKey {
  /** Public identifier of the key, for lists and logs. */
  keyId: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** The account whose orders the key reads and places; several keys may belong to one account. */
  accountId: string;
  /** A name that the operator chose. */
  name: string;
  scopes: Scope[];
  createdAt: number;
  /** From then on the key is rejected; null for a key that never expires. */
  expiresAt: number | null;
  revokedAt: number | null;
  /** The id of the key that replaces this one; null unless it was rotated. */
  replacedBy: string | null;
  /** To about a minute; null for a key that was never used. */
  lastUsedAt: number | null;
}

/** A callback of a gateway or a supplier as it arrived, and what came of it. Moments are unix milliseconds of real time. */
export interface StoredCallback {
  /** Short, for an operator's commands, such as `cb_k3v9x2ma`. */
  callbackId: string;
  /** The name of the gateway or supplier. */
  provider: string;
  receivedAt: number;
  /** The IP address that it came from. */
  address: string;
  /** Values by lower-case name; only those that say what was sent and prove who sent it. */
  headers: Readonly<Record<string, string>>;
  /** The bytes that were sent, with words instead of the provider's secrets; none when it was ignored. */
  body: Uint8Array;
  /** What came of it when it was last handled. */
  outcome: CallbackOutcome;
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  /** The order that it is about, if that is known. */
  orderId: string | null;
  handledAt: number;
  /** How often it was handled: 1, and 1 more for each replay. */
  attempts: number;
  /** Whether an operator asked for a replay that wasn't made yet. */
  replay: boolean;
}

/** The kinds of requests to a provider whose failures an operator is told of. */
export const providerCalls = ['access', 'payments', 'purchases', 'products', 'balance'] as const;
export type ProviderCall = (typeof providerCalls)[number];

/** A kind of request that a provider does not handle at the moment. */
export interface ProviderProblem {
  /** The name of the gateway or supplier. */
  provider: string;
  call: ProviderCall;
  /** Why, in one line without secrets. */
  problem: string;
  /** When the first of them failed, in unix milliseconds of real time. */
  since: number;
}

/** What the supplier's account held when it was last asked. */
export interface SupplierBalance {
  supplier: string;
  /** Integer in the smallest unit. */
  balance: number;
  /** Below this balance an operator is alerted; integer in the smallest unit. */
  alertBelow: number;
  /** Unix milliseconds of real time. */
  readAt: number;
}
