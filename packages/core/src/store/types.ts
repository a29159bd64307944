import type {
  BuyStatus,
  FailureReason,
  KeyScope,
  PaymentGroup,
  PaymentStatus,
  Pricing,
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
  /**
   * Where it can be bought, each supplier once, in this order, with that supplier's code of it. Left out or null, it is bought at
   * the first supplier of the settings. Clients never see it.
   */
  suppliers?: { supplier: string; code: string }[] | null;
  /** Name of the product, such as `86 Diamond`. */
  title: string;
  /** The group that shows the product on a game's page. */
  category: { id: number; title: string } | null;
  /** The unit price, in integer rupiah. */
  selling_price: number;
  /** Whether the price was set by hand, so that no margin rule changes it; left out, it is not. */
  price_locked?: boolean;
  /** The unit price while `is_promo` is true, in integer rupiah. */
  promo_price: number | null;
  /** Whether `promo_price` is the price; with a span, it is exactly within it. */
  is_promo: boolean;
  /** When `promo_price` begins to be the price: ISO 8601. Left out or null for a sale without a beginning. */
  promo_from?: string | null;
  /** When it ends: ISO 8601. Left out or null for a sale without an end. */
  promo_until?: string | null;
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
  /**
   * The fields by which an order names the account to top up. `pattern` is what a value looks like, such as `\\d{6,10}`; clients never
   * see it.
   */
  fields: (TargetField & { pattern?: string })[];
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
export type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'> &
  // As they are tried for this order.
  Partial<Pick<CatalogProduct, 'supplier_code' | 'suppliers'>>;
type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** A payment that a gateway created. */
export interface Payment {
  /** The gateway's reference; unique, and unguessable for the simulated gateway alone. */
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
  /**
   * What its payment page is addressed by: of our own, and unguessable. Null when the gateway's reference is that: for the simulated
   * gateway, and for orders of earlier versions.
   */
  pageReference: string | null;
  /** Where the customer gets back to the shop, as the order names it; null when it names nothing. */
  returnUrl: string | null;
  payment: Payment;
  serialNumber: string | null;
  /** Grows with every change; a change is stored only if the order still has the version that it was planned for. */
  version: number;
}

/** An order whose payment is still being created: it keeps what it claimed, and it is not visible yet. */
export type ReservedOrder = Omit<StoredOrder, 'payment'>;

/** The events that change an order's state (open points: states); a `noted` changes none. */
export const orderEvents = [
  'paid',
  'expired',
  'failed',
  'settled',
  'delivered',
  'undelivered',
  'retried',
  'refunded',
  'noted',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

/** Who caused a change. */
export type Actor = 'gateway' | 'supplier' | 'clock' | 'operator' | 'sandbox';

/** What a failed attempt to deliver an item came to. */
export type EarlierAttempt = Pick<
  StoredUnit,
  'unit' | 'attempt' | 'askedAt' | 'supplier' | 'supplierId' | 'reason'
> & {
  /** Whether its supplier did not buy it then, but may later. */
  isHeldUp?: true;
};

/** What payments to reconcile have in common. */
export type ReconciliationFilter = Partial<
  Pick<Reconciliation, 'reconciliationId' | 'reference' | 'state'> & { orderId: string }
>;

/** A line of an order's history. */
export interface HistoryEntry {
  /** Unix milliseconds of world time. */
  at: number;
  event: OrderEvent;
  by: Actor;
  from: OrderState;
  to: OrderState;
  /** The name of the operator who did it; histories of earlier versions don't have it. */
  operator?: string;
  /** When the payment of a `paid` was made, if the gateway told: another moment is another payment. */
  paidAt?: number;
  /** What the gateway keeps of a `paid` or `settled`, or of a `failed` that it paid back, if it told: integer in the smallest unit. */
  fee?: number;
  /** What was paid by a `settled`, or goes back by a `refunded`: integer in the smallest unit. */
  amount?: number;
  /** What the operator wrote. */
  note?: string;
  /** The proof of delivery that the operator gave. */
  serialNumber?: string;
  /** The attempts that a `retried` follows. */
  attempts?: EarlierAttempt[];
  /** By how much an item may cost from then on more than its price without a promo code, by an operator's `retried`. */
  maxLoss?: number;
  /** What counted as delivered until the operator marked it as failed. */
  revoked?: RevokedItem[];
}

/** A change of an order, and its place among those of all orders: from 1, each later one has a higher place. */
export interface OrderChange {
  position: number;
  orderId: string;
  /** The version of the order that it led to. */
  version: number;
  /** Null for the one that placed the order. Orders of earlier versions don't have it. */
  entry: HistoryEntry | null;
}

/** An item by its number, and the proof of its delivery, if there was one. */
export type RevokedItem = Pick<StoredUnit, 'unit' | 'serialNumber'>;

export const unitStates = ['waiting', 'asked', 'unknown', 'delivered', 'failed'] as const;
type UnitState = (typeof unitStates)[number];

/** What an item waits for that only an operator can bring about. */
export const waitReasons = ['balance'] as const;

/** Who said what a purchase costs: the supplier in its response to it, or its list before that. */
export const costSources = ['supplier', 'listed'] as const;

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
  /**
   * The name of the supplier that it was submitted to, or of the one that is next to get it; null before that, and for units of
   * earlier versions.
   */
  supplier: string | null;
  /** By what that supplier finds it; null with `supplier`. */
  findBy: (typeof findByKinds)[number] | null;
  /** The supplier's own id of the purchase, once it gave one. */
  supplierId: string | null;
  serialNumber: string | null;
  /** The supplier's reason for a failure, why an outcome is unknown, or while it is asked: why the last question failed. */
  reason: string | null;
  /**
   * What a failure is to the customer, or the one before a new attempt that waits; null otherwise, and of failures that an earlier version
   * stored.
   */
  failureKind: FailureReason | null;
  /** What the supplier said against an outcome, as sentences; an operator finds out which is true. */
  contradiction: string | null;
  /**
   * What this attempt costs if it is delivered: integer in the smallest unit. One that failed cost nothing. Null before it is
   * submitted, when nobody said it, and for units of earlier versions.
   */
  cost: number | null;
  /** Null with `cost`. */
  costSource: (typeof costSources)[number] | null;
  /** `balance`: the supplier buys it by itself once the shop has deposited enough; null when it waits for nothing that is known. */
  waitsFor: (typeof waitReasons)[number] | null;
}

export const reconciliationReasons = ['late', 'amount', 'closed', 'unknown', 'refunded'] as const;

/**
 * A payment that does not fit its order: an operator settles an order with it, or marks it as returned. One of reason
 * `refunded` is money that left: an operator refunds the order, of which it then is a part, or closes it as returned.
 */
export interface Reconciliation {
  reconciliationId: string;
  /** Null when the payment was made for no known order; an operator who settles it says for which. */
  orderId: string | null;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** What the gateway keeps of it: integer in the smallest unit. Null when it did not say it, of `refunded`, and of earlier versions. */
  fee: number | null;
  /** When it was made, or refunded, in unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /**
   * `late`: paid after the expiry; `amount`: not the order's total; `closed`: paid again, or after it failed; `unknown`: no
   * order has this reference; `refunded`: the gateway paid so much back, and the order doesn't show it.
   */
  reason: (typeof reconciliationReasons)[number];
  /** `settled`: it counts as the order's payment, or as a refund of the order. */
  state: 'open' | 'settled' | 'returned';
  /** The operator's note. */
  note: string | null;
  /** When it was settled or returned; null while it is open, and of those that an earlier version closed. */
  closedAt: number | null;
  /** The name of the operator who did so; null like `closedAt`, and when the gateway's own report did. */
  closedBy: string | null;
}

export const refundStates = ['to-pay', 'paid', 'cancelled'] as const;

/** Money of an order that goes back to its customer. Moments are unix milliseconds of world time. */
export interface Refund {
  /** `{order_id}-R{number}`, such as `INV-20260329093000-ABCDEFGH-R1`. */
  refundId: string;
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  /**
   * The numbers of the units that it is for: those that were not delivered, or all of a delivered order. None when it pays back what
   * was paid over the order's total.
   */
  units: number[];
  at: number;
  /** The name of the operator who decided it; null when the gateway reported it. */
  operator: string | null;
  /** What that operator wrote. */
  note: string | null;
  /** `to-pay`: an operator has to pay it by hand. `cancelled`: it turned out not to be owed. */
  state: (typeof refundStates)[number];
  /** By what the payment to the customer is found; of a cancelled one, why it isn't owed. */
  reference: string | null;
  closedAt: number | null;
  /** The name of the operator who paid or cancelled it; null while it is to be paid, and when the gateway paid it. */
  closedBy: string | null;
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
  scopes: KeyScope[];
  createdAt: number;
  /** From then on the key is rejected; null for a key that never expires. */
  expiresAt: number | null;
  revokedAt: number | null;
  /** The id of the key that replaces this one; null unless it was rotated. */
  replacedBy: string | null;
  /** To about a minute; null for a key that was never used. */
  lastUsedAt: number | null;
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

/** What a supplier says of a product, for the shop's own account there. */
export interface SupplierProduct {
  /** The supplier's code of it. */
  code: string;
  /** What one costs now: integer in the smallest unit. Left out, nothing is closed because of its cost. */
  price?: number;
  /** What the supplier calls the product, the game or company that it is of, and its kind. */
  name?: string;
  brand?: string;
  category?: string;
  /** Whether it can be bought at all. */
  isAvailable: boolean;
  /** How many it has; null for any number. */
  stock: number | null;
  /** Whether it is sold only once per target and day. */
  isOncePerDay: boolean;
  /** When it can't be bought, next or now, in unix milliseconds: the supplier's cut-off hours; null for none. */
  pause: { from: number; until: number } | null;
}

/** Everything that a supplier said it sells when it was last asked. */
export interface SupplierList {
  /** The name of the supplier. */
  supplier: string;
  /** Unix milliseconds of real time. */
  readAt: number;
  products: readonly SupplierProduct[];
}

/** One value that an edit of the catalogue changed. */
export interface EditedValue {
  kind: 'catalog' | 'category' | 'game' | 'product' | 'payment_method' | 'promo' | 'margin';
  /** A game's slug, a product's or a promo's code, a margin's scope and key as one text; else the entry's id, as text. */
  key: string;
  /** '' for an entry that was added or removed; its value is then its title. */
  field: string;
  /** Null for none. */
  from: unknown;
  to: unknown;
}

/** An edit of the catalogue, as its history keeps it. */
export interface CatalogEdit {
  /** Unix milliseconds of real time. */
  at: number;
  /** The operator's name; null when it was not given. */
  by: string | null;
  /** What was done, such as `set-price ML86`. */
  command: string;
  values: readonly EditedValue[];
}

/** An edit with its number, which grows. */
export interface StoredCatalogEdit extends CatalogEdit {
  number: number;
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
